import { type AccountId, partsOf } from '../../kernel/account.ts';
import { type Times, timesOf } from '../../kernel/clock/account-clock.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type Failure, fail, type Result, succeed } from '../../kernel/errors/result.ts';
import {
  type ActState,
  findReasonIssues,
  type Operator,
  type OperatorLog,
} from '../../partners/operator-log/index.ts';
import { mayBeHeld, mayHaveBeenAsked } from '../../providers/withdrawal.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { logEntry } from './partner-events.ts';
import { type PhaseFailure, publishMoves, toEnded, toUpdate } from './transitions.ts';
import { pendingWithdrawal } from './withdraw-request.ts';

/*
 * Operators' acts on remittances. Each act and its entry in the operators' log are written in one transaction, which reads the
 * remittance: an act that meets a worker or another operator runs again, and then finds what the other has left.
 */

export interface OperateDeps
  extends Pick<
    PipelineDeps,
    'remittances' | 'events' | 'webhooks' | 'tenants' | 'transaction' | 'clock' | 'accountClock'
  > {
  readonly operatorLog: Pick<OperatorLog, 'append'>;
}

interface RemittanceAct {
  readonly accountId: AccountId;
  readonly correlationId: string;
  readonly by: Operator;
  /** Why; for the operators' log only. */
  readonly reason?: string | undefined;
}

/** The reason that partners get. An operator's own words are for operators. */
export const ENDED_BY_OPERATOR: PhaseFailure = {
  code: 'ERROR_INTERNAL_SERVER_ERROR',
  message: 'The platform has ended the request.',
};

/**
 * Makes the next attempt of a remittance due at once, under the idempotency keys of the earlier attempts. One that waits for an attempt
 * gets a new schedule; one that has failed while its payer may have been asked is resumed ({@link resumeRemittance}). Failures:
 * ERROR_OPERATION_NOT_FOUND; INVALID_REQUEST for an invalid reason; INVALID_TRANSITION when it has ended otherwise, is due already,
 * or a worker has it.
 */
export function retryRemittance(deps: OperateDeps, act: RemittanceAct): Promise<Result<RemittanceDocument>> {
  const issues = act.reason === undefined ? [] : findReasonIssues(act.reason);
  return operate(deps, act, 'remittances retry', issues, async (before, times, unit) => {
    const refusal = whyNotRetry(before, times.now);
    if (refusal !== undefined) {
      return fail('INVALID_TRANSITION', refusal);
    }
    const retry = before.status === 'IN_PROGRESS' ? retryWaiting : resumeRemittance;
    return succeed(retry(deps, before, times, unit));
  });
}

/**
 * Ends a remittance that has not ended, with its event and its outcome. If the payer may have been asked, the request is withdrawn first,
 * by a worker, and the remittance fails with the result (decisions, section 8). Failures: ERROR_OPERATION_NOT_FOUND; INVALID_REQUEST
 * without a valid reason; INVALID_TRANSITION when it has ended, while its request is being withdrawn, and while a worker
 * asks the payer.
 */
export function failRemittance(
  deps: OperateDeps,
  act: RemittanceAct & { readonly reason: string },
): Promise<Result<RemittanceDocument>> {
  const issues = findReasonIssues(act.reason);
  return operate(deps, act, 'remittances fail', issues, async (before, times, unit) => {
    const refusal = whyNotFail(before, times.now);
    if (refusal !== undefined) {
      return fail('INVALID_TRANSITION', refusal);
    }
    return succeed(
      mayHaveBeenAsked(before)
        ? withdrawFirst(deps, before, times, unit)
        : await end(deps, before, times, unit),
    );
  });
}

/** Why a remittance cannot be retried at the moment; undefined when it can. */
export function whyNotRetry(remittance: RemittanceDocument, at: Date): string | undefined {
  const { status, nextAttemptAt } = remittance;
  if (status !== 'IN_PROGRESS') {
    return whyNotResume(remittance, at);
  }
  if (isLeased(remittance, at)) {
    return 'A worker has it at the moment. Try again later.';
  }
  return nextAttemptAt <= at ? 'It is due already: a worker takes it at its next sweep.' : undefined;
}

/** Why a remittance cannot be ended at the moment; undefined when it can. */
export function whyNotFail(remittance: RemittanceDocument, at: Date): string | undefined {
  if (remittance.status !== 'IN_PROGRESS') {
    return 'The remittance has ended.';
  }
  if (pendingWithdrawal(remittance)) {
    return 'The request is being withdrawn from its payer: the remittance ends with the answer.';
  }
  // In other phases nobody is asked: the outcome of the worker is stale.
  return remittance.phase === 'REQUEST_MONEY' && isLeased(remittance, at)
    ? 'A worker asks the payer at the moment. Try again later.'
    : undefined;
}

function isLeased({ leaseToken, nextAttemptAt }: RemittanceDocument, at: Date): boolean {
  return leaseToken !== undefined && nextAttemptAt > at;
}

