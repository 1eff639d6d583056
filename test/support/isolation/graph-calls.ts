import {
  by,
  counted,
  type GraphVariant,
  input,
  nothing,
  pages,
  searched,
  spanned,
  spannedTotals,
  totals,
  variant,
  type With,
  where,
} from './graph-variants.ts';
import { type IdName, nodeIdOf } from './ids.ts';
import { SIMULATIONS } from './simulations.ts';
import { personOf } from './tenant-data.ts';
import type { GraphArguments, Variants } from './variant.ts';

/** Without their places in the chain, which they get within seconds. */
const ENTRIES = 'nodes { id kind operationId operationVersion createdAt lines { account currency amount } }';
const LOGGED = 'nodes { surface path operation outcome code }';

/** The types that `node` finds, and the id by which each is known here. */
export const NODES: Readonly<Record<string, IdName>> = {
  Link: 'linkId',
  User: 'userId',
  Operation: 'operationId',
  RequestMoney: 'referenceId',
  Remittance: 'atomicId',
  Reservation: 'correlationId',
  Contact: 'contactId',
  PaymentMethod: 'accountId',
  WebhookDelivery: 'deliveryId',
};

/** How each field of `Query` is driven. */
export const QUERIES: Variants<GraphArguments> = {
  link: [by('id', 'linkId')],
  links: [...pages('links'), where('referenceId', 'userReferenceId'), where('userId', 'linkUserId')],
  figures: [counted('OPERATION'), counted('REQUEST_MONEY')],
  latestEventCursor: [nothing],
  me: [nothing],
  sandbox: [nothing],
  // For operators alone: no partner gets any of it.
  platform: [nothing],
  operationalEventsConfig: [nothing],
  webhookConfig: [nothing],
  webhookDelivery: [by('id', 'deliveryId')],
  webhookDeliveries: [...pages('webhookDeliveries'), spanned('endpointId', 'endpointId')],
  webhookReplay: [by('id', 'replayId')],
  webhookReplays: [nothing],
  approvals: [nothing],
  // Prefixes of the tests' keys begin alike, and when a key was last used changes with each call.
  consoleSessions: [variant(() => ({}), undefined, 'id label access createdAt isCurrent')],
  apiKeys: [variant(() => ({ includeEnded: true }), undefined, 'id scopes label createdAt')],
  journal: [...pages('journal', ENTRIES), where('operationId', 'operationId', ENTRIES)],
  discrepancies: [...pages('discrepancies'), where('reference', 'operationId')],
  ledgerBalances: [variant(() => ({}), undefined, '__typename')],
  statement: [by('id', 'statementId')],
  statements: pages('statements'),
  node: Object.entries(NODES).map(([type, name]) =>
    variant((id) => ({ id: nodeIdOf(type, id(name)) }), undefined, type),
  ),
  operation: [by('id', 'operationId'), by('id', 'correlationId'), by('id', 'atomicId')],
  operations: [
    ...pages('operations'),
    where('referenceId', 'userReferenceId'),
    where('userId', 'userId'),
    spanned('contactId', 'contactId'),
  ],
  operationTotals: [
    totals(),
    totals('referenceId', 'userReferenceId'),
    totals('userId', 'userId'),
    spannedTotals('contactId', 'contactId'),
  ],
  reservation: [by('correlationId', 'correlationId')],
  reservations: pages('reservations'),
  remittance: [by('correlationId', 'atomicId'), by('correlationId', 'failedId')],
  remittances: [...pages('remittances'), spanned('userId', 'atomicUserId')],
  requestMoney: [by('referenceId', 'referenceId')],
  requestMonies: [
    ...pages('requestMonies'),
    where('referenceId', 'referenceId'),
    where('userReferenceId', 'userReferenceId'),
    spanned('userId', 'linkUserId'),
  ],
  requestMoneyTotals: [
    totals(),
    totals('referenceId', 'referenceId'),
    totals('userReferenceId', 'userReferenceId'),
    spannedTotals('userId', 'linkUserId'),
  ],
  // A log shows its owner the ids that it has asked for, another's too: they are left out here. Its cursors are like those of links.
  requestLog: [
    ...pages('links', LOGGED),
    variant((id) => ({ where: { requestId: id('callId') } }), undefined, LOGGED),
    variant((id) => ({ where: { subject: id('referenceId'), outcome: ['SUCCESS'] } }), undefined, LOGGED),
  ],
  failedCalls: [by('reference', 'refusedId')],
  search: (
    [
      ...([
        'operationId',
        'correlationId',
        'atomicId',
        'failedId',
        'referenceId',
        'userReferenceId',
      ] as const),
      ...(['requestId', 'idempotencyKey', 'callId', 'deliveryId', 'contactId', 'cardId'] as const),
      ...(['userId', 'atomicUserId', 'phoneNumber', 'atomicPhone', 'email', 'linkId'] as const),
    ] as const
  ).map(searched),
  user: [by('id', 'userId'), by('id', 'atomicUserId'), by('id', 'linkUserId')],
  users: [
    ...pages('users'),
    where('referenceId', 'userReferenceId'),
    where('phoneNumber', 'phoneNumber'),
    where('email', 'email'),
  ],
};

