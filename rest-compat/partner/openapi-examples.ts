import type { CodeOf, ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { CallExamples, Named } from '../shared/openapi/examples.ts';
import { presentError, presentFailures, presentInternalError, presentUnread } from './errors.ts';

/** The bodies of these errors, by code. */
function errors(...codes: CodeOf<'partner'>[]): Named {
  return Object.fromEntries(codes.map((code) => [code, presentError(code).body]));
}

function invalid(code: ErrorCode, message: string, ...path: string[]): Named {
  return { [code]: presentFailures([{ code, message, path }]).body };
}

/** Answers that are the same for every call of the surface. */
export const COMMON_EXAMPLES: Readonly<Record<number, Named>> = {
  400: invalid('INVALID_REQUEST', 'must be an integer of 1 to 100', 'limit'),
  401: errors('MISSING_API_KEY', 'INVALID_API_KEY'),
  403: errors('FORBIDDEN'),
  413: { INVALID_REQUEST: presentUnread('PAYLOAD_TOO_LARGE').body },
  415: { INVALID_REQUEST: presentUnread('UNSUPPORTED_MEDIA_TYPE').body },
  429: errors('RATE_LIMITED'),
  500: { INTERNAL_ERROR: presentInternalError().body },
  503: errors('SERVICE_UNAVAILABLE'),
};

const LINK_ID = 'lnk_7RsAcEd3kTqVb9xYw2Lm';
const USER_ID = 'usr_9xYw2LmNp7RsAcEd3kTq';
const NAME = { firstName: 'Ana', lastName: 'Ruiz' };
const CREATED_AT = '2026-11-21T08:00:00.000Z';
const LATER = '2026-11-21T08:05:00.000Z';
const LINK_HEAD = {
  linkId: LINK_ID,
  referenceId: 'ref-1',
  status: 'created',
  url: 'https://widget.acme.test/w/3kTqVb9xYw2LmNp7RsAcEd',
  expiresAt: '2026-11-22T08:00:00.000Z',
  createdAt: CREATED_AT,
};
/** A link as the call for it answers it, without the envelope. */
export const LINK = {
  ...LINK_HEAD,
  userId: USER_ID,
  userData: { name: NAME, idType: 'passport', idNumber: '****1234', dob: '1990-02-28' },
  user: { userId: USER_ID, status: 'active', cipStatus: 'pending' },
  metadata: { order: 77 },
};
const REVOKED = { ...LINK, status: 'revoked', revokedAt: LATER };
const AMOUNT = {
  send: 1.1,
  receive: 20.1,
  rate: 18.25,
  fee: 0,
  currency: { source: 'USD', destination: 'MXN' },
};
const OPERATION = {
  operationId: 'corr-1',
  userId: USER_ID,
  linkId: LINK_ID,
  referenceId: 'ref-1',
  raasOperationId: 'plat_3kTqVb9xYw2LmNp7RsAc',
  status: 'completed',
  amount: AMOUNT,
  funding: { amount: 1.1, currency: 'USD' },
  payout: { type: 'UBN', country: 'MX', number: '032180000118359719', amount: 20.1, currency: 'MXN' },
  createdAt: CREATED_AT,
  updatedAt: LATER,
  completedAt: LATER,
};
const USER = {
  userId: USER_ID,
  referenceId: 'ref-1',
  name: NAME,
  cipStatus: 'verified',
  blocked: false,
  createdAt: CREATED_AT,
};

const found = (data: unknown): Named => ({ found: { success: true, data } });
const page = (item: unknown): Named => ({
  ...found({ items: [item], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }),
  empty: { success: true, data: { items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } } },
});
const blocking = (blocked: boolean, blockedAt: string | null, blockedReason: string | null): Named =>
  found({ userId: USER_ID, blocked, blockedAt, blockedReason });
const NO_LINK = { 404: errors('LINK_NOT_FOUND') };
const NO_USER = { 404: errors('USER_NOT_FOUND') };

