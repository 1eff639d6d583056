import type { DataOf, DocumentName } from '../shared/call.ts';

/** A page of a list of the graph. */
export interface ListPage {
  readonly edges: readonly { readonly cursor: string; readonly node: object }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
}

/** Formats of files. JSON lines have the node of each row as the graph gives it. */
export type ExportFormat = 'csv' | 'jsonl';

/** The kind of a parameter: single or repeatable, and the type of its values. */
export type FilterKind = 'text' | 'texts' | 'boolean';

/** A list that can be exported. */
export interface ExportedList<Name extends DocumentName = DocumentName> {
  /** Name in the path and of the file. */
  readonly name: string;
  /** The document of `schema/operations` that reads a page. `npm run schema` writes it from this declaration. */
  readonly document: Name;
  /** The field of the list, and the type of its `where`; a dot leads into an object. */
  readonly field: string;
  readonly where: string;
  pageOf(data: DataOf<Name>): ListPage;
  /** The scope that its field in the graph needs. By default `partner`. */
  readonly scope?: 'platform';
  /** By default CSV alone. */
  readonly formats?: readonly ExportFormat[];
  /** Query parameters: the filters of the list's `where`; a dot leads into an input object. */
  readonly filters: Readonly<Record<string, FilterKind>>;
  /** Fields of the rows by the names of their columns, in order; a dot leads into an object. A last column `cursor` is added. */
  readonly columns: Readonly<Record<string, string>>;
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

const MONEY_FILTERS = { ...AMOUNT_FILTERS, referenceId: 'text', failureCause: 'texts' } as const;

const OPERATIONS: ExportedList<'exportOperations'> = {
  name: 'operations',
  document: 'exportOperations',
  field: 'operations',
  where: 'OperationWhereInput',
  pageOf: ({ operations }) => operations,
  filters: { ...MONEY_FILTERS, contactId: 'text' },
  columns: {
    id: 'id',
    code: 'code',
    status: 'status',
    statusDetails: 'statusDetails',
    recipientAmount: 'recipient.amount',
    recipientCurrency: 'recipient.currency',
    amount: 'amount.amount',
    currency: 'amount.currency',
    exchangeRate: 'exchangeRate',
    tenantFee: 'tenantFee.amount',
    userId: 'user.id',
    referenceId: 'recipientReferenceId',
    contactId: 'contact.id',
    requestMoney: 'requestMoney.referenceId',
    reason: 'reason',
    failureReason: 'failureReason',
    createdAt: 'createdAt',
    updatedAt: 'updatedAt',
    completedAt: 'completedAt',
    failedAt: 'failedAt',
  },
};

const MONEY_REQUESTS: ExportedList<'exportMoneyRequests'> = {
  name: 'money-requests',
  document: 'exportMoneyRequests',
  field: 'requestMonies',
  where: 'RequestMoneyWhereInput',
  pageOf: ({ requestMonies }) => requestMonies,
  filters: { ...MONEY_FILTERS, userReferenceId: 'text' },
  columns: {
    referenceId: 'referenceId',
    requestId: 'requestId',
    status: 'status',
    statusDetails: 'statusDetails',
    amount: 'amount.amount',
    currency: 'amount.currency',
    sourceCountry: 'resolved.sourceCountry',
    destinationCountry: 'resolved.destinationCountry',
    sourceCurrency: 'resolved.sourceCurrency',
    destinationCurrency: 'resolved.destinationCurrency',
    payoutType: 'resolved.payoutType',
    payerCode: 'resolved.payerCode',
    userReferenceId: 'userReferenceId',
    userId: 'user.id',
    operationId: 'operation.id',
    landingLink: 'landingLink',
    createdAt: 'createdAt',
    updatedAt: 'updatedAt',
    expiresAt: 'expiresAt',
  },
};

const REMITTANCES: ExportedList<'exportRemittances'> = {
  name: 'remittances',
  document: 'exportRemittances',
  field: 'remittances',
  where: 'RemittanceWhereInput',
  pageOf: ({ remittances }) => remittances,
  filters: { ...AMOUNT_FILTERS, isStuck: 'boolean' },
  columns: {
    correlationId: 'correlationId',
    status: 'status',
    phase: 'phase',
    recipientAmount: 'recipient.amount',
    recipientCurrency: 'recipient.currency',
    amount: 'amount.amount',
    currency: 'amount.currency',
    attempts: 'attempts',
    errorCode: 'lastError.code',
    errorMessage: 'lastError.message',
    nextAttemptAt: 'nextAttemptAt',
    userId: 'user.id',
    operationId: 'operation.id',
    createdAt: 'createdAt',
    updatedAt: 'updatedAt',
  },
};

const WEBHOOKS: ExportedList<'exportWebhooks'> = {
  name: 'webhooks',
  document: 'exportWebhooks',
  field: 'webhookDeliveries',
  where: 'WebhookDeliveryWhereInput',
  pageOf: ({ webhookDeliveries }) => webhookDeliveries,
  filters: { status: 'texts', event: 'text', endpointId: 'text', ...TIME_FILTERS },
  columns: {
    id: 'id',
    event: 'event',
    status: 'status',
    attempts: 'attempt',
    lastStatusCode: 'lastStatusCode',
    lastError: 'lastError',
    url: 'url',
    createdAt: 'createdAt',
    nextAttemptAt: 'nextAttemptAt',
    finishedAt: 'finishedAt',
  },
};

const LINKS: ExportedList<'exportLinks'> = {
  name: 'links',
  document: 'exportLinks',
  field: 'links',
  where: 'LinkWhereInput',
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
    id: 'id',
    flow: 'flow',
    status: 'status',
    referenceId: 'referenceId',
    operationId: 'operation.id',
    createdAt: 'createdAt',
    openedAt: 'openedAt',
    revokedAt: 'revokedAt',
    expiresAt: 'expiresAt',
  },
};

