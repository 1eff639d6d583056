import { type Unaborted, unlessAborted } from '../../../platform/abort.ts';
import { CATALOGUE, type ErrorCode } from '../../../platform/errors/catalogue.ts';
import { providerKey } from '../../../platform/providers/provider-key.ts';
import type { ProviderAnswer } from '../../../platform/providers/types.ts';
import {
  type AttemptCounts,
  type Committed,
  CRASH_LOOP_CLAIMS,
  type Job,
  type TracedAttempt,
} from '../../../platform/work/attempt.ts';
import { type Claimed, LeaseLostError } from '../../../platform/work/claim.ts';
import { afterFailure } from '../../../platform/work/retry-schedule.ts';
import type { PipelineDeps } from '../deps.ts';
import type { Phase } from '../lifecycle.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { Held } from '../store/remittance-repository.ts';
import { openInput } from '../store/sealed-input.ts';
import { PHASE_WORK, type Step } from './phases.ts';
import {
  advance,
  failPhase,
  findBlock,
  type PhaseFailure,
  postpone,
  type TransitionDeps,
} from './transitions.ts';

/** Outcomes of steps besides those of every job; `advanced`: a phase was done, even the last one. */
export type StepOutcome = 'advanced' | 'succeeded' | 'failed' | 'retried';

/** Counts of steps by outcome since the process started. */
export type StepCounts = AttemptCounts<StepOutcome>;

export interface WorkDeps extends TransitionDeps {
  log: PipelineDeps['log'];
  tracing: PipelineDeps['tracing'];
  /** Remittances as this process has just accepted them, of users who may transact. One that is claimed later is not among them. */
  justAllowed: WeakSet<RemittanceDocument>;
}

/** The result of a phase's work outside of transactions. */
type Performed =
  | { readonly kind: 'not_allowed'; readonly failure: PhaseFailure }
  | {
      readonly kind: 'answered';
      readonly input: Step['input'];
      readonly answer: ProviderAnswer<ErrorCode>;
    };

type StepResult = Committed<RemittanceDocument, StepOutcome>;

/**
 * A provider has accepted or rejected, and that could not be saved. The next attempt gets the same answer by the same key.
 */
class UnsavedAnswerError extends Error {
  override readonly name = 'UnsavedAnswerError';
  readonly answer: UsedAnswer;

  constructor(answer: UsedAnswer, cause: unknown) {
    super('The answer of a provider could not be saved.', { cause });
    this.answer = answer;
  }
}

/** An answer that ends a phase. */
type UsedAnswer = 'accepted' | ErrorCode;

/** A lease that has ended by the clock may be another worker's already. */
const LEAST_LEASE_MS = 1;
/** For a phase without a call, in which a former version has left a remittance. */
const NO_CALL = { kind: 'accepted' } as const;

const INTERNAL_ERROR: PhaseFailure = {
  code: 'ERROR_INTERNAL_SERVER_ERROR',
  message: CATALOGUE.ERROR_INTERNAL_SERVER_ERROR.message,
};

/**
 * Remittances as a job: a step calls the provider of a phase, and commits its answer with the move to the next phase that
 * calls one, which begins at once. Whatever a process does and wherever it dies, the effect of a phase is written once: with
 * the move to the next phase, and only if it is still to be made.
 */
export function createPhaseJob(deps: WorkDeps): Job<RemittanceDocument, Performed, StepOutcome> {
  return {
    name: 'pipeline',
    outcomes: ['advanced', 'succeeded', 'failed', 'retried'],
    maxClaims: CRASH_LOOP_CLAIMS,
    performMs: LEAST_LEASE_MS,
    identify: ({ tenantId, correlationId, phase }) => ({ tenantId, correlationId, phase }),
    trace: toTraced,
    perform: ({ document }, signal) => perform(deps, document, signal),
    commit: (claimed, performed) =>
      performed.kind === 'not_allowed'
        ? fail(deps, claimed, performed.failure)
        : conclude(deps, claimed, performed).catch((error: unknown) => failSaving(performed.answer, error)),
    deadLetter: async (claimed) => {
      await failPhase(deps, claimed, INTERNAL_ERROR);
      return stepResult(claimed, ['poisoned', 'failed'], INTERNAL_ERROR);
    },
    recover: (claimed, error) => recover(deps, claimed, error),
    released: (document) => stepLine(document, 'released'),
  };
}

/** Phases of a remittance that begin without delay, in whichever process, belong to the trace of its call. */
function toTraced({
  tenantId,
  correlationId,
  phase,
  attempts,
  traceparent,
}: RemittanceDocument): TracedAttempt {
  return {
    name: 'pipeline.step',
    attributes: {
      'remitgraph.tenant.id': tenantId,
      'remitgraph.correlation.id': correlationId,
      'pipeline.phase': phase,
      'pipeline.attempt': attempts + 1,
    },
    cause: { traceparent, isFirst: attempts === 0 },
  };
}

