import { fail, type Result } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { mayHaveBeenAsked, withdrawalFailure } from '../../providers/withdrawal.ts';
import type { AccountState } from '../../users/index.ts';
import type { RequestMoneyV2Command } from '../commands/request-money-v2.ts';
import type { OperationsDeps } from '../deps.ts';
import { userBlocked } from '../errors.ts';
import type { OperationDocument } from '../store/model.ts';
import type { OperationKey } from '../store/operation-ids.ts';
import { carryOutHeld, continueOrWait } from './request-money-v2/await-result.ts';
import type { KnownRequest } from './request-money-v2/known-request.ts';
import { reserve } from './request-money-v2/reserve.ts';

/** A request for money by v2, and its caller. */
export interface RequestMoneyV2Request {
  /** The user who requests the money: document 1's userToken. */
  userId: string;
  /** The command, or the issues of the body, which are reported only after the user is known. */
  command: Result<RequestMoneyV2Command>;
}

/**
 * Request-money v2 (document 1; decisions, section 2, "v2", and section 7, "One correlationId, one payer"): creates the
 * operation directly. The path is checked first: an unknown user gets the same answer whatever the body is. Then the first
 * failing check decides: the body, a blocked user, and the checks of the request.
 *
 * Then the correlation id is reserved for this request only, with its price. Only then the providers are called: the payout
 * method's first, so that no payer gets a request for money that could not be paid out. The same request again continues
 * where the first one stopped, at the same price and under the same idempotency keys, whatever has changed since: after a
 * provider's time-out, and after the death of a process. Beside another one that is running it waits for the result of that
 * one. A provider's rejection is final:
 * the same request gets the same failure again. Once the operation is saved, the id is used. Failures:
 * ERROR_SUBSCRIBER_NOT_FOUND, those of the body, ERROR_INVALID_OPERATION, ERROR_TENANT_NOT_FOUND, SERVICE_UNAVAILABLE while
 * the clock of the machine is wrong, those of {@link reserve}, and those of {@link continueOrWait}.
 */
export async function requestMoneyV2(
  deps: OperationsDeps,
  { accountId }: Principal,
  { userId, command }: RequestMoneyV2Request,
): Promise<Result<OperationDocument>> {
  const begun = deps.accountClock(accountId);
  const user = await deps.users.accountState(accountId, userId);
  if (!user) {
    return fail('ERROR_SUBSCRIBER_NOT_FOUND');
  }
  if (!command.ok) {
    return command;
  }
  if (user.blocked) {
    return failBlocked(deps, { accountId, operationId: command.value.correlationId }, user);
  }
  const tenant = await deps.tenants.find(accountId);
  if (!tenant) {
    return fail('ERROR_TENANT_NOT_FOUND');
  }
  if (!deps.isClockRight()) {
    // The reservation is a lease, which a process with a wrong clock does not take (decisions, section 8, "Clocks").
    return fail('SERVICE_UNAVAILABLE');
  }
  const request: KnownRequest = { tenant, userId: user.userId, command: command.value };
  const reserved = await reserve(deps, request, begun);
  if (!reserved.ok) {
    return reserved;
  }
  if (reserved.value.kind === 'found') {
    return continueOrWait(deps, reserved.value.reservation, command.value);
  }
  const { held } = reserved.value;
  return (
    (await carryOutHeld(deps, held, command.value)) ?? continueOrWait(deps, held.document, command.value)
  );
}

/** A blocked user's request. Where an earlier call may have asked the payer, the failure says so. */
async function failBlocked(
  { reservations }: OperationsDeps,
  key: OperationKey,
  user: AccountState,
): Promise<Result<never>> {
  const earlier = await reservations.find(key);
  const isOpenOrFailed = earlier?.userId === user.userId && earlier.status !== 'SUCCEEDED';
  if (!isOpenOrFailed || !mayHaveBeenAsked(earlier)) {
    return userBlocked(user);
  }
  const cause = earlier.withdrawal?.cause ?? {
    code: 'ERROR_INVALID_OPERATION' as const,
    message: 'The user is blocked.',
  };
  const withdrawal = earlier.withdrawal ?? {
    status: 'PENDING' as const,
    since: earlier.updatedAt,
    attempts: 0,
    cause,
  };
  const reported = reservations.refusalOf(earlier) ?? withdrawalFailure(withdrawal, 'PENDING');
  return { ok: false, failures: [{ ...reported, code: 'ERROR_INVALID_OPERATION' }] };
}
