import type { DataOf, DocumentName } from '../shared/call.ts';

type Cell = string | null | undefined;

/** A page of a list of the graph. */
export interface ListPage<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
}

/** Formats of files. JSON lines have the node of each row as the graph gives it. */
export type ExportFormat = 'csv' | 'jsonl';

/** The kind of a parameter: single or repeatable, and the type of its values. */
export type FilterKind = 'text' | 'texts' | 'boolean';

/** A list that can be exported. */
export interface ExportedList<Name extends DocumentName = DocumentName, Node = unknown> {
  /** Name in the path and of the file. */
  readonly name: string;
  /** The document of `schema/operations` that reads a page. */
  readonly document: Name;
  pageOf(data: DataOf<Name>): ListPage<Node>;
  /** By default CSV alone. */
  readonly formats?: readonly ExportFormat[];
  /** Query parameters: the filters of the list's `where`; a dot leads into an input object. */
  readonly filters: Readonly<Record<string, FilterKind>>;
  /** Columns by name, in order; a last column `cursor` is added. */
  readonly columns: Readonly<Record<string, (node: Node) => Cell>>;
}

const TIME_FILTERS = { 'createdAt.gte': 'text', 'createdAt.lt': 'text' } as const;

const AMOUNT_FILTERS = {
  status: 'texts',
  ...TIME_FILTERS,
  'amount.gte': 'text',
  'amount.lte': 'text',
  currency: 'text',
  sourceCountry: 'text',
  destinationCountry: 'text',
  userId: 'text',
} as const;

const MONEY_FILTERS = { ...AMOUNT_FILTERS, referenceId: 'text' } as const;

type Operation = DataOf<'exportOperations'>['operations']['edges'][number]['node'];
type MoneyRequest = DataOf<'exportMoneyRequests'>['requestMonies']['edges'][number]['node'];
type Remittance = DataOf<'exportRemittances'>['remittances']['edges'][number]['node'];
type Webhook = DataOf<'exportWebhooks'>['webhookDeliveries']['edges'][number]['node'];
type Link = DataOf<'exportLinks'>['links']['edges'][number]['node'];
type User = DataOf<'exportUsers'>['users']['edges'][number]['node'];
type OperatorLogEntry = DataOf<'exportOperatorLog'>['platform']['operatorLog']['edges'][number]['node'];

export const OPERATIONS: ExportedList<'exportOperations', Operation> = {
  name: 'operations',
  document: 'exportOperations',
  pageOf: ({ operations }) => operations,
  filters: { ...MONEY_FILTERS, contactId: 'text' },
  columns: {
    id: ({ id }) => id,
    code: ({ code }) => code,
    status: ({ status }) => status,
    statusDetails: ({ statusDetails }) => statusDetails,
    recipientAmount: ({ recipient }) => recipient.amount,
    recipientCurrency: ({ recipient }) => recipient.currency,
    amount: ({ amount }) => amount?.amount,
    currency: ({ amount }) => amount?.currency,
    exchangeRate: ({ exchangeRate }) => exchangeRate,
    tenantFee: ({ tenantFee }) => tenantFee?.amount,
    userId: ({ user }) => user?.id,
    referenceId: ({ recipientReferenceId }) => recipientReferenceId,
    contactId: ({ contact }) => contact?.id,
    requestMoney: ({ requestMoney }) => requestMoney?.referenceId,
    reason: ({ reason }) => reason,
    failureReason: ({ failureReason }) => failureReason,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
    completedAt: ({ completedAt }) => completedAt,
    failedAt: ({ failedAt }) => failedAt,
  },
};

export const MONEY_REQUESTS: ExportedList<'exportMoneyRequests', MoneyRequest> = {
  name: 'money-requests',
  document: 'exportMoneyRequests',
  pageOf: ({ requestMonies }) => requestMonies,
  filters: { ...MONEY_FILTERS, userReferenceId: 'text' },
  columns: {
    referenceId: ({ referenceId }) => referenceId,
    requestId: ({ requestId }) => requestId,
    status: ({ status }) => status,
    statusDetails: ({ statusDetails }) => statusDetails,
    amount: ({ amount }) => amount.amount,
    currency: ({ amount }) => amount.currency,
    sourceCountry: ({ resolved }) => resolved.sourceCountry,
    destinationCountry: ({ resolved }) => resolved.destinationCountry,
    sourceCurrency: ({ resolved }) => resolved.sourceCurrency,
    destinationCurrency: ({ resolved }) => resolved.destinationCurrency,
    payoutType: ({ resolved }) => resolved.payoutType,
    payerCode: ({ resolved }) => resolved.payerCode,
    userReferenceId: ({ userReferenceId }) => userReferenceId,
    userId: ({ user }) => user?.id,
    operationId: ({ operation }) => operation?.id,
    landingLink: ({ landingLink }) => landingLink,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
    expiresAt: ({ expiresAt }) => expiresAt,
  },
};