/**
 * Without contact data, like the console's list: a file is passed on, and no record would show whose data it reveals.
 */
const USERS: ExportedList<'exportUsers'> = {
  name: 'users',
  document: 'exportUsers',
  field: 'users',
  where: 'UserWhereInput',
  pageOf: ({ users }) => users,
  // Not by phone number or email, because URLs are logged.
  filters: { cipStatus: 'texts', blocked: 'boolean', referenceId: 'text', ...TIME_FILTERS },
  columns: {
    id: 'id',
    referenceId: 'referenceId',
    firstName: 'firstName',
    secondName: 'secondName',
    lastName: 'lastName',
    secondLastName: 'secondLastName',
    country: 'country',
    cipStatus: 'cipStatus',
    cipProvider: 'cipProvider',
    cipVerifiedAt: 'cipVerifiedAt',
    blocked: 'blocked',
    blockedAt: 'blockedAt',
    blockedReason: 'blockedReason',
    createdAt: 'createdAt',
  },
};

/** The log of operators' acts, for sessions of the platform alone. */
const OPERATOR_LOG: ExportedList<'exportOperatorLog'> = {
  name: 'operator-log',
  document: 'exportOperatorLog',
  formats: ['csv', 'jsonl'],
  scope: 'platform',
  field: 'platform.operatorLog',
  where: 'OperatorLogWhereInput',
  pageOf: ({ platform }) => platform.operatorLog,
  filters: { tenantId: 'text', act: 'text', ...TIME_FILTERS },
  columns: {
    id: 'id',
    createdAt: 'createdAt',
    source: 'source',
    actor: 'actor',
    sessionId: 'sessionId',
    host: 'host',
    act: 'act',
    tenantId: 'tenantId',
    environment: 'environment',
    subject: 'subject',
    reason: 'reason',
    before: 'before',
    after: 'after',
  },
};

/** All lists. */
export const LISTS: readonly ExportedList[] = [
  OPERATIONS,
  MONEY_REQUESTS,
  REMITTANCES,
  WEBHOOKS,
  LINKS,
  USERS,
  OPERATOR_LOG,
];
