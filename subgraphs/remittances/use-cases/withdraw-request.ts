import { timesOf } from '../../kernel/clock/account-clock.ts';
import { callWithdrawal } from '../../operations/index.ts';
import type { ProviderCall, Unavailable, WithdrawalAnswer } from '../../providers/types.ts';
import {
  afterUnanswered,
  STATUS_AFTER,
  type Withdrawal,
  withdrawalFailure,
} from '../../providers/withdrawal.ts';
import type { Claimed } from '../../runtime/work/claim.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { Held } from '../store/remittance-repository.ts';
import type { RemittanceInput } from '../store/sealed-input.ts';
import type { Step } from './phases.ts';
import {
  type PhaseFailure,
  passOne,
  save,
  type TransitionDeps,
  toEnded,
  withFailure,
  withoutHold,
} from './transitions.ts';

/*
 * The request of a remittance whose payer may have been asked is withdrawn before the remittance fails (decisions, section 8,
 * "A payer who may have been asked"). While nobody knows whether it could be withdrawn, the remittance stays in progress for
 * the delays of the pipeline's schedule, then it fails, and the provider is asked on for 72 hours. Its answer then is
 * saved: a payment that was made after all makes the operation, and a second outcome.
 */

/** The withdrawal after a step. */
export type WithdrawalStep =
  | { readonly kind: 'paid' }
  | { readonly kind: 'failed' | 'pending'; readonly failure: PhaseFailure };

/** A remittance and its withdrawal, which is not done. */
export function pendingWithdrawal({ withdrawal }: RemittanceDocument): Withdrawal | undefined {
  return withdrawal?.status === 'PENDING' ? withdrawal : undefined;
}

/**
 * Stores that the request must be withdrawn, before the provider is asked: from then on no attempt asks the payer.
 * @param cause why the remittance will fail
 * @returns the remittance with a renewed lease
 * @throws LeaseLostError
 */
export async function beginWithdrawal(
  deps: TransitionDeps,
  held: Held,
  cause: PhaseFailure,
): Promise<Claimed<RemittanceDocument>> {
  const { at, now } = timesOf(deps, held.document.accountId);
  const leaseUntil = new Date(now.getTime() + deps.settings.leaseSeconds * 1000);
  const { isAsking: _, ...document } = held.document;
  const lastError = { ...cause, occurredAt: at };
  const set = {
    withdrawal: { status: 'PENDING', since: now, attempts: 0, cause },
    payerMayHaveBeenAsked: true,
    attempts: document.attempts + 1,
    claims: 0,
    lastError,
    failures: withFailure(document, { ...lastError, payerMayHaveBeenAsked: true }),
    nextAttemptAt: leaseUntil,
    updatedAt: at,
  } as const;
  const update = { $set: set, $unset: { isAsking: 1 as const } };
  await deps.transaction(async (unit) => deps.remittances.change(held, update, unit));
  return { ...held, document: { ...document, ...set }, leaseUntil, dueAt: now };
}

/** Asks the provider to withdraw, under the idempotency key of the request. */
export function askToWithdraw(
  { providers }: Pick<TransitionDeps, 'providers'>,
  { accountId, correlationId, quote }: RemittanceDocument,
  { contact }: Pick<RemittanceInput, 'contact'>,
  call: ProviderCall,
): Promise<WithdrawalAnswer> {
  const request = { accountId, operationId: correlationId, payer: contact, quote };
  return callWithdrawal(providers.funding, request, call);
}

/** Saves the answer to a withdrawal. @throws LeaseLostError */
export async function saveWithdrawal(
  deps: TransitionDeps,
  held: Held,
  withdrawal: Withdrawal,
  answer: WithdrawalAnswer,
  step: Step,
): Promise<WithdrawalStep> {
  if (answer.kind === 'unavailable') {
    return saveUnanswered(deps, held, withdrawal, answer);
  }
  const { document } = held;
  const status = STATUS_AFTER[answer.kind];
  const ended = { ...withdrawal, status };
  if (status === 'ALREADY_PAID') {
    await save(deps, held, async (unit) => {
      const paid = await passOne(deps, { ...step, remittance: withoutHold(document) }, unit);
      return { passed: [], after: { ...paid, withdrawal: ended } };
    });
    return { kind: 'paid' };
  }
  const failure = withdrawalFailure(withdrawal, status);
  await save(deps, held, async () => ({
    passed: [],
    after: { ...toEnded(document, failure, step.at), withdrawal: ended },
  }));
  return { kind: 'failed', failure };
}

/** Leaves the withdrawal to another attempt. When the schedule is over, the remittance fails all the same. */
export async function saveUnanswered(
  deps: TransitionDeps,
  held: Held,
  before: Withdrawal,
  { reason, retryAfterMs }: Pick<Unavailable, 'reason' | 'retryAfterMs'>,
): Promise<WithdrawalStep> {
  const { retrySeconds } = deps.settings;
  const schedule = { retrySeconds, at: deps.clock(), retryAfterMs };
  return saveUnresolved(deps, held, afterUnanswered(before, reason, schedule));
}

/** Ends a withdrawal that kills its workers: nobody knows whether the payer holds the request. */
export async function giveUpWithdrawal(
  deps: TransitionDeps,
  held: Held,
  before: Withdrawal,
): Promise<WithdrawalStep> {
  const withdrawal = { ...before, status: 'UNKNOWN' as const };
  return saveUnresolved(deps, held, { withdrawal, delayMs: undefined });
}

async function saveUnresolved(
  deps: TransitionDeps,
  held: Held,
  { withdrawal, delayMs }: ReturnType<typeof afterUnanswered>,
): Promise<WithdrawalStep> {
  const { document } = held;
  const { retrySeconds } = deps.settings;
  const failure = withdrawalFailure(withdrawal, delayMs === undefined ? 'UNKNOWN' : 'PENDING');
  const { at, now } = timesOf(deps, document.accountId);
  const nextAttemptAt = new Date(now.getTime() + (delayMs ?? 0));
  const isScheduled = delayMs !== undefined && withdrawal.attempts <= retrySeconds.length;
  if (delayMs !== undefined && (isScheduled || document.status === 'FAILED')) {
    const update = {
      $set: { withdrawal, nextAttemptAt, waitMs: delayMs ?? 0, claims: 0, updatedAt: at },
      $unset: { leaseToken: 1 as const },
    };
    await deps.transaction(async (unit) => deps.remittances.change(held, update, unit));
    return { kind: 'pending', failure };
  }
  // Its input stays: it is needed when the payment turns out to be made, and for a retry of an operator.
  const kept = document.private === undefined ? {} : { private: document.private };
  const going = delayMs === undefined ? {} : { isOpen: true as const, nextAttemptAt, waitMs: delayMs };
  await save(deps, held, async () => ({
    passed: [],
    after: { ...toEnded(document, failure, at), ...kept, ...going, withdrawal },
  }));
  return { kind: document.status === 'FAILED' ? 'pending' : 'failed', failure };
}
