import { setTimeout as delay } from 'node:timers/promises';
import { timesOf } from '../../../kernel/clock/account-clock.ts';
import type { UnitOfWork } from '../../../kernel/database/unit-of-work.ts';
import { CATALOGUE } from '../../../kernel/errors/catalogue.ts';
import { type Result, succeed } from '../../../kernel/errors/result.ts';
import { mayHaveBeenAsked, withdrawalFailure } from '../../../providers/withdrawal.ts';
import { LeaseLostError } from '../../../runtime/work/claim.ts';
import type { RequestMoneyV2Command } from '../../commands/request-money-v2.ts';
import type { OperationsDeps } from '../../deps.ts';
import { correlationIdTaken } from '../../errors.ts';
import type { OperationDocument, ReservationDocument } from '../../store/model.ts';
import type { HeldReservation } from '../../store/reservations.ts';
import { carryOut, unanswered } from './carry-out.ts';
import { keepUnanswered } from './end-reservation.ts';

/** The longest wait for an identical call: less than a request may take (`GRAPHQL_TIMEOUT_SECONDS`). */
export const MOST_WAIT_MS = 25_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * The result of a reservation that an identical call has made. While that call is under way, in whichever process, this one
 * waits for its result and answers the same; the providers are called once. When it has ended without a result, or its
 * process has died, this call continues.
 */
export async function continueOrWait(
  deps: OperationsDeps,
  found: ReservationDocument,
  command: RequestMoneyV2Command,
): Promise<Result<OperationDocument>> {
  const begun = performance.now();
  let pause = FIRST_PAUSE_MS;
  for (let current: ReservationDocument | undefined = found; current; ) {
    const ended = hasEnded(current, found) ? await confirmResult(deps, found) : undefined;
    if (ended) {
      return ended;
    }
    const held = isHeld(deps, current)
      ? undefined
      : await deps.reservations.take(current, timesOf(deps, current.accountId));
    const carried = held && (await carryOutHeld(deps, held, command));
    if (carried) {
      return carried;
    }
    if (performance.now() - begun > MOST_WAIT_MS) {
      return unanswered(mayHaveBeenAsked(current));
    }
    await delay(pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    current = await deps.reservations.find(found);
  }
  return correlationIdTaken();
}

/** Undefined when another call has taken the reservation over. @throws any other error; the reservation is free then */
export async function carryOutHeld(
  deps: OperationsDeps,
  held: HeldReservation,
  command: RequestMoneyV2Command,
): Promise<Result<OperationDocument> | undefined> {
  try {
    return await carryOut(deps, held, command);
  } catch (error) {
    if (error instanceof LeaseLostError) {
      return undefined;
    }
    await release(deps, held);
    throw error;
  }
}

/** After an internal error: the next identical call need not wait for the end of the lease. */
async function release(deps: OperationsDeps, held: HeldReservation): Promise<void> {
  try {
    const current = await deps.reservations.find(held.document);
    const wasAsked = current !== undefined && mayHaveBeenAsked(current);
    await keepUnanswered(deps, held, CATALOGUE.ERROR_INTERNAL_SERVER_ERROR.message, wasAsked);
  } catch (error) {
    const { accountId, operationId: correlationId } = held.document;
    deps.log.error({ accountId, correlationId, err: error }, 'request_money_v2.unrecorded');
  }
}

/** Whether a call, or a worker, has the reservation. */
function isHeld({ clock }: OperationsDeps, { leaseToken, nextAttemptAt }: ReservationDocument): boolean {
  return leaseToken !== undefined && nextAttemptAt > clock();
}

/** Whether another call has ended the reservation, or its own attempt, since this call found it. */
function hasEnded(current: ReservationDocument, found: ReservationDocument): boolean {
  return current.status !== 'IN_PROGRESS' || !!current.withdrawal || current.attempts > found.attempts;
}

/**
 * The result of the call that has ended. It is read in a transaction, which ends only when a majority of the database's members
 * has it: a failover may undo what a plain read sees.
 */
function confirmResult(
  deps: OperationsDeps,
  found: ReservationDocument,
): Promise<Result<OperationDocument> | undefined> {
  return deps.transaction(async (unit) => {
    const current = await deps.reservations.find(found, unit);
    return current && resultOf(deps, current, found, unit);
  });
}

async function resultOf(
  deps: OperationsDeps,
  current: ReservationDocument,
  found: ReservationDocument,
  unit: UnitOfWork,
): Promise<Result<OperationDocument> | undefined> {
  const { accountId, operationId, status, withdrawal } = current;
  if (status === 'SUCCEEDED') {
    const operation = await deps.operations.find(accountId, operationId, unit);
    return operation ? succeed(operation) : correlationIdTaken();
  }
  const failure = deps.reservations.refusalOf(current);
  if (failure) {
    return { ok: false, failures: [failure] };
  }
  if (withdrawal) {
    return { ok: false, failures: [withdrawalFailure(withdrawal, 'PENDING')] };
  }
  return current.attempts > found.attempts ? unanswered(mayHaveBeenAsked(current)) : undefined;
}