async function perform(
  deps: WorkDeps,
  document: RemittanceDocument,
  signal: AbortSignal,
): Promise<Unaborted<Performed>> {
  const notAllowed = await unlessAborted(signal, () => lookAgain(deps, document));
  if (notAllowed.aborted) {
    return notAllowed;
  }
  if (notAllowed.value) {
    return { aborted: false, value: { kind: 'not_allowed', failure: notAllowed.value } };
  }
  const input = openInput(deps.box, document);
  const step = { remittance: document, input, at: deps.clock() };
  const answer = await unlessAborted(
    signal,
    async () => PHASE_WORK[document.phase].callProvider?.(deps, step, callOf(document)) ?? NO_CALL,
  );
  return answer.aborted
    ? answer
    : { aborted: false, value: { kind: 'answered', input, answer: answer.value } };
}

/**
 * Why the user may not transact any more. A step right after a commit needs no check: the commit succeeded only because the
 * user may, and acceptance has checked the same. The step's effect is saved only if that still holds.
 */
async function lookAgain(deps: WorkDeps, document: RemittanceDocument): Promise<PhaseFailure | undefined> {
  const followsAtOnce = document.claims === 0 || deps.justAllowed.has(document);
  return followsAtOnce ? undefined : findBlock(deps, document);
}

/**
 * The same for every attempt of a phase, in every process. It is patient: attempts that fail together are due together, and
 * all but the one that tries the provider would fail again.
 */
function callOf({ tenantId, correlationId, phase, environment }: RemittanceDocument) {
  const idempotencyKey = providerKey(tenantId, correlationId, phase);
  return { idempotencyKey, tenantId, environment, isPatient: true };
}

async function conclude(
  deps: WorkDeps,
  claimed: Claimed<RemittanceDocument>,
  { input, answer }: Extract<Performed, { kind: 'answered' }>,
): Promise<StepResult> {
  const step: Step = { remittance: claimed.document, input, at: deps.clock() };
  switch (answer.kind) {
    case 'accepted': {
      const advanced = await advance(deps, claimed, step);
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
      const failure = await failPhase(deps, claimed, rejected, step);
      if (failure.code !== answer.code) {
        logUnused(deps, claimed, answer.code);
      }
      return stepResult(claimed, ['failed'], failure);
    }
    case 'unavailable':
      return retry(deps, claimed, answer.reason);
  }
}

/** @throws the error of saving an answer, with the answer */
function failSaving(answer: ProviderAnswer<ErrorCode>, error: unknown): never {
  if (error instanceof LeaseLostError || answer.kind === 'unavailable') {
    throw error;
  }
  throw new UnsavedAnswerError(answer.kind === 'accepted' ? 'accepted' : answer.code, error);
}

/**
 * Logs an answer that came after its user was blocked, or that could not be saved: the remittance has failed because of that,
 * and nothing else stores the answer. A funding provider that has accepted still has the payer's request, under this
 * idempotency key.
 */
function logUnused({ log }: WorkDeps, { document }: Held, answer: UsedAnswer): void {
  const { tenantId, correlationId, phase } = document;
  const { idempotencyKey } = callOf(document);
  log.warn({ tenantId, correlationId, phase, answer, idempotencyKey }, 'pipeline.answer_unused');
}

async function fail(deps: WorkDeps, held: Held, failure: PhaseFailure): Promise<StepResult> {
  return stepResult(held, ['failed'], await failPhase(deps, held, failure));
}

/** The failure after the schedule's last delay is final. */
async function retry(deps: WorkDeps, held: Held, reason: string, unsaved?: UsedAnswer): Promise<StepResult> {
  const { retrySeconds } = deps.settings;
  const next = afterFailure(
    { retrySeconds, maxAttempts: retrySeconds.length + 1 },
    held.document.attempts + 1,
  );
  if (next.kind === 'dead_letter') {
    const failed = await fail(deps, held, INTERNAL_ERROR);
    if (unsaved !== undefined) {
      logUnused(deps, held, unsaved);
    }
    return failed;
  }
  const failure: PhaseFailure = { code: INTERNAL_ERROR.code, message: reason };
  await postpone(deps, held, failure, next.delayMs);
  return stepResult(held, ['retried'], failure);
}

/** The database is away, or there is a bug: the attempt counts like one whose provider was away. */
function recover(deps: WorkDeps, held: Held, error: unknown): Promise<StepResult> {
  const { tenantId, correlationId, phase } = held.document;
  deps.log.error({ tenantId, correlationId, phase, err: error }, 'pipeline.fault');
  const unsaved = error instanceof UnsavedAnswerError ? error.answer : undefined;
  return retry(deps, held, INTERNAL_ERROR.message, unsaved);
}

/** @param outcomes the first one is in the log line */
function stepResult(
  { document }: Held,
  outcomes: readonly [StepResult['outcomes'][number], ...StepOutcome[]],
  failure?: PhaseFailure,
): StepResult {
  return { outcomes, line: stepLine(document, outcomes[0], failure), errorType: failure?.code };
}

/** Phases that are done together with the one in the log line. */
function withPassed(line: StepResult['line'], passed: readonly Phase[]): StepResult['line'] {
  return passed.length > 0 ? { ...line, fields: { ...line.fields, passed } } : line;
}

function stepLine(
  { attempts }: RemittanceDocument,
  outcome: StepResult['outcomes'][number],
  failure?: PhaseFailure,
): StepResult['line'] {
  return {
    level: outcome === 'poisoned' ? 'error' : 'info',
    event: 'step',
    fields: { attempts, outcome, code: failure?.code, reason: failure?.message },
  };
}
