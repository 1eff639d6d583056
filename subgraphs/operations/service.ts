import { fail, type Result, succeed } from '../platform/errors/result.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import type { NumberedPage } from '../platform/graphql/numbered-page.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import type { Principal } from '../platform/principal.ts';
import type { OperationsDeps } from './deps.ts';
import type { Listing } from './graphql/listing.ts';
import { createMoveReader } from './store/history.ts';
import type { OperationDocument, OperationHistoryDocument, OperationRecord } from './store/model.ts';
import { revealOperation } from './store/sealed-texts.ts';
import { type OperationPageQuery, pageOperations } from './use-cases/page-operations.ts';
import { findContactByPhone } from './use-cases/payer.ts';
import { type RequestMoneyV2Request, requestMoneyV2 } from './use-cases/request-money-v2.ts';
import { updateStatus } from './use-cases/update-status.ts';

/** The history of document 1 is not paged: it ends here. Connections have the rest. */
const LONGEST_HISTORY = 1_000;

/** Whose history: document 1's userToken, and a phone number of a contact to narrow it down. */
export interface HistoryRequest {
  userId: string;
  destinationPhone?: string | undefined;
}

/** Operations, for API and dashboard. Every read and write is confined to the principal's tenant. */
export interface OperationService {
  /** Those of the operations that the principal's tenant has, by operationId. */
  findByIds(principal: Principal, operationIds: readonly string[]): Promise<Map<string, OperationRecord>>;
  list(principal: Principal, listing: Listing, page: Page): Promise<Connection<OperationRecord>>;
  /** Refusals: those of {@link pageOperations}. */
  page(principal: Principal, query: OperationPageQuery): Promise<Result<NumberedPage<OperationRecord>>>;
  /** The moves of an operation, oldest first. */
  moves(principal: Principal, operationId: string): Promise<OperationHistoryDocument[]>;
  /**
   * A user's newest operations, 1,000 at most, newest first; with a phone number those with that contact alone, none when
   * it is nobody's. Refusals: ERROR_SUBSCRIBER_NOT_FOUND; USER_TENANT_MISMATCH for another tenant's user.
   */
  history(principal: Principal, request: HistoryRequest): Promise<Result<OperationRecord[]>>;
  /** Creates an operation. Refusals: those of {@link requestMoneyV2}. */
  requestMoneyV2(principal: Principal, request: RequestMoneyV2Request): Promise<Result<OperationRecord>>;
  /** Applies a status update of any tenant: for the platform's own back end only. */
  updateStatus(operationId: string, body: unknown): Promise<Result<OperationRecord>>;
}

export function createOperationService(deps: OperationsDeps): OperationService {
  const { operations, history } = deps.models;
  const readMoves = createMoveReader(history);
  const reveal = (operation: OperationDocument) => revealOperation(deps.box, operation);
  const revealed = (result: Result<OperationDocument>) =>
    result.ok ? succeed(reveal(result.value)) : result;
  return {
    findByIds: async ({ tenantId }, operationIds) => {
      const found = await operations.find({ tenantId, operationId: { $in: operationIds } }).lean();
      return new Map(found.map((operation) => [operation.operationId, reveal(operation)]));
    },
    list: ({ tenantId }, { filter, order }, page) =>
      paginate(operations, { ...filter, tenantId }, page, reveal, order),
    page: (principal, query) => pageOperations(deps, principal, query),
    moves: ({ tenantId }, operationId) => readMoves(tenantId, operationId),
    history: (principal, request) => readHistory(deps, principal, request),
    requestMoneyV2: async (principal, request) => revealed(await requestMoneyV2(deps, principal, request)),
    updateStatus: async (operationId, body) => revealed(await updateStatus(deps, operationId, body)),
  };
}

async function readHistory(
  deps: OperationsDeps,
  { tenantId }: Principal,
  { userId, destinationPhone }: HistoryRequest,
): Promise<Result<OperationRecord[]>> {
  const { users, tenants } = deps;
  const whose = await users.locate(tenantId, userId);
  if (whose !== 'own') {
    return fail(whose === 'foreign' ? 'USER_TENANT_MISMATCH' : 'ERROR_SUBSCRIBER_NOT_FOUND');
  }
  const filter = { tenantId, userId };
  if (destinationPhone === undefined) {
    return succeed(await newest(deps, filter));
  }
  const tenant = await tenants.find(tenantId);
  const contact = tenant && (await findContactByPhone(users, tenant, filter, destinationPhone));
  return succeed(contact ? await newest(deps, { ...filter, contactId: contact.contactId }) : []);
}

async function newest(
  { models, box }: OperationsDeps,
  filter: { tenantId: string; userId: string; contactId?: string },
): Promise<OperationRecord[]> {
  const found = await models.operations
    .find(filter)
    .sort({ createdAt: -1, _id: -1 })
    .limit(LONGEST_HISTORY)
    .lean();
  return found.map((operation) => revealOperation(box, operation));
}