export const REMITTANCES: ExportedList<'exportRemittances', Remittance> = {
  name: 'remittances',
  document: 'exportRemittances',
  pageOf: ({ remittances }) => remittances,
  filters: { ...AMOUNT_FILTERS, isStuck: 'boolean' },
  columns: {
    correlationId: ({ correlationId }) => correlationId,
    status: ({ status }) => status,
    phase: ({ phase }) => phase,
    attempts: ({ attempts }) => String(attempts),
    errorCode: ({ lastError }) => lastError?.code,
    errorMessage: ({ lastError }) => lastError?.message,
    nextAttemptAt: ({ nextAttemptAt }) => nextAttemptAt,
    userId: ({ user }) => user.id,
    operationId: ({ operation }) => operation?.id,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
  },
};

export const WEBHOOKS: ExportedList<'exportWebhooks', Webhook> = {
  name: 'webhooks',
  document: 'exportWebhooks',
  pageOf: ({ webhookDeliveries }) => webhookDeliveries,
  filters: { status: 'texts', event: 'text', ...TIME_FILTERS },
  columns: {
    id: ({ id }) => id,
    event: ({ event }) => event,
    status: ({ status }) => status,
    attempts: ({ attempt }) => String(attempt),
    lastStatusCode: ({ lastStatusCode }) => (lastStatusCode === null ? null : String(lastStatusCode)),
    lastError: ({ lastError }) => lastError,
    url: ({ url }) => url,
    createdAt: ({ createdAt }) => createdAt,
    nextAttemptAt: ({ nextAttemptAt }) => nextAttemptAt,
    finishedAt: ({ finishedAt }) => finishedAt,
  },
};

export const LINKS: ExportedList<'exportLinks', Link> = {
  name: 'links',
  document: 'exportLinks',
  pageOf: ({ links }) => links,
  filters: {
    status: 'texts',
    flow: 'texts',
    visibility: 'text',
    referenceId: 'text',
    userId: 'text',
    ...TIME_FILTERS,
  },
  columns: {
    id: ({ id }) => id,
    flow: ({ flow }) => flow,
    status: ({ status }) => status,
    referenceId: ({ referenceId }) => referenceId,
    operationId: ({ operation }) => operation?.id,
    createdAt: ({ createdAt }) => createdAt,
    openedAt: ({ openedAt }) => openedAt,
    revokedAt: ({ revokedAt }) => revokedAt,
    expiresAt: ({ expiresAt }) => expiresAt,
  },
};

/**
 * Without contact data, like the console's list: a file is passed on, and no record would show whose data it reveals.
 */
export const USERS: ExportedList<'exportUsers', User> = {
  name: 'users',
  document: 'exportUsers',
  pageOf: ({ users }) => users,
  // Not by phone number or email, because URLs are logged.
  filters: { cipStatus: 'texts', blocked: 'boolean', referenceId: 'text', ...TIME_FILTERS },
  columns: {
    id: ({ id }) => id,
    referenceId: ({ referenceId }) => referenceId,
    firstName: ({ firstName }) => firstName,
    secondName: ({ secondName }) => secondName,
    lastName: ({ lastName }) => lastName,
    secondLastName: ({ secondLastName }) => secondLastName,
    country: ({ country }) => country,
    cipStatus: ({ cipStatus }) => cipStatus,
    cipProvider: ({ cipProvider }) => cipProvider,
    cipVerifiedAt: ({ cipVerifiedAt }) => cipVerifiedAt,
    blocked: ({ blocked }) => String(blocked),
    blockedAt: ({ blockedAt }) => blockedAt,
    blockedReason: ({ blockedReason }) => blockedReason,
    createdAt: ({ createdAt }) => createdAt,
  },
};

/** The log of operators' acts, for sessions of the platform alone. */
export const OPERATOR_LOG: ExportedList<'exportOperatorLog', OperatorLogEntry> = {
  name: 'operator-log',
  document: 'exportOperatorLog',
  formats: ['csv', 'jsonl'],
  pageOf: ({ platform }) => platform.operatorLog,
  filters: { tenantId: 'text', act: 'text', ...TIME_FILTERS },
  columns: {
    id: ({ id }) => id,
    createdAt: ({ createdAt }) => createdAt,
    source: ({ source }) => source,
    actor: ({ actor }) => actor,
    sessionId: ({ sessionId }) => sessionId,
    host: ({ host }) => host,
    act: ({ act }) => act,
    tenantId: ({ tenantId }) => tenantId,
    environment: ({ environment }) => environment,
    subject: ({ subject }) => subject,
    reason: ({ reason }) => reason,
    before: ({ before }) => (before === null ? null : JSON.stringify(before)),
    after: ({ after }) => (after === null ? null : JSON.stringify(after)),
  },
};
