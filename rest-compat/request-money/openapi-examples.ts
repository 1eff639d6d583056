import type { ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { CallExamples, Named } from '../shared/openapi/examples.ts';
import { presentError, presentFailures, presentInternalError } from './errors.ts';

/** The bodies of these errors, by code. */
export function errorExamples(...codes: ErrorCode[]): Named {
  return Object.fromEntries(codes.map((code) => [code, presentError(code).body]));
}

const INVALID_BODY = presentFailures([
  { code: 'VALIDATION_FAILED', message: 'is required', path: ['requestData', 'name', 'firstName'] },
]).body;

/** A body with validation issues, and other codes of the same status. */
function unprocessable(...codes: ErrorCode[]): Named {
  return { VALIDATION_FAILED: INVALID_BODY, ...errorExamples(...codes) };
}

/** Answers that are the same for every call of the surface. */
export const COMMON_EXAMPLES: Readonly<Record<number, Named>> = {
  401: errorExamples('UNAUTHENTICATED'),
  403: errorExamples('INSUFFICIENT_SCOPE', 'API_FEATURE_NOT_ENABLED'),
  413: errorExamples('PAYLOAD_TOO_LARGE'),
  415: errorExamples('UNSUPPORTED_MEDIA_TYPE'),
  422: unprocessable(),
  429: errorExamples('RATE_LIMITED'),
  500: { INTERNAL_SERVER_ERROR: presentInternalError().body },
  503: errorExamples('SERVICE_UNAVAILABLE'),
};

/** The worked example of decisions, section 6. */
const RESOLVED = {
  sourceCountry: 'US',
  destinationCountry: 'MX',
  sourceCurrency: 'USD',
  destinationCurrency: 'MXN',
  payoutType: 'bank_account',
  payerCode: 'MXSPEI',
  stateCode: 'DIF',
};
/** The answer to a create. */
const CREATED_MONEY_REQUEST = {
  referenceId: 'AB12cd34',
  id: 'AB12cd34',
  status: 'pending',
  statusDetails: 'AwaitingPayment',
  waLink:
    'https://wa.me/?text=Ana%20asks%20you%20for%201500.5%20MXN%3A%20https%3A%2F%2Fpay.acme.test%2Fr%3Fref%3DAB12cd34',
  landingLink: 'https://pay.acme.test/r?ref=AB12cd34',
  fundRequestLink: 'https://widget.acme.test/fund/3kTqVb9xYw2LmNp7RsAcEd',
  resolved: RESOLVED,
};
/** The answer to a lookup. */
export const FOUND_MONEY_REQUEST = {
  ...CREATED_MONEY_REQUEST,
  requestId: 'req_5TnVq8ZkXw3LmPb7RsYc',
  createdAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:00.000Z',
  expiresAt: '2026-11-28T08:00:00.000Z',
};

const moneyRequest = (referenceId: string, payout: object, address: object = { country: 'MX' }) => ({
  referenceId,
  amount: 1500.5,
  currency: 'MXN',
  requestData: {
    userReferenceId: 'u-77',
    name: { firstName: 'Ana', lastName: 'Ruiz' },
    address,
    ...payout,
  },
});

/** The examples of each call, by operationId. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExamples>> = {
  createRequestMoney: {
    body: {
      bankAccount: moneyRequest(
        'AB12cd34',
        { payoutMethod: 'bank_account', bankAccount: { accountNumber: '0321 8000 0118 3597 19' } },
        { country: 'MX', state: 'CDMX' },
      ),
      card: moneyRequest('AB12cd35', {
        payoutMethod: 'card',
        card: { number: '4111 1111 1111 1111', nameOnCard: 'ANA RUIZ', expirationDate: '1230' },
      }),
      cash: moneyRequest('AB12cd36', { payoutMethod: 'cash', cash: { provider: 'Elektra' } }),
    },
    answers: {
      201: {
        created: CREATED_MONEY_REQUEST,
        outsideOfTheRoute: {
          ...CREATED_MONEY_REQUEST,
          warnings: [
            {
              code: 'ROUTE_NOT_OFFERABLE',
              message: 'The route may not be offered to payers at this amount.',
            },
          ],
        },
      },
      403: errorExamples(
        'INSUFFICIENT_SCOPE',
        'API_FEATURE_NOT_ENABLED',
        'USER_BLOCKED',
        'USER_ERASED',
        'OFAC_HIT',
      ),
      409: errorExamples('LEGACY_REFERENCE_EXISTS'),
      422: unprocessable(
        'CORRIDOR_UNRESOLVABLE',
        'ROUTE_NOT_AVAILABLE',
        'PAYOUT_METHOD_UNSUPPORTED',
        'STATE_NOT_MAPPED',
        'IDEMPOTENCY_KEY_REUSED',
      ),
      503: errorExamples('IDENTITY_VALIDATOR_UNAVAILABLE', 'SERVICE_UNAVAILABLE'),
    },
  },
  getRequestMoney: {
    answers: {
      200: {
        pending: FOUND_MONEY_REQUEST,
        processing: {
          ...CREATED_MONEY_REQUEST,
          status: 'processing',
          statusDetails: 'PaymentInProgress',
          requestId: FOUND_MONEY_REQUEST.requestId,
          operationId: 'op_2LmNp7RsAcEd3kTqVb9x',
          createdAt: FOUND_MONEY_REQUEST.createdAt,
          updatedAt: '2026-11-21T09:30:00.000Z',
          expiresAt: FOUND_MONEY_REQUEST.expiresAt,
        },
      },
      404: errorExamples('REQUEST_MONEY_NOT_FOUND'),
    },
  },
  cancelRequestMoney: {
    body: { withReason: { reason: 'The order was returned' } },
    answers: {
      200: {
        cancelled: {
          ...FOUND_MONEY_REQUEST,
          status: 'cancelled',
          statusDetails: 'CancelledByPartner',
          updatedAt: '2026-11-21T09:30:00.000Z',
        },
        withReason: {
          ...FOUND_MONEY_REQUEST,
          status: 'cancelled',
          statusDetails: 'The order was returned',
          updatedAt: '2026-11-21T09:30:00.000Z',
        },
      },
      404: errorExamples('REQUEST_MONEY_NOT_FOUND'),
      409: errorExamples('INVALID_TRANSITION'),
      422: {
        VALIDATION_FAILED: presentFailures([
          { code: 'VALIDATION_FAILED', message: 'must have at most 200 characters', path: ['reason'] },
        ]).body,
      },
    },
  },
};
