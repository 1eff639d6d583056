import { queueKey } from '../../../kernel/database/transaction.ts';
import type { Tenant } from '../../../partners/tenants/service.ts';
import type { RequestMoneyV2Command } from '../../commands/request-money-v2.ts';
import type { OperationKey } from '../../store/operation-ids.ts';

/** A request of a known user of the account. */
export interface KnownRequest {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly command: RequestMoneyV2Command;
}

/** The operation's id: the correlation id. */
export function keyOf({ tenant: { accountId }, command: { correlationId } }: KnownRequest): OperationKey {
  return { accountId, operationId: correlationId };
}

/**
 * The turn of both transactions of a request: they hold the user, like every transaction that must not be saved beside a
 * block.
 */
export function turnFor({ tenant: { accountId }, userId }: KnownRequest): string {
  return queueKey(accountId, { userId });
}
