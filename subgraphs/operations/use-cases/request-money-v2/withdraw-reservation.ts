import { type Unaborted, unlessAborted } from '../../../kernel/abort.ts';
import { LONGEST_CALL_MS } from '../../../kernel/config/work-settings.ts';
import { queueKey, retryOnConflict } from '../../../kernel/database/transaction.ts';
import type { Failure } from '../../../kernel/errors/result.ts';
import type { WithdrawalAnswer } from '../../../providers/types.ts';
import {
  afterUnanswered,
  mayHaveBeenAsked,
  STATUS_AFTER,
  type Withdrawal,
  withdrawalFailure,
} from '../../../providers/withdrawal.ts';
import { type Committed, CRASH_LOOP_CLAIMS, type Job } from '../../../runtime/work/attempt.ts';
import type { Claimed } from '../../../runtime/work/claim.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { ReservationDocument } from '../../store/model.ts';
import { callWithdrawal } from '../call-funding.ts';
import { createOperation, ENDED, keepFailure, LOOK_AGAIN_MS, logAsked, RELEASED } from './end-reservation.ts';
import { callOf, payerRequestOf } from './provider-calls.ts';
import { checkUser } from './reserve.ts';

/** Outcomes of the worker's steps; `left`: its caller died before it asked the payer; `watched`: a caller may still come back. */
type WithdrawalOutcome = 'left' | 'watched' | 'withdrawing' | 'withdrawn' | 'paid' | 'unknown';

export interface WithdrawalDeps extends OperationsDeps {
  settings: {
    /** `FUNDING_WITHDRAW_AFTER_SECONDS` */
    readonly withdrawAfterSeconds: number;
    /** `PIPELINE_RETRY_SECONDS` */
    readonly retrySeconds: readonly number[];
  };
}

type Performed =
  | { readonly kind: 'leave' }
  | { readonly kind: 'watch'; readonly lookAt: Date }
  | { readonly kind: 'begin'; readonly cause: Withdrawal['cause'] }
  | { readonly kind: 'asked'; readonly withdrawal: Withdrawal; readonly answer: WithdrawalAnswer };

type Step = Committed<ReservationDocument, WithdrawalOutcome>;

const NOBODY_CAME = 'ERROR_INTERNAL_SERVER_ERROR';

/**
 * Requests by v2 whose payer may have been asked, as a job: when their caller does not come back, or their user is blocked
 * meanwhile, the funding provider is asked to withdraw them (decisions, section 8).
 */
export function createWithdrawalJob(
  deps: WithdrawalDeps,
): Job<ReservationDocument, Performed, WithdrawalOutcome> {
  return {
    name: 'reservation',
    outcomes: ['left', 'watched', 'withdrawing', 'withdrawn', 'paid', 'unknown'],
    maxClaims: CRASH_LOOP_CLAIMS,
    performMs: LONGEST_CALL_MS,
    identify: ({ accountId, operationId: correlationId }) => ({ accountId, correlationId }),
    trace: ({ accountId, operationId, attempts }) => ({
      name: 'reservation.step',
      attributes: { 'remitgraph.tenant.id': accountId, 'remitgraph.correlation.id': operationId },
      cause: { traceparent: undefined, isFirst: attempts === 0 },
    }),
    perform: ({ document }, signal) => perform(deps, document, signal),
    commit: (claimed, performed) => commit(deps, claimed, performed),
    deadLetter: async (claimed) => {
      const line = { level: 'error', event: 'step', fields: { outcome: 'crashLooping' } } as const;
      if (!mayHaveBeenAsked(claimed.document)) {
        await leave(deps, claimed);
        return { outcomes: ['crashLooping', 'left'], line };
      }
      const { withdrawal = newWithdrawal(deps, NO_ANSWER) } = claimed.document;
      await end(deps, claimed, withdrawal, 'UNKNOWN');
      return { outcomes: ['crashLooping', 'unknown'], line };
    },
    released: () => ({ level: 'info', event: 'step', fields: { outcome: 'released' } }),
  };
}

const NO_ANSWER: Withdrawal['cause'] = {
  code: NOBODY_CAME,
  message: 'The provider gave no answer, and the call was not repeated.',
};

function stepOf(outcome: WithdrawalOutcome): Step {
  return { outcomes: [outcome], line: { level: 'info', event: 'step', fields: { outcome } } };
}

async function perform(
  deps: WithdrawalDeps,
  document: ReservationDocument,
  signal: AbortSignal,
): Promise<Unaborted<Performed>> {
  const { withdrawal } = document;
  if (!mayHaveBeenAsked(document)) {
    return { aborted: false, value: { kind: 'leave' } };
  }
  if (!withdrawal) {
    return unlessAborted(signal, () => look(deps, document));
  }
  const request = payerRequestOf(document, deps.reservations.termsOf(document));
  const call = { ...callOf(document, 'REQUEST_MONEY'), isPatient: true };
  return unlessAborted(signal, async () => ({
    kind: 'asked',
    withdrawal,
    answer: await callWithdrawal(deps.providers.funding, request, call),
  }));
}

