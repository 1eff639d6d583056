import type { DataOf, DocumentName } from '../shared/call.ts';

type Cell = string | null | undefined;

/** A page of a list of the graph. */
export interface ListPage<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
}

/** A list that can be exported. */
export interface ExportedList<Name extends DocumentName = DocumentName, Node = unknown> {
  /** Name in the path and of the file. */
  readonly name: string;
  /** The document of `schema/operations` that reads a page. */
  readonly document: Name;
  pageOf(data: DataOf<Name>): ListPage<Node>;
  /** Query parameters: the filters of the list's `where`; a dot leads into an input object. `status` may come several times. */
  readonly filters: readonly string[];
  /** Columns by name, in order; a last column `cursor` is added. */
  readonly columns: Readonly<Record<string, (node: Node) => Cell>>;
}

const MONEY_FILTERS = [
  ...['status', 'createdAt.gte', 'createdAt.lt', 'amount.gte', 'amount.lte'],
  ...['currency', 'sourceCountry', 'destinationCountry', 'userId', 'referenceId'],
];

type Operation = DataOf<'exportOperations'>['operations']['edges'][number]['node'];
type MoneyRequest = DataOf<'exportMoneyRequests'>['requestMonies']['edges'][number]['node'];

export const OPERATIONS: ExportedList<'exportOperations', Operation> = {
  name: 'operations',
  document: 'exportOperations',
  pageOf: ({ operations }) => operations,
  filters: [...MONEY_FILTERS, 'contactId'],
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
  filters: [...MONEY_FILTERS, 'userReferenceId'],
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