const word = () => 'Anybody';
const ERRORS = 'userErrors { code message path }';
const sum = { recipientAmount: '12.5', recipientCurrency: 'MXN' };
const payer = { phoneNumber: '+14155610011', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
const cash = { type: 'CASH_PICKUP', country: 'MX', currency: 'MXN' };
const ubn = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
const card = {
  ...{ type: 'DEBIT_CARD', number: '4111111111111111', nameOnCard: 'Ana Ruiz', expirationDate: '1249' },
  ...{ country: 'MX', currency: 'MXN' },
};

const v2 = (change: With): GraphVariant =>
  input((id, own, fresh) => ({
    ...{ userId: own('userId'), destinationPaymentMethodId: own('accountId'), ...sum },
    ...{ requestTo: payer.phoneNumber, correlationId: fresh.word() },
    ...change(id, own, fresh),
  }));

/** The worker carries a new remittance on at once: only what stays is selected. */
const full = (change: (...given: Parameters<With>) => Record<'requester' | 'request', object>, is?: 'free') =>
  input(
    (id, own, fresh) => {
      const { requester, request } = change(id, own, fresh);
      const fields = {
        ...sum,
        destinationPaymentMethod: cash,
        correlationId: fresh.word(),
        requestTo: payer,
      };
      return {
        requester: { ...personOf(word), phoneNumber: '+14155610013', ...requester },
        request: { ...fields, ...request },
      };
    },
    is,
    `remittance { correlationId attributionLink user { id } } ${ERRORS}`,
  );

const moneyRequest = (referenceId: string, userReferenceId: string) => ({
  ...{ referenceId, amount: '20', currency: 'MXN' },
  requestData: {
    ...{ userReferenceId, name: { firstName: 'Ana', lastName: 'Ruiz' } },
    ...{ address: { country: 'MX', state: 'CDMX' }, payoutMethod: 'CASH', cash: { provider: 'OXXO' } },
  },
});

/** How the fields of `Mutation` are driven that give or ask for money, in this order. */
const MONEY: Variants<GraphArguments> = {
  requestMoneyV2: [
    v2((id) => ({ userId: id('userId') })),
    v2((id) => ({ destinationPaymentMethodId: id('accountId') })),
    v2((id) => ({ requestTo: id('contactEmail') })),
    v2((id) => ({ requestTo: id('phoneNumber') })),
    v2((id) => ({ correlationId: id('correlationId') })),
    v2((id) => ({ quoteId: id('quoteOfV2') })),
  ],
  requestMoneyFull: [
    full((id) => ({ requester: {}, request: { correlationId: id('atomicId') } })),
    full((id) => ({ requester: {}, request: { quoteId: id('quoteOfAtomic') } })),
    full((id, _own, fresh) => ({
      requester: { phoneNumber: fresh.phone(), email: id('atomicEmail') },
      request: {},
    })),
    full((id) => {
      const requestTo = { ...payer, phoneNumber: id('contactPhone'), email: id('contactEmail') };
      return { requester: { phoneNumber: id('atomicPhone') }, request: { requestTo } };
    }, 'free'),
  ],
  cancelRequestMoney: [input((id) => ({ referenceId: id('referenceId'), reason: 'Seen' }))],
  createRequestMoney: [
    input((id) => moneyRequest(id('referenceId'), 'u-own')),
    variant((id, _own, fresh) => ({
      idempotencyKey: id('idempotencyKey'),
      input: moneyRequest(fresh.word(), 'u-own'),
    })),
    input((id, _own, fresh) => moneyRequest(fresh.word(), id('userReferenceId')), 'free'),
    input((id, _own, fresh) => ({
      ...moneyRequest(fresh.word(), 'u-own'),
      quoteId: id('quoteOfMoneyRequest'),
    })),
  ],
  createQuote: [input(() => ({ destinationCountry: 'MX', amount: '20', currency: 'MXN' }))],
};

const USERS: Variants<GraphArguments> = {
  addCard: [input((id) => ({ userId: id('userId'), ...card }))],
  addUbn: [
    input((id) => ({ userId: id('userId'), ...ubn })),
    input((id, own) => ({ userId: own('userId'), ...ubn, number: id('account') }), 'free'),
  ],
  createContact: [
    input((id) => ({ userId: id('userId'), ...payer })),
    input((id, own) => ({ userId: own('userId'), ...payer, phoneNumber: id('contactPhone') }), 'free'),
    input((id, own) => ({ userId: own('userId'), ...payer, email: id('contactEmail') }), 'free'),
  ],
  registerUser: [
    input((id) => ({ ...personOf(word), phoneNumber: id('phoneNumber') })),
    input((id, _own, fresh) => ({ ...personOf(word), phoneNumber: fresh.phone(), email: id('email') })),
  ],
  retryRemittance: [input((id) => ({ id: id('remittanceId') }), 'operators')],
  failRemittance: [input((id) => ({ id: id('remittanceId'), reason: 'Seen' }), 'operators')],
  blockUser: [input((id) => ({ userId: id('linkUserId'), reason: 'Seen' }))],
  unblockUser: [input((id) => ({ userId: id('linkUserId') }))],
  // Its own has links that work: it is not erased.
  eraseUser: [input((id) => ({ id: id('linkUserId'), reason: 'Asked for it' }))],
};

const DELIVERY = `webhookDelivery { id event url body } ${ERRORS}`;

const LINKS: Variants<GraphArguments> = {
  createCipTicket: [input((id) => ({ linkId: id('linkId') }))],
  fulfilDataRequest: [
    input((id) => ({
      ...{ dataRequestId: id('dataRequestId'), referenceId: id('userReferenceId') },
      userData: { dob: '1990-01-01' },
    })),
  ],
  createLink: [input((id) => ({ flow: 'TRANSFER', referenceId: id('userReferenceId') }), 'free')],
  revokeLink: [input((id) => ({ linkId: id('linkId') }))],
  preQuoteLite: [
    input(() => ({
      ...{ sourceCountry: 'US', destinationCountry: 'MX', destinationCurrency: 'MXN' },
      ...{ payoutMethod: 'CASH', amount: '100' },
    })),
  ],
  replayWebhookDelivery: [input((id) => ({ id: id('deliveryId') }), undefined, DELIVERY)],
  sendWebhookDeliveryNow: [input((id) => ({ id: id('deliveryId') }), undefined, DELIVERY)],
  sendTestWebhook: [
    input(() => ({}), undefined, DELIVERY),
    input((id) => ({ endpointId: id('endpointId') }), undefined, DELIVERY),
  ],
  createWebhookEndpoint: [
    input((_id, _own, fresh) => ({ url: `https://${fresh.word()}.test/`, events: [] }), 'free'),
  ],
  updateWebhookEndpoint: [input((id) => ({ id: id('endpointId'), events: ['operation_error'] }))],
  rotateWebhookSecret: [input((id) => ({ endpointId: id('endpointId') }))],
  replayWebhookDeliveries: [
    input((id) => ({ endpointId: id('endpointId'), dryRun: true })),
    input((id) => ({ endpointId: id('endpointId'), toCurrentUrl: true, dryRun: true })),
    input(() => ({ event: 'none' })),
  ],
  // These partners ask for no approvals, so no id is one: `four-eyes-requests.test.ts` has requests of others.
  approve: [input((id) => ({ id: id('replayId') }), 'free')],
  rejectApproval: [input((id) => ({ id: id('replayId') }), 'free')],
  stopWebhookReplay: [input((id) => ({ id: id('replayId') }))],
  resolveDiscrepancy: [input((id) => ({ id: id('discrepancyId'), version: 0, state: 'ACCEPTED' }))],
  pauseWebhookEndpoint: [input((id) => ({ id: id('endpointId') }))],
  resumeWebhookEndpoint: [input((id) => ({ id: id('endpointId') }))],
  deleteWebhookEndpoint: [input((id) => ({ id: id('endpointId') }))],
  createBrowserToken: [
    input(() => ({ expiresInMinutes: 1 }), undefined, `browserToken { scopes } ${ERRORS}`),
  ],
  createConsoleLink: [input(() => ({}), undefined, `consoleSession { access } ${ERRORS}`)],
  revokeConsoleSession: [
    input((id) => ({ id: id('consoleSessionId') }), undefined, `consoleSession { id } ${ERRORS}`),
  ],
  createApiKey: [
    input(() => ({ scopes: ['partner'] }), undefined, `apiKey { scopes environment } ${ERRORS}`),
  ],
  rotateApiKey: [
    input((id) => ({ id: id('apiKeyId') }), undefined, `apiKey { scopes } formerApiKey { id } ${ERRORS}`),
  ],
  revokeApiKey: [input((id) => ({ id: id('apiKeyId') }), undefined, `apiKey { id } ${ERRORS}`)],
  revokeBrowserToken: [input((id) => ({ id: id('browserTokenId') }))],
  updateOperationalEventsConfig: [input(() => ({}))],
  updateWebhookConfig: [input(() => ({}))],
  regenerateWebhookSecret: [nothing],
  // 0 is rejected: the clock stays.
  advanceSandboxClock: [input(() => ({ seconds: 0 }))],
  resetSandbox: [{ ...nothing, is: 'emptying' }],
};

/** How each field of `Mutation` is driven; what {@link restWritesOf} says of the order holds here, too. */
export const MUTATIONS: Variants<GraphArguments> = { ...SIMULATIONS, ...MONEY, ...LINKS, ...USERS };

/** A subscription from the caller's cursor, and one from a cursor that is not the caller's. */
const events = (...others: readonly [argument: string, name: IdName][]): GraphVariant[] => [
  ...others.map(([argument, name]) =>
    variant((id, own) => ({ [argument]: id(name), after: own('cursor:events') })),
  ),
  by('after', 'cursor:events'),
];

/** How each field of `Subscription` is driven. */
export const SUBSCRIPTIONS: Variants<GraphArguments> = {
  linkActivityAdded: events(['linkId', 'linkId']),
  webhookDeliveryChanged: events(),
  operationStatusChanged: events(
    ['operationId', 'operationId'],
    ['operationId', 'correlationId'],
    ['userId', 'userId'],
    ['userId', 'linkUserId'],
  ),
  requestMoneyStatusChanged: events(['referenceId', 'referenceId']),
  remittanceChanged: events(['correlationId', 'atomicId'], ['correlationId', 'failedId']),
};
