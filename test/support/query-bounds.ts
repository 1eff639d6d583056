import type { Bound } from './query-planner.ts';

const SPAN = 'a list by other fields names a span of time';
const AHEAD = 'only of a sandbox whose clock is ahead';

/** Collections, and fields of them, that need no index for the rest of a query, each with its reason. */
export const BOUNDS: Readonly<Record<string, readonly Bound[]>> = {
  agendaJobs: [{ by: [], why: 'one document for each job' }],
  apiKeys: [
    { by: ['accountId'], why: 'a tenant has at most 100 keys' },
    { by: ['endsWith'], why: 'few keys and tokens are made by one' },
  ],
  browserTokens: [{ by: [], why: 'live for minutes' }],
  consoleSessions: [
    { by: ['accountId'], why: 'few of a tenant, for hours' },
    { by: ['signInKeys'], why: 'few sessions of a person' },
  ],
  events: [
    { by: ['accountId', 'entity', 'entityId'], why: 'a record has few events' },
    { by: ['pending', 'partition'], why: 'events wait for their number for milliseconds' },
  ],
  fxRates: [{ by: [], why: 'one document for each pair of currencies' }],
  journalEntries: [
    { by: ['accountId', 'entityId'], why: 'an operation has few entries' },
    { by: ['pending', 'accountId'], why: 'entries wait for seconds' },
  ],
  leases: [{ by: [], why: 'a few documents' }],
  linkActivities: [{ by: ['accountId', 'linkId'], why: 'a link has few activities' }],
  links: [
    { by: ['accountId', 'userId'], why: 'a user has few links' },
    { by: ['accountId', 'referenceId'], why: 'a user has few links' },
    { by: ['accountId', 'createdAt'], why: SPAN },
    { by: ['accountId', 'visibility'], only: ['accountId', 'visibility', 'expiresAt'], why: AHEAD },
  ],
  migrations: [{ by: [], why: 'one document for each migration' }],
  moneyRequests: [
    { by: ['accountId', 'userId'], why: 'a requester has few money requests' },
    { by: ['accountId', 'userReferenceId'], why: 'a requester has few money requests' },
    { by: ['accountId', 'createdAt'], why: SPAN },
    { by: ['accountId', 'status'], only: ['accountId', 'status', 'expiresAt'], why: AHEAD },
  ],
  operationHistory: [{ by: ['accountId', 'operationId'], why: 'an operation has few moves' }],
  operationalNotices: [{ by: ['accountId'], why: 'a partner has few in a month' }],
  operations: [
    { by: ['accountId', 'userId'], why: 'a user has few operations' },
    { by: ['accountId', 'recipientReferenceId'], why: 'a recipient has few operations' },
    { by: ['accountId', 'createdAt'], why: SPAN },
  ],
  operatorLog: [{ by: [], why: 'a few entries a day' }],
  processes: [{ by: [], why: 'one document for each process' }],
  remittances: [
    {
      by: ['status', 'accountId'],
      only: ['accountId', 'phaseSince', 'status'],
      why: 'those in progress, of which the stuck ones are counted',
    },
    {
      by: ['status'],
      only: ['isOpen', 'phaseSince', 'status'],
      why: 'those in progress, of which the stuck ones are counted',
    },
    {
      by: ['status'],
      only: ['accountId', 'isOpen', 'phaseSince', 'status'],
      why: 'those in progress, of which the stuck ones are counted',
    },
    { by: ['payerMayHaveBeenAsked', 'withdrawal.status'], why: 'few withdrawals are given up' },
    {
      by: ['accountId'],
      only: ['accountId', 'phaseSince', 'status'],
      why: 'nearly all match: few are stuck',
    },
    { by: ['accountId', 'userId'], why: 'a user has few remittances' },
    { by: ['accountId', 'createdAt'], why: SPAN },
  ],
  requestLog: [
    { by: ['accountId', 'keys'], why: 'few calls name the same id' },
    { by: ['accountId', 'outcome'], why: 'calls of 7 days, of one outcome' },
  ],
  reservations: [
    { by: ['accountId', 'userId'], why: 'a user has few reservations' },
    { by: ['accountId', 'payerMayHaveBeenAsked'], why: 'few calls of a provider have no readable answer' },
    {
      by: ['accountId', 'status'],
      only: ['accountId', 'status', 'payerMayHaveBeenAsked'],
      why: 'nearly all match: few calls of a provider have no readable answer',
    },
  ],
  tenants: [{ by: [], why: 'two documents for each partner, listed by their ids' }],
  webhookAttempts: [{ by: ['deliveryId'], why: 'a delivery has few attempts' }],
  webhookDeliveries: [
    { by: ['accountId', 'status', 'createdAt'], why: SPAN },
    {
      by: ['accountId', 'status'],
      only: ['accountId', 'endpoint', 'status'],
      why: 'the count of what an account holds back, from the index alone',
    },
    {
      by: ['accountId', 'status'],
      only: ['accountId', 'status', 'leaseToken', 'nextAttemptAt'],
      why: 'the clock of a sandbox moves: few of its webhooks wait',
    },
    {
      by: ['accountId', 'status'],
      only: ['accountId', 'status', 'finishedAt'],
      why: 'a sandbox whose clock is ahead: its oldest webhooks, the first that are read, ended first',
    },
  ],
  webhookEndpointStates: [{ by: ['accountId'], why: 'a tenant has few endpoints' }],
};
