import { type AccountId, partsOf } from '../../../subgraphs/kernel/account.ts';
import type { IdName } from './ids.ts';
import { REST_SIMULATIONS } from './simulations.ts';
import { CARD, CASH, moneyRequestOf, personOf } from './tenant-data.ts';
import type { RestArguments, Variant, Variants } from './variant.ts';

type With = Variant<RestArguments>['with'];

const word = () => 'Anybody';
const payer = { phoneNumber: '+14155610001', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
const contact = { ...payer, phoneNumber: '+14155610002' };
const sum = { recipientAmount: 12.5, recipientCurrency: 'MXN' };
const ubn = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
const card = { ...CARD, nameOnCard: 'Ana Ruiz' };
const nothing: Variant<RestArguments> = { with: () => ({}) };

/** The body of an atomic call: everything in it but the changes is the same each time. */
function full(change: { requester?: object; requestTo?: object; request: object }) {
  const requester = { ...personOf(word), phoneNumber: '+14155610003', ...change.requester };
  const requestTo = { ...payer, ...change.requestTo };
  return { requester, request: { ...sum, destinationPaymentMethod: CASH, ...change.request, requestTo } };
}

/** The id stands in the path, in the query or in the body. */
const inPath = (param: string, name: IdName, more: RestArguments = {}): Variant<RestArguments> => ({
  with: (id) => ({ ...more, path: { ...more.path, [param]: id(name) } }),
});
const inQuery = (param: string, name: IdName): Variant<RestArguments> => ({
  with: (id) => ({ query: { [param]: id(name) } }),
});
const inBody = (param: string, name: IdName, more: object = {}): Variant<RestArguments> => ({
  with: (id) => ({ body: { ...more, [param]: id(name) } }),
});
/** The id stands in a request about a user of the caller's own. */
const ofOwnUser = (make: With, is?: 'free'): Variant<RestArguments> => ({
  with: (id, own, fresh) => ({ path: { userToken: own('userId') }, ...make(id, own, fresh) }),
  ...(is && { is }),
});

/** How documented calls are driven that change nothing, by method and path. */
export const REST_READS: Variants<RestArguments> = {
  'GET /v1/user/operations/{userToken}': [
    { ...inPath('userToken', 'userId'), is: 'mismatch' },
    { ...inPath('userToken', 'linkUserId'), is: 'mismatch' },
    ofOwnUser((id) => ({ query: { destinationPhone: id('contactPhone') } })),
    ofOwnUser((id) => ({ query: { phone: id('contactPhone') } })),
  ],
  'GET /v1/user/operations/detail/{id}': [
    inPath('id', 'correlationId'),
    inPath('id', 'atomicId'),
    inPath('id', 'operationId'),
  ],
  'GET /v1/user/operations/frequent/{userToken}/{limit}': [
    { ...inPath('userToken', 'userId', { path: { limit: '5' } }), is: 'mismatch' },
  ],
  'GET /v1/user/token-v2': [inQuery('phoneNumber', 'phoneNumber'), inQuery('email', 'email')],
  'GET /v1/request-money/{referenceId}': [inPath('referenceId', 'referenceId')],
  'GET /v1/statements': [
    nothing,
    { with: (id) => ({ query: { after: id('cursor:statements') } }), is: 'free' },
  ],
  'GET /v1/statements/{id}': [inPath('id', 'statementId')],
  'GET /v1/statements/{id}.csv': [inPath('id', 'statementId')],
  'GET /partner/links': [nothing, inQuery('referenceId', 'userReferenceId')],
  'GET /partner/links/{linkId}': [inPath('linkId', 'linkId')],
  'GET /partner/links/{linkId}/activity': [inPath('linkId', 'linkId')],
  'GET /partner/links/{linkId}/id-image': [inPath('linkId', 'linkId')],
  'GET /partner/links/{linkId}/readiness': [inPath('linkId', 'linkId')],
  'GET /partner/users': [nothing, inQuery('referenceId', 'userReferenceId')],
  'GET /partner/operations': [nothing, inQuery('referenceId', 'userReferenceId')],
  'GET /partner/operations/{operationId}': [
    inPath('operationId', 'operationId'),
    inPath('operationId', 'correlationId'),
    inPath('operationId', 'atomicId'),
  ],
  'GET /partner/me': [nothing],
  'GET /partner/webhooks/config': [nothing],
};

const moneyRequest = (referenceId: string, userReferenceId: string) =>
  moneyRequestOf({ referenceId, userReferenceId, word });

function v2(change: (...given: Parameters<With>) => object): Variant<RestArguments> {
  return ofOwnUser((id, own, fresh) => {
    const paidTo = { destinationPaymentMethodId: own('accountId') };
    const fields = { ...sum, ...paidTo, requestTo: payer.phoneNumber, correlationId: fresh.word() };
    return { body: { ...fields, ...change(id, own, fresh) } };
  });
}

/** The body for a request for data; `names` has the one of its two ids that is tried. */
function answered(...names: IdName[]): Variant<RestArguments> {
  return {
    with: (id, own) => {
      const [dataRequestId, referenceId] = (['dataRequestId', 'userReferenceId'] as const).map((name) =>
        names.includes(name) ? id(name) : own(name),
      );
      const body = { referenceId, userData: { dob: '1990-01-01' } };
      return { path: { dataRequestId: String(dataRequestId) }, body };
    },
  };
}

/** Internal calls name the account of their caller. */
const internalOf = (named: object): Variants<RestArguments> => ({
  'PATCH /v1/internal/remittances/status': [
    inBody('referenceId', 'referenceId', { ...named, status: 'completed' }),
    {
      with: (id, _own, fresh) => {
        const update = { ...named, referenceId: fresh.moneyRequest(), status: 'processing' };
        return { body: { ...update, operationId: id('operationId') } };
      },
    },
  ],
  'PATCH /v1/internal/operations/{operationId}/status': [
    inPath('operationId', 'correlationId', { body: { ...named, status: 'Funding' } }),
    inPath('operationId', 'atomicId', { body: { ...named, status: 'Funding' } }),
  ],
  'POST /v1/internal/data-requests': [inBody('linkId', 'linkId', { ...named, fields: ['dob'] })],
});

const DOCUMENT_1: Variants<RestArguments> = {
  'POST /v1/user/operations/request-money-v2/{userToken}': [
    {
      with: (id, own, fresh) => ({
        ...v2(() => ({})).with(id, own, fresh),
        path: { userToken: id('userId') },
      }),
    },
    v2((id) => ({ destinationPaymentMethodId: id('accountId') })),
    v2((id) => ({ destinationPaymentMethodId: id('cardId') })),
    v2((id) => ({ requestTo: id('contactEmail') })),
    v2((id) => ({ requestTo: id('phoneNumber') })),
    v2((id) => ({ correlationId: id('correlationId') })),
    v2((id) => ({ quoteId: id('quoteOfRestV2') })),
  ],
  'POST /v1/user/operations/request-money-full': [
    { with: (id) => ({ body: full({ request: { correlationId: id('atomicId') } }) }) },
    {
      with: (id, _own, fresh) => {
        const request = { correlationId: fresh.word(), quoteId: id('quoteOfRestAtomic') };
        return { body: full({ request }) };
      },
    },
    {
      with: (id, _own, fresh) => {
        const requester = { phoneNumber: fresh.phone(), email: id('atomicEmail') };
        return { body: full({ requester, request: { correlationId: fresh.word() } }) };
      },
    },
    {
      with: (id, _own, fresh) => {
        const requester = { phoneNumber: id('atomicPhone') };
        const requestTo = { phoneNumber: id('contactPhone'), email: id('contactEmail') };
        const destinationPaymentMethod = { ...ubn, type: 'UBN', number: id('account') };
        const request = { correlationId: fresh.word(), destinationPaymentMethod };
        return { body: full({ requester, requestTo, request }) };
      },
      is: 'free',
    },
  ],
  'POST /v1/user/payment-methods/card/{userToken}': [inPath('userToken', 'userId', { body: card })],
  'POST /v1/user/payment-methods/ubn/{userToken}': [
    inPath('userToken', 'userId', { body: ubn }),
    ofOwnUser((id) => ({ body: { ...ubn, number: id('account') } }), 'free'),
  ],
  'POST /v1/user/contacts/{userToken}': [
    inPath('userToken', 'userId', { body: contact }),
    ofOwnUser((id) => ({ body: { ...contact, phoneNumber: id('contactPhone') } }), 'free'),
    ofOwnUser((id) => ({ body: { ...contact, email: id('contactEmail') } }), 'free'),
  ],
  'POST /v1/user/register-v2': [
    { with: (id) => ({ body: { ...personOf(word), phoneNumber: id('phoneNumber') } }) },
    {
      with: (id, _own, fresh) => ({
        body: { ...personOf(word), phoneNumber: fresh.phone(), email: id('email') },
      }),
    },
  ],
};

const DOCUMENT_2: Variants<RestArguments> = {
  'POST /v1/request-money/{referenceId}/cancel': [
    inPath('referenceId', 'referenceId'),
    inPath('referenceId', 'referenceId', { body: { reason: 'Seen' } }),
  ],
  'POST /v1/request-money': [
    { with: (id) => ({ body: moneyRequest(id('referenceId'), 'u-own') }) },
    {
      with: (id, _own, fresh) => {
        const headers = { 'Idempotency-Key': id('idempotencyKey') };
        return { headers, body: moneyRequest(fresh.word(), 'u-own') };
      },
    },
    { with: (id, _own, fresh) => ({ body: moneyRequest(fresh.word(), id('userReferenceId')) }), is: 'free' },
    {
      with: (id, _own, fresh) => ({
        body: { ...moneyRequest(fresh.word(), 'u-own'), quoteId: id('quoteOfRestMoneyRequest') },
      }),
    },
  ],
  'POST /v1/quotes': [{ with: () => ({ body: { destinationCountry: 'MX', amount: 20, currency: 'MXN' } }) }],
};

const DOCUMENT_3: Variants<RestArguments> = {
  'POST /partner/cip/tickets': [inBody('linkId', 'linkId')],
  'PUT /partner/data-requests/{dataRequestId}': [
    answered('userReferenceId'),
    answered('dataRequestId'),
    answered('dataRequestId', 'userReferenceId'),
  ],
  'POST /partner/links': [{ ...inBody('referenceId', 'userReferenceId', { flow: 'transfer' }), is: 'free' }],
  'POST /partner/links/{linkId}/revoke': [inPath('linkId', 'linkId')],
  'POST /partner/users/{userId}/block': [
    inPath('userId', 'userId', { body: { reason: 'Seen' } }),
    inPath('userId', 'linkUserId'),
  ],
  'POST /partner/users/{userId}/unblock': [inPath('userId', 'userId'), inPath('userId', 'linkUserId')],
  'POST /partner/webhooks/config/regenerate-secret': [nothing],
  'POST /partner/pre-quote-lite': [
    {
      with: () => {
        const corridor = { sourceCountry: 'US', destinationCountry: 'MX', destinationCurrency: 'MXN' };
        return { body: { ...corridor, payoutMethod: 'cash', amount: 100 } };
      },
    },
  ],
};

/**
 * How documented calls are driven that change something, in this order: those that make another tenant's id one of the
 * caller's, too, come when nothing else looks for it.
 */
export function restWritesOf(caller: AccountId): Variants<RestArguments> {
  const { tenantId: partnerId, environment } = partsOf(caller);
  return {
    ...internalOf({ partnerId, environment }),
    ...REST_SIMULATIONS,
    ...DOCUMENT_3,
    ...DOCUMENT_1,
    ...DOCUMENT_2,
  };
}

/** Calls of these tables that no description has. */
export const UNDESCRIBED = ['GET /partner/links/{linkId}/id-image'];

/** The platform's own back end makes them with an id alone: they are no tenant's (decisions, section 4, "Internal"). */
export const OF_NO_TENANT = [
  'POST /v1/internal/links/{linkId}/open',
  'PATCH /v1/internal/users/{userId}/cip',
];
