import { LONGEST_CALL_MS } from '../../kernel/config/work-settings.ts';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import type { ProviderAnswer } from '../../providers/types.ts';
import { CRASH_LOOP_CLAIMS, type Job, type TracedAttempt } from '../../runtime/work/attempt.ts';
import { type Claimed, LeaseLostError } from '../../runtime/work/claim.ts';
import { afterFailure, delayWithRetryAfter } from '../../runtime/work/retry-schedule.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { Held } from '../store/remittance-repository.ts';
import { callOf, INTERNAL_ERROR, logFault, type Performed, perform, type WorkDeps } from './call-phase.ts';
import type { Step } from './phases.ts';
import {
  type StepOutcome,
  type StepResult,
  stepLine,
  stepResult,
  withdrawalResult,
  withPassed,
} from './step-result.ts';
import { advance, failPhase, mayHaveBeenAsked, type PhaseFailure, postpone } from './transitions.ts';
import {
  beginWithdrawal,
  giveUpWithdrawal,
  pendingWithdrawal,
  saveUnanswered,
  saveWithdrawal,
} from './withdraw-request.ts';

/** The outcome of a call could not be saved. The next attempt gets the same answer by the same key. */
class UnsavedAnswerError extends Error {
  override readonly name = 'UnsavedAnswerError';
  readonly answer: ProviderAnswer<ErrorCode>;

  constructor(answer: ProviderAnswer<ErrorCode>, cause: unknown) {
    super('The answer of a provider could not be saved.', { cause });
    this.answer = answer;
  }
}

/** An answer that ends a phase. */
type UsedAnswer = 'accepted' | ErrorCode;

/**
 * Remittances as a job: a step calls the provider of a phase, and commits its answer with the move to the next phase that
 * calls one, which begins at once. Whatever a process does and wherever it dies, the effect of a phase is written once: with
 * the move to the next phase, and only if it is still to be made.
 */
export function createPhaseJob(deps: WorkDeps): Job<RemittanceDocument, Performed, StepOutcome> {
  return {
    name: 'pipeline',
    outcomes: ['advanced', 'succeeded', 'failed', 'retried', 'withdrawing'],
    maxClaims: CRASH_LOOP_CLAIMS,
    performMs: LONGEST_CALL_MS,
    identify: ({ accountId, correlationId, phase }) => ({ accountId, correlationId, phase }),
    trace: toTraced,
    perform: (claimed, signal) => perform(deps, claimed, signal),
    commit: (claimed, performed) => commit(deps, claimed, performed),
    deadLetter: (claimed) => deadLetter(deps, claimed),
    recover: (claimed, error) => recover(deps, claimed, error),
    // The mark of a call that was to follow a move at once. That of an earlier call stays.
    unbegun: ({ isAsking, claims }) => (isAsking && claims === 0 ? ['isAsking'] : []),
    released: (document) => stepLine(document, 'released'),
  };
}

/** Phases of a remittance that begin without delay, in whichever process, belong to the trace of its call. */
function toTraced({
  accountId,
  correlationId,
  phase,
  attempts,
  traceparent,
}: RemittanceDocument): TracedAttempt {
  return {
    name: 'pipeline.step',
    attributes: {
      'remitgraph.tenant.id': accountId,
      'remitgraph.correlation.id': correlationId,
      'pipeline.phase': phase,
      'pipeline.attempt': attempts + 1,
    },
    cause: { traceparent, isFirst: attempts === 0 },
  };
}

/** Ends a remittance that is crash-looping. Its payer may have been asked: then the request is withdrawn first, once. */
async function deadLetter(deps: WorkDeps, claimed: Claimed<RemittanceDocument>): Promise<StepResult> {
  const withdrawal = pendingWithdrawal(claimed.document);
  const { outcomes, line, ...result } = withdrawal
    ? withdrawalResult(claimed, await giveUpWithdrawal(deps, claimed, withdrawal))
    : await fail(deps, claimed, INTERNAL_ERROR);
  const fields = { ...line.fields, outcome: 'crashLooping' };
  return { ...result, outcomes: ['crashLooping', ...outcomes], line: { ...line, level: 'error', fields } };
}

async function commit(
  deps: WorkDeps,
  claimed: Claimed<RemittanceDocument>,
  performed: Performed,
): Promise<StepResult> {
  switch (performed.kind) {
    case 'not_allowed':
      return fail(deps, claimed, performed.failure);
    case 'withdrawn':
      return concludeWithdrawal(deps, claimed, performed);
    case 'answered':
      return conclude(deps, claimed, performed).catch((error: unknown) =>
        failSaving(performed.answer, error),
      );
  }
}

async function concludeWithdrawal(
  deps: WorkDeps,
  claimed: Claimed<RemittanceDocument>,
  { input, withdrawal, answer }: Extract<Performed, { kind: 'withdrawn' }>,
): Promise<StepResult> {
  const step: Step = {
    remittance: claimed.document,
    input,
    at: deps.accountClock(claimed.document.accountId),
  };
  return withdrawalResult(claimed, await saveWithdrawal(deps, claimed, withdrawal, answer, step));
}

