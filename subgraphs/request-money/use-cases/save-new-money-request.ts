import { newId } from '../../platform/database/ids.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import type { AccountState } from '../../users/index.ts';
import type { CreateCommand } from '../commands/create-request-money.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { MONEY_REQUEST_STATES } from '../lifecycle.ts';
import type { Fingerprint } from '../store/idempotency-repository.ts';
import type { CreateResult, MoneyRequest, ResolvedCorridor } from '../store/model.ts';
import type { RoutedCorridor } from './corridor.ts';
import { createdEvents, logEntry } from './partner-events.ts';
import { mintPayerLinks } from './payer-links.ts';
import { publish } from './publish-events.ts';

/** A create that has passed every check. */
interface CheckedCreate {
  readonly command: CreateCommand;
  /** As it was a moment ago; undefined for one who is to be made. */
  readonly user: AccountState | undefined;
  readonly routed: RoutedCorridor;
  /** What its retries are recognised by, if it has an idempotency key. */
  readonly retry: Fingerprint | undefined;
}

/**
 * Saves a money request with its user, its idempotency key, its events and webhooks, in the caller's transaction, which only
 * writes. It ends with a duplicate key error when the reference, the key or the user was saved by another call meanwhile, and
 * with UserNotAllowedError when the user was blocked.
 */
export function saveNewMoneyRequest(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  { command, user, routed: { resolved, warnings }, retry }: CheckedCreate,
  unit: UnitOfWork,
): CreateResult {
  const userId = saveUser(deps, tenant, { command, user }, unit);
  const moneyRequest = newMoneyRequest(tenant, command, resolved, userId, deps.clock());
  const { requestData: _, ...answered } = moneyRequest;
  const result: CreateResult = { moneyRequest: answered, warnings };
  deps.moneyRequests.insert(moneyRequest, unit);
  if (retry) {
    deps.idempotency.keep(retry, result, unit);
  }
  const moves = [logEntry(moneyRequest, null)];
  const events = createdEvents(moneyRequest);
  publish(deps, tenant, events, moneyRequest.createdAt, unit, moves);
  return result;
}

function saveUser(
  { users }: RequestMoneyDeps,
  { tenantId }: Tenant,
  { command, user }: Pick<CheckedCreate, 'command' | 'user'>,
  unit: UnitOfWork,
): string {
  if (user) {
    users.requireUnblocked(tenantId, user.userId, unit);
    return user.userId;
  }
  const { userReferenceId: referenceId } = command.requestData;
  return users.insertByReference({ tenantId, referenceId, profile: toProfile(command) }, unit).userId;
}

function toProfile({ requestData: { name, dob, address } }: CreateCommand) {
  const { secondName, secondLastName } = name;
  return {
    firstName: name.firstName,
    lastName: name.lastName,
    ...(secondName === undefined ? {} : { secondName }),
    ...(secondLastName === undefined ? {} : { secondLastName }),
    ...(dob === undefined ? {} : { dob }),
    country: address.country,
  };
}

function newMoneyRequest(
  tenant: Tenant,
  command: CreateCommand,
  resolved: ResolvedCorridor,
  userId: string,
  now: Date,
): MoneyRequest {
  return {
    requestId: newId('req_'),
    tenantId: tenant.tenantId,
    referenceId: command.referenceId,
    userReferenceId: command.requestData.userReferenceId,
    userId,
    amount: command.amount,
    currency: command.currency,
    status: 'pending',
    statusDetails: MONEY_REQUEST_STATES.pending.details,
    version: 1,
    ...mintPayerLinks(tenant, command),
    resolved,
    requestData: command.requestData,
    expiresAt: new Date(now.getTime() + command.expiresInMinutes * 60_000),
    createdAt: now,
    updatedAt: now,
  };
}
