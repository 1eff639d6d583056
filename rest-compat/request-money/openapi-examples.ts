import type { ErrorCode } from '../../subgraphs/platform/errors/catalogue.ts';
import type { CallExamples, Named } from '../openapi/examples.ts';
import { presentError, presentFailures, presentInternalError } from './errors.ts';

/** The answers to these errors, by code. */
export function errorExamples(...codes: ErrorCode[]): Named {
  return Object.fromEntries(codes.map((code) => [code, presentError(code).body]));
}

const FAULTS = presentFailures([
  { code: 'VALIDATION_FAILED', message: 'is required', path: ['requestData', 'name', 'firstName'] },
]).body;

/** A faulty body, and codes that the same status has. */
export function unprocessable(...codes: ErrorCode[]): Named {
  return { VALIDATION_FAILED: FAULTS, ...errorExamples(...codes) };
}

const UNAVAILABLE: Named = {
  SERVICE_UNAVAILABLE: {
    error: { code: 'SERVICE_UNAVAILABLE', message: 'The service is unavailable for a moment. Try again.' },
  },
};

/** What every call of the surface answers alike. */
export const COMMON_EXAMPLES: Readonly<Record<number, Named>> = {
  401: errorExamples('UNAUTHENTICATED'),
  403: errorExamples('INSUFFICIENT_SCOPE', 'API_FEATURE_NOT_ENABLED'),
  413: errorExamples('PAYLOAD_TOO_LARGE'),
  422: unprocessable(),
  429: errorExamples('RATE_LIMITED'),
  500: { INTERNAL_SERVER_ERROR: presentInternalError().body },
  503: UNAVAILABLE,
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
export const CREATED_ASK = {
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
export const FOUND_ASK = {
  ...CREATED_ASK,
  requestId: 'req_5TnVq8ZkXw3LmPb7RsYc',
  createdAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:00.000Z',
  expiresAt: '2026-11-28T08:00:00.000Z',
};

const asked = (referenceId: string, payout: object, address: object = { country: 'MX' }) => ({
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

export const CALL_EXAMPLES: Readonly<Record<string, CallExamples>> = {
  createRequestMoney: {
    body: {
      bankAccount: asked(
        'AB12cd34',
        { payoutMethod: 'bank_account', bankAccount: { accountNumber: '0321 8000 0118 3597 19' } },
        { country: 'MX', state: 'CDMX' },
      ),
      card: asked('AB12cd35', {
        payoutMethod: 'card',
        card: { number: '4111 1111 1111 1111', nameOnCard: 'ANA RUIZ', expirationDate: '1230' },
      }),
      cash: asked('AB12cd36', { payoutMethod: 'cash', cash: { provider: 'Elektra' } }),
    },
    answers: {
      201: {
        created: CREATED_ASK,
        outsideOfTheRoute: {
          ...CREATED_ASK,
          warnings: [
            { code: 'ROUTE_NOT_OFFERABLE', message: 'The amount is outside of what the route offers.' },
          ],
        },
      },
      403: errorExamples('INSUFFICIENT_SCOPE', 'API_FEATURE_NOT_ENABLED', 'USER_BLOCKED', 'OFAC_HIT'),
      409: errorExamples('LEGACY_REFERENCE_EXISTS'),
      422: unprocessable(
        'CORRIDOR_UNRESOLVABLE',
        'ROUTE_NOT_AVAILABLE',
        'PAYOUT_METHOD_UNSUPPORTED',
        'STATE_NOT_MAPPED',
        'IDEMPOTENCY_KEY_REUSED',
      ),
      503: { ...errorExamples('IDENTITY_VALIDATOR_UNAVAILABLE'), ...UNAVAILABLE },
    },
  },
  getRequestMoney: {
    answers: {
      200: {
        pending: FOUND_ASK,
        processing: {
          ...CREATED_ASK,
          status: 'processing',
          statusDetails: 'PaymentInProgress',
          requestId: FOUND_ASK.requestId,
          operationId: 'op_2LmNp7RsAcEd3kTqVb9x',
          createdAt: FOUND_ASK.createdAt,
          updatedAt: '2026-11-21T09:30:00.000Z',
          expiresAt: FOUND_ASK.expiresAt,
        },
      },
      404: errorExamples('REQUEST_MONEY_NOT_FOUND'),
    },
  },
};