/** Whether the request must be withdrawn now, and why. */
async function look(deps: WithdrawalDeps, document: ReservationDocument): Promise<Performed> {
  const allowed = await checkUser(deps, document);
  const [failure] = allowed.ok ? [] : allowed.failures;
  if (failure) {
    return { kind: 'begin', cause: { code: failure.code, message: failure.message ?? '' } };
  }
  const now = deps.clock().getTime();
  const withdrawAt = document.calledAt.getTime() + deps.settings.withdrawAfterSeconds * 1000;
  return now >= withdrawAt
    ? { kind: 'begin', cause: NO_ANSWER }
    : { kind: 'watch', lookAt: new Date(Math.min(now + LOOK_AGAIN_MS, withdrawAt)) };
}

async function commit(
  deps: WithdrawalDeps,
  claimed: Claimed<ReservationDocument>,
  performed: Performed,
): Promise<Step> {
  switch (performed.kind) {
    case 'leave':
      await leave(deps, claimed);
      return stepOf('left');
    case 'watch':
      await change(deps, claimed, { nextAttemptAt: performed.lookAt });
      return stepOf('watched');
    case 'begin': {
      const withdrawal = newWithdrawal(deps, performed.cause);
      logAsked(deps, claimed.document, performed.cause.message, 'request_money_v2.withdrawing');
      await change(deps, claimed, { withdrawal, nextAttemptAt: withdrawal.since });
      return stepOf('withdrawing');
    }
    case 'asked':
      return conclude(deps, claimed, performed);
  }
}

function newWithdrawal({ clock }: WithdrawalDeps, cause: Withdrawal['cause']): Withdrawal {
  return { status: 'PENDING', since: clock(), attempts: 0, cause };
}

/** Leaves a request that nobody was asked for to the next identical call. */
async function leave(deps: WithdrawalDeps, claimed: Claimed<ReservationDocument>): Promise<void> {
  const update = {
    $set: { claims: 0, updatedAt: deps.accountClock(claimed.document.accountId) },
    $unset: ENDED,
  };
  await deps.transaction(async (unit) => deps.reservations.change(claimed, update, unit));
}

/** The mark of a caller that has died becomes the fact that the payer may have been asked. */
async function change(
  deps: WithdrawalDeps,
  claimed: Claimed<ReservationDocument>,
  set: Partial<Pick<ReservationDocument, 'withdrawal' | 'nextAttemptAt' | 'waitMs'>>,
): Promise<void> {
  const update = {
    $set: {
      ...set,
      payerMayHaveBeenAsked: true as const,
      claims: 0,
      updatedAt: deps.accountClock(claimed.document.accountId),
    },
    $unset: RELEASED,
  };
  await deps.transaction(async (unit) => deps.reservations.change(claimed, update, unit));
}

async function conclude(
  deps: WithdrawalDeps,
  claimed: Claimed<ReservationDocument>,
  { withdrawal, answer }: Extract<Performed, { kind: 'asked' }>,
): Promise<Step> {
  if (answer.kind === 'unavailable') {
    const { retrySeconds } = deps.settings;
    const { reason, retryAfterMs } = answer;
    const next = afterUnanswered(withdrawal, reason, { retrySeconds, at: deps.clock(), retryAfterMs });
    if (next.delayMs === undefined) {
      await end(deps, claimed, next.withdrawal, 'UNKNOWN');
      return stepOf('unknown');
    }
    const nextAttemptAt = new Date(deps.clock().getTime() + next.delayMs);
    await change(deps, claimed, { withdrawal: next.withdrawal, nextAttemptAt, waitMs: next.delayMs });
    return stepOf('withdrawing');
  }
  const status = STATUS_AFTER[answer.kind];
  if (status === 'ALREADY_PAID') {
    const { accountId, userId } = claimed.document;
    const terms = deps.reservations.termsOf(claimed.document);
    await retryOnConflict(() =>
      deps.transaction(
        (unit) => createOperation(deps, claimed, terms, unit),
        queueKey(accountId, { userId }),
      ),
    );
    return stepOf('paid');
  }
  await end(deps, claimed, withdrawal, status);
  return stepOf('withdrawn');
}

/** The same request gets the failure from then on. */
function end(
  deps: WithdrawalDeps,
  claimed: Claimed<ReservationDocument>,
  withdrawal: Withdrawal,
  status: 'CANCELLED' | 'NOT_FOUND' | 'UNKNOWN',
): Promise<void> {
  const failure = withdrawalFailure(withdrawal, status);
  const isWithdrawn = failure.code === NOBODY_CAME && status !== 'UNKNOWN';
  const refusal: Failure = isWithdrawn ? { ...failure, code: 'PAYER_REQUEST_WITHDRAWN' } : failure;
  return keepFailure(deps, claimed, refusal, { ...withdrawal, status });
}
