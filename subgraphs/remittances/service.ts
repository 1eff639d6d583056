import type { Connection } from '../graph/connection.ts';
import type { Page } from '../graph/paginate.ts';
import type { PaymentSource } from '../graph/payment-source.ts';
import type { AccountId } from '../kernel/account.ts';
import type { Result } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';
import type { RequestMoneyFullCommand } from './commands/request-money-full.ts';
import type { RemittanceDocument } from './store/model.ts';
import type { RemittanceListing } from './store/remittance-repository.ts';
import { type AcceptDeps, acceptRequest } from './use-cases/accept-request.ts';

/** Atomic calls: their acceptance and their state. Everything is limited to the principal's tenant. */
export interface RemittanceService {
  /** Failures: those of {@link acceptRequest}. The worker of this process, if it runs, begins at once. */
  accept(principal: Principal, command: RequestMoneyFullCommand): Promise<Result<RemittanceDocument>>;
  findByIds(
    principal: Principal,
    correlationIds: readonly string[],
  ): Promise<Map<string, RemittanceDocument>>;
  /** The same for an account's id. */
  findOfTenant(
    accountId: AccountId,
    correlationIds: readonly string[],
  ): Promise<Map<string, RemittanceDocument>>;
  /** Remittances whose payer has a phone number that a searched text may mean, newest first, at most `most`. */
  findByPayer(principal: Principal, text: string, most: number): Promise<RemittanceDocument[]>;
  list(principal: Principal, listing: RemittanceListing, page: Page): Promise<Connection<RemittanceDocument>>;
  /** Atomic calls, each the beginning of a payment of its user. */
  readonly payments: PaymentSource<RemittanceDocument>;
  /** The current time, which decides what is stuck. */
  now(): Date;
}

export function createRemittanceService(deps: AcceptDeps): RemittanceService {
  return {
    accept: (principal, command) => acceptRequest(deps, principal, command),
    findByIds: ({ accountId }, ids) => deps.remittances.findMany(accountId, ids),
    findOfTenant: (accountId, ids) => deps.remittances.findMany(accountId, ids),
    findByPayer: async ({ accountId }, text, most) => {
      const keys = await deps.users.phoneKeysOf(accountId, text);
      return keys.length === 0 ? [] : deps.remittances.findByPayer(accountId, keys, most);
    },
    list: ({ accountId }, listing, page) => deps.remittances.list(accountId, listing, page),
    payments: deps.remittances.payments,
    now: deps.clock,
  };
}