const LINKS: Readonly<Record<string, CallExamples>> = {
  listLinks: { answers: { 200: page({ ...LINK_HEAD, userId: USER_ID, userData: { name: NAME } }) } },
  createLink: {
    body: {
      least: { flow: 'transfer', referenceId: 'ref-1' },
      withUserData: {
        flow: 'cip',
        referenceId: 'ref-1',
        expiresInMinutes: 1440,
        userData: { name: NAME, idType: 'passport', idNumber: 'X1231234', dob: '1990-02-28' },
        metadata: { order: 77 },
      },
    },
    answers: {
      201: found(LINK),
      400: invalid('INVALID_REQUEST', 'is required', 'referenceId'),
      403: errors('FLOW_NOT_ALLOWED', 'USER_BLOCKED', 'USER_ERASED', 'FORBIDDEN'),
    },
  },
  getLink: { answers: { 200: found(LINK), ...NO_LINK } },
  getLinkActivity: {
    answers: {
      200: found({
        linkId: LINK_ID,
        activities: [
          {
            activityId: 'act_000001',
            type: 'link.created',
            actor: 'partner',
            timestamp: CREATED_AT,
            status: 'success',
            data: { flow: 'cip' },
          },
        ],
      }),
      ...NO_LINK,
    },
  },
  getLinkReadiness: {
    answers: { 200: found({ linkId: LINK_ID, ready: false, missing: ['idType', 'idNumber'] }), ...NO_LINK },
  },
  revokeLink: { answers: { 200: found(REVOKED), ...NO_LINK, 409: errors('LINK_ALREADY_REVOKED') } },
  createCipTicket: {
    body: { ofALink: { linkId: LINK_ID } },
    answers: {
      200: found({
        ticketId: 'tck_LmNp7RsAcEd3kTqVb9xY',
        widgetUrl: 'https://widget.acme.test/cip/Vb9xYw2LmNp7RsAcEd3kTq',
        referenceId: 'ref-1',
      }),
      400: invalid('INSUFFICIENT_USER_DATA', 'is missing', 'userData', 'idNumber'),
      403: errors('USER_BLOCKED', 'USER_ERASED', 'FORBIDDEN'),
      ...NO_LINK,
      409: errors('LINK_REVOKED'),
    },
  },
  fulfilDataRequest: {
    body: { birthDate: { referenceId: 'ref-1', userData: { dob: '1990-02-28' } } },
    answers: {
      200: found({
        dataRequestId: 'dr_Vb9xYw2LmNp7RsAcEd3k',
        status: 'fulfilled',
        linkId: LINK_ID,
        message: 'The data was merged into the user data of the link.',
        fulfilledAt: LATER,
      }),
      400: {
        ...invalid('INVALID_REQUEST', 'was not requested', 'userData', 'name'),
        ...errors('REFERENCE_MISMATCH'),
      },
      403: errors('USER_ERASED', 'FORBIDDEN'),
      404: errors('DATA_REQUEST_NOT_FOUND'),
      409: errors('DATA_REQUEST_ALREADY_FULFILLED'),
    },
  },
};

const OTHERS: Readonly<Record<string, CallExamples>> = {
  listUsers: { answers: { 200: page(USER) } },
  blockUser: {
    body: { reason: { reason: 'Fraud' }, none: {} },
    answers: {
      200: blocking(true, CREATED_AT, 'Fraud'),
      400: invalid('INVALID_REQUEST', 'must have at most 500 characters', 'reason'),
      ...NO_USER,
    },
  },
  unblockUser: {
    answers: { 200: blocking(false, null, null), 403: errors('USER_ERASED', 'FORBIDDEN'), ...NO_USER },
  },
  listOperations: { answers: { 200: page(OPERATION) } },
  getOperation: { answers: { 200: found(OPERATION), 404: errors('OPERATION_NOT_FOUND') } },
  getMe: {
    answers: {
      200: found({
        partnerId: 'acme',
        name: 'Acme Pay',
        environment: 'sandbox',
        scopes: ['partner', 'partner_full'],
        features: ['request-money'],
        flows: ['cip', 'transfer', 'request_money'],
      }),
    },
  },
  getWebhookConfig: {
    answers: {
      200: {
        configured: {
          webhookUrl: 'https://hooks.acme.test/in',
          webhookSecretPreview: 'whsec_…01',
          hasWebhookSecret: true,
        },
        none: { hasWebhookSecret: false },
      },
    },
  },
  regenerateWebhookSecret: {
    answers: {
      200: {
        regenerated: {
          webhookSecret: 'whsec_3kTqVb9xYw2LmNp7RsAcEd5TnVq8ZkXw',
          message:
            'Store this secret now: it is shown only in this answer. Webhooks that are stored already keep the former secret.',
        },
      },
    },
  },
  preQuoteLite: {
    body: {
      account: {
        sourceCountry: 'US',
        destinationCountry: 'MX',
        destinationCurrency: 'MXN',
        payoutMethod: 'bank_account',
        amount: 100,
      },
    },
    answers: {
      200: found({ ...AMOUNT, send: 100, receive: 1825 }),
      400: {
        ...invalid('INVALID_REQUEST', 'must be greater than 0', 'amount'),
        ...errors('ROUTE_NOT_AVAILABLE'),
      },
    },
  },
};

/** The examples of each call, by operationId. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExamples>> = { ...LINKS, ...OTHERS };