async function operate(
  deps: OperateDeps,
  { accountId, correlationId, by, reason }: RemittanceAct,
  act: string,
  issues: readonly Failure[],
  change: (before: RemittanceDocument, times: Times, unit: UnitOfWork) => Promise<Result<RemittanceDocument>>,
): Promise<Result<RemittanceDocument>> {
  if (issues.length > 0) {
    return { ok: false, failures: issues };
  }
  return deps.transaction(async (unit): Promise<Result<RemittanceDocument>> => {
    const before = await deps.remittances.find(accountId, correlationId, unit);
    if (!before) {
      return fail('ERROR_OPERATION_NOT_FOUND');
    }
    const changed = await change(before, timesOf(deps, accountId), unit);
    if (changed.ok) {
      deps.operatorLog.append(
        {
          ...by,
          act,
          ...partsOf(accountId),
          subject: correlationId,
          ...(reason !== undefined && { reason }),
          before: stateOf(before),
          after: stateOf(changed.value),
        },
        unit,
      );
    }
    return changed;
  });
}

/** The state of a remittance as the log keeps it: texts of providers are not part of it. */
function stateOf(remittance: RemittanceDocument): ActState {
  const { status, phase, attempts, nextAttemptAt, isOpen, withdrawal, lastError } = remittance;
  return {
    status,
    phase,
    attempts,
    ...(isOpen && { nextAttemptAt: nextAttemptAt.toISOString() }),
    payerMayHaveBeenAsked: mayHaveBeenAsked(remittance),
    ...(withdrawal && { withdrawal: withdrawal.status }),
    ...(lastError && { errorCode: lastError.code }),
  };
}

function retryWaiting(
  { remittances }: OperateDeps,
  before: RemittanceDocument,
  { at, now }: Times,
  unit: UnitOfWork,
): RemittanceDocument {
  const { waitMs: _, leaseToken: __, isAsking: ___, ...rest } = before;
  const isWithdrawing = pendingWithdrawal(before) !== undefined;
  const after = {
    ...rest,
    ...factOf(before),
    attempts: isWithdrawing ? before.attempts : 0,
    claims: 0,
    nextAttemptAt: now,
    updatedAt: at,
  };
  remittances.changeRead(before, toUpdate(before, after), unit);
  return after;
}

/** From now on no attempt asks the payer, and a worker asks the provider to withdraw the request. */
function withdrawFirst(
  { remittances }: OperateDeps,
  before: RemittanceDocument,
  { at, now }: Times,
  unit: UnitOfWork,
): RemittanceDocument {
  const { waitMs: _, leaseToken: __, isAsking: ___, ...rest } = before;
  const after: RemittanceDocument = {
    ...rest,
    ...factOf(before),
    withdrawal: { status: 'PENDING', since: now, attempts: 0, cause: ENDED_BY_OPERATOR },
    lastError: { ...ENDED_BY_OPERATOR, occurredAt: at },
    claims: 0,
    nextAttemptAt: now,
    updatedAt: at,
  };
  remittances.changeRead(before, toUpdate(before, after), unit);
  return after;
}

async function end(
  deps: OperateDeps,
  before: RemittanceDocument,
  { at }: Times,
  unit: UnitOfWork,
): Promise<RemittanceDocument> {
  const tenant = await deps.tenants.find(before.accountId);
  const after = toEnded(before, ENDED_BY_OPERATOR, at);
  deps.remittances.changeRead(before, toUpdate(before, after), unit);
  publishMoves(deps, tenant, before, { passed: [], after }, unit);
  return after;
}

/** A call that has no outcome, and whose worker has lost its lease, may have reached the payer. */
function factOf(before: RemittanceDocument): Pick<RemittanceDocument, 'payerMayHaveBeenAsked'> {
  return mayHaveBeenAsked(before) ? { payerMayHaveBeenAsked: true } : {};
}

/** Why a remittance that is not in progress cannot be resumed at the moment; undefined when it can. */
function whyNotResume(before: RemittanceDocument, at: Date): string | undefined {
  if (before.status !== 'FAILED' || !mayBeHeld(before) || before.private === undefined) {
    return 'The remittance has ended. Only one whose payer may have been asked can be retried.';
  }
  return before.leaseToken !== undefined && before.nextAttemptAt > at
    ? 'The funding provider is being asked to withdraw it. Try again later.'
    : undefined;
}

/**
 * Resumes a failed remittance of which nobody knows whether its payer holds the request ({@link whyNotResume}): the funding
 * provider is called again, under the idempotency key of the earlier calls. A worker begins at its next sweep.
 * @param before as the transaction has read it
 */
function resumeRemittance(
  { remittances, events }: Pick<PipelineDeps, 'remittances' | 'events'>,
  before: RemittanceDocument,
  { at, now }: Times,
  unit: UnitOfWork,
): RemittanceDocument {
  const set = {
    status: 'IN_PROGRESS',
    isOpen: true,
    phaseSince: now,
    version: before.version + 1,
    attempts: 0,
    claims: 0,
    nextAttemptAt: now,
    updatedAt: at,
  } as const;
  const gone = { lastError: 1, withdrawal: 1, leaseToken: 1, waitMs: 1 } as const;
  remittances.changeRead(before, { $set: set, $unset: gone }, unit);
  const { lastError: _, withdrawal: __, leaseToken: ___, waitMs: ____, ...rest } = before;
  const after = { ...rest, ...set };
  events.append([logEntry(after, before.status)], unit);
  return after;
}
