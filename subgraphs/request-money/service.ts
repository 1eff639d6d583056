import type { Connection } from '../graph/connection.ts';
import type { Page } from '../graph/paginate.ts';
import type { Total, TotalsDivision } from '../kernel/database/totals.ts';
import { andThen, fail, type Result, succeed } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';
import { nameOf } from '../partners/tenants/find-meant.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { readCancel } from './commands/cancel-request-money.ts';
import type { ReadCreate } from './commands/read-create-request-money.ts';
import { type ReadStatusUpdate, readSimulatedUpdate } from './commands/update-status.ts';
import type { RequestMoneyDeps } from './deps.ts';
import type { MoneyRequest } from './store/model.ts';
import type { MoneyRequestListing } from './store/money-request-repository.ts';
import { cancelMoneyRequest } from './use-cases/cancel-money-request.ts';
import { type CreatedMoneyRequest, createMoneyRequest } from './use-cases/create-request-money.ts';
import { updateStatus } from './use-cases/update-status.ts';

/** The feature that a partner needs for the calls of document 2. */
export const REQUEST_MONEY_FEATURE = 'request-money';

/** The request-money capability (document 2). Every read and write is limited to the principal's tenant. */
export interface RequestMoneyService {
  /** Creates a money request. Failures: API_FEATURE_NOT_ENABLED, then those of {@link createMoneyRequest}. */
  create(principal: Principal, create: ReadCreate): Promise<Result<CreatedMoneyRequest>>;
  /** The money request with this reference; undefined when there is none. Failure: API_FEATURE_NOT_ENABLED. */
  find(principal: Principal, referenceId: string): Promise<Result<MoneyRequest | undefined>>;
  /**
   * Cancels a money request of the partner.
   * @param body the JSON value of the body
   * Failures: API_FEATURE_NOT_ENABLED; VALIDATION_FAILED; then those of {@link cancelMoneyRequest}
   */
  cancel(principal: Principal, referenceId: string, body: unknown): Promise<Result<MoneyRequest>>;
  list(
    principal: Principal,
    listing: MoneyRequestListing,
    page: Page,
  ): Promise<Result<Connection<MoneyRequest>>>;
  /** Totals of a list; undefined for more than can be shown. Failure: API_FEATURE_NOT_ENABLED. */
  totals(
    principal: Principal,
    listing: MoneyRequestListing,
    division: TotalsDivision,
  ): Promise<Result<Total[] | undefined>>;
  /** The account's money requests with these references, by reference. */
  findByReferences(principal: Principal, referenceIds: readonly string[]): Promise<Map<string, MoneyRequest>>;
  /** Applies a status update to a money request of any tenant, only for the platform's own back end. */
  updateStatus(update: ReadStatusUpdate): Promise<Result<MoneyRequest>>;
  /**
   * The same for the partner's own money request.
   * @param body the JSON value of the body
   * Failures: API_FEATURE_NOT_ENABLED, then those of {@link updateStatus}
   */
  simulateStatus(principal: Principal, referenceId: string, body: unknown): Promise<Result<MoneyRequest>>;
}

export function createRequestMoneyService(deps: RequestMoneyDeps): RequestMoneyService {
  return {
    create: async (principal, create) => {
      const tenant = await enabledTenant(deps, principal);
      return tenant.ok ? createMoneyRequest(deps, tenant.value, create) : tenant;
    },
    find: async (principal, referenceId) => {
      const tenant = await enabledTenant(deps, principal);
      return tenant.ok ? succeed(await deps.moneyRequests.find(principal.accountId, referenceId)) : tenant;
    },
    cancel: async (principal, referenceId, body) => {
      const tenant = await enabledTenant(deps, principal);
      return tenant.ok
        ? andThen(readCancel(body), (cancel) => cancelMoneyRequest(deps, tenant.value, referenceId, cancel))
        : tenant;
    },
    list: async (principal, listing, page) => {
      const tenant = await enabledTenant(deps, principal);
      return tenant.ok ? succeed(await deps.moneyRequests.list(principal.accountId, listing, page)) : tenant;
    },
    totals: async (principal, listing, division) => {
      const tenant = await enabledTenant(deps, principal);
      return tenant.ok
        ? succeed(await deps.moneyRequests.totals(principal.accountId, listing, division))
        : tenant;
    },
    findByReferences: ({ accountId }, referenceIds) => deps.moneyRequests.findMany(accountId, referenceIds),
    updateStatus: (update) => updateStatus(deps, update),
    simulateStatus: async (principal, referenceId, body) => {
      const tenant = await enabledTenant(deps, principal);
      return tenant.ok
        ? updateStatus(deps, readSimulatedUpdate(body, referenceId, nameOf(principal.accountId)))
        : tenant;
    },
  };
}

async function enabledTenant(
  { tenants }: RequestMoneyDeps,
  { accountId }: Principal,
): Promise<Result<Tenant>> {
  const tenant = await tenants.find(accountId);
  return tenant?.features.includes(REQUEST_MONEY_FEATURE) ? succeed(tenant) : fail('API_FEATURE_NOT_ENABLED');
}