async function conclude(
  deps: WorkDeps,
  claimed: Claimed<RemittanceDocument>,
  { input, answer }: Extract<Performed, { kind: 'answered' }>,
): Promise<StepResult> {
  const step: Step = {
    remittance: claimed.document,
    input,
    at: deps.accountClock(claimed.document.accountId),
  };
  switch (answer.kind) {
    case 'accepted': {
      const advanced = await advance(deps, claimed, step);
      if (advanced.kind === 'asked_in_vain') {
        logUnused(deps, claimed, 'accepted');
        return withdraw(deps, claimed, advanced.failure);
      }
      if (advanced.kind === 'failed') {
        logUnused(deps, claimed, 'accepted');
        return stepResult(claimed, ['failed'], advanced.failure);
      }
      const { passed, next } = advanced;
      const also = [...passed.map(() => 'advanced' as const), ...(next ? [] : ['succeeded' as const])];
      const { outcomes, line } = stepResult(claimed, ['advanced', ...also]);
      return { outcomes, line: withPassed(line, passed), next };
    }
    case 'rejected': {
      const rejected = { code: answer.code, message: answer.reason };
      if (mayHaveBeenAsked(claimed.document)) {
        // A refusal says nothing of an earlier call, whose answer is lost.
        return withdraw(deps, claimed, rejected);
      }
      const failure = await failPhase(deps, claimed, rejected, step);
      if (failure.code !== answer.code) {
        logUnused(deps, claimed, answer.code);
      }
      return stepResult(claimed, ['failed'], failure);
    }
    case 'unavailable':
      return retry(deps, claimed, answer.reason, failedCallOf(answer));
  }
}

/** @throws the error of saving an answer, with the answer */
function failSaving(answer: ProviderAnswer<ErrorCode>, error: unknown): never {
  throw error instanceof LeaseLostError ? error : new UnsavedAnswerError(answer, error);
}

/**
 * Logs an answer that came after its user was blocked, or that could not be saved: the remittance has failed because of that,
 * and nothing else stores the answer. A funding provider that has accepted still has the payer's request, under this
 * idempotency key.
 */
function logUnused({ log }: WorkDeps, { document }: Held, answer: UsedAnswer): void {
  const { accountId, correlationId, phase } = document;
  const { idempotencyKey } = callOf(document);
  log.warn({ accountId, correlationId, phase, answer, idempotencyKey }, 'pipeline.answer_unused');
}

/** Fails a remittance; if its payer may have been asked, its request is withdrawn first. */
async function fail(
  deps: WorkDeps,
  held: Held,
  failure: PhaseFailure,
  wasAsked = mayHaveBeenAsked(held.document),
): Promise<StepResult> {
  return wasAsked
    ? withdraw(deps, held, failure)
    : stepResult(held, ['failed'], await failPhase(deps, held, failure));
}

/** The provider is asked at once. */
async function withdraw(deps: WorkDeps, held: Held, cause: PhaseFailure): Promise<StepResult> {
  const next = await beginWithdrawal(deps, held, cause);
  logAsked(deps, held, cause.message, 'pipeline.withdrawing');
  return { ...stepResult(held, ['withdrawing'], cause), next };
}

function logAsked({ log }: WorkDeps, { document }: Held, reason: string, message: string): void {
  const { accountId, correlationId, phase } = document;
  const { idempotencyKey } = callOf(document);
  log.warn({ accountId, correlationId, phase, idempotencyKey, reason }, message);
}

/** The data of an attempt that failed. */
interface FailedCall {
  /** Whether the provider may have acted. */
  readonly wasSent: boolean;
  /** Its answer, which could not be saved. */
  readonly unsaved?: UsedAnswer | undefined;
  /** The wait that the provider requests. */
  readonly retryAfterMs?: number | undefined;
}

/** The failure after the schedule's last delay is final. */
async function retry(
  deps: WorkDeps,
  held: Held,
  reason: string,
  { wasSent, unsaved, retryAfterMs }: FailedCall,
): Promise<StepResult> {
  const { document } = held;
  const hasLost = document.phase === 'REQUEST_MONEY' && wasSent;
  const wasAsked = hasLost || mayHaveBeenAsked(document);
  if (hasLost) {
    logAsked(deps, held, reason, 'pipeline.payer_may_have_been_asked');
  }
  const failure: PhaseFailure = { code: INTERNAL_ERROR.code, message: reason };
  const { retrySeconds } = deps.settings;
  const next = afterFailure({ retrySeconds, maxAttempts: retrySeconds.length + 1 }, document.attempts + 1);
  if (next.kind === 'dead_letter') {
    const failed = await fail(deps, held, failure, wasAsked);
    if (unsaved !== undefined) {
      logUnused(deps, held, unsaved);
    }
    return failed;
  }
  const delayMs = delayWithRetryAfter(next.delayMs, retryAfterMs);
  await postpone(deps, held, failure, { delayMs, wasAsked });
  return stepResult(held, ['retried'], failure);
}

/** The database is away, or there is a bug: the attempt counts like one whose provider was away. */
function recover(deps: WorkDeps, held: Held, error: unknown): Promise<StepResult> {
  logFault(deps, held, error);
  const withdrawal = pendingWithdrawal(held.document);
  if (withdrawal) {
    return saveUnanswered(deps, held, withdrawal, { reason: INTERNAL_ERROR.message }).then((made) =>
      withdrawalResult(held, made),
    );
  }
  const answer = error instanceof UnsavedAnswerError ? error.answer : undefined;
  return retry(deps, held, INTERNAL_ERROR.message, failedCallOf(answer));
}

/** The data of a call whose outcome could not be saved. @param answer undefined: no call was made */
function failedCallOf(answer: ProviderAnswer<ErrorCode> | undefined): FailedCall {
  switch (answer?.kind) {
    case 'accepted':
      return { wasSent: true, unsaved: 'accepted' };
    case 'rejected':
      return { wasSent: false, unsaved: answer.code };
    case 'unavailable':
      return { wasSent: answer.notSent !== true, retryAfterMs: answer.retryAfterMs };
    case undefined:
      return { wasSent: false };
  }
}
