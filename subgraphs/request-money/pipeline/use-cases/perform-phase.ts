import { unlessAborted } from '../../../platform/abort.ts';
import { CATALOGUE, type ErrorCode } from '../../../platform/errors/catalogue.ts';
import { providerKey } from '../../../platform/providers/provider-key.ts';
import type { ProviderAnswer } from '../../../platform/providers/types.ts';
import { afterFailure } from '../../../platform/webhooks/schedule.ts';
import type { Claimed } from '../../../platform/work/claim.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { Held } from '../store/remittance-repository.ts';
import { openInput } from '../store/sealed-input.ts';
import { PHASE_WORK, type Step } from './phases.ts';
import {
  advance,
  failPhase,
  findBlock,
  LeaseLostError,
  type PhaseFailure,
  postpone,
  release,
  type TransitionDeps,
} from './transitions.ts';

/** The results of steps since the process started. */
export interface StepCounts {
  /** Phases that were done, the last one of a remittance included. */
  advanced: number;
  succeeded: number;
  failed: number;
  /** Failed for a reason that may pass, and due again later. */
  retried: number;
  /** Failed because their workers died each time; also in `failed`. */
  poisoned: number;
  /** Given back untried or unfinished. */
  released: number;
  /** Results that were not saved because the lease had been lost. */
  stale: number;
  /** Steps whose result could not be saved: their lease runs out and they are done again. */
  unrecorded: number;
}

export interface WorkDeps extends TransitionDeps {
  log: PipelineDeps['log'];
  counts: StepCounts;
}

/** Claims without a result after which a remittance is taken to be what kills its workers. */
const MAX_CLAIMS = 25;

const INTERNAL_ERROR: PhaseFailure = {
  code: 'ERROR_INTERNAL_SERVER_ERROR',
  message: CATALOGUE.ERROR_INTERNAL_SERVER_ERROR.message,
};

/** The result of a step; a remittance that goes on is held for its next phase. */
type Outcome =
  | { readonly kind: 'advanced'; readonly held: Held | undefined }
  | { readonly kind: 'retried' | 'released' | 'failed' | 'poisoned'; readonly failure?: PhaseFailure };

/**
 * Carries a claimed remittance on, phase after phase, as far as it goes. Wherever a process dies, the effect of a phase is
 * saved once: together with the move to the next phase, and only if nobody has made that move.
 * Never throws. What it gives up through `signal` is due again at once, and the attempt does not count.
 */
export async function work(
  deps: WorkDeps,
  claimed: Claimed<RemittanceDocument>,
  signal: AbortSignal,
): Promise<void> {
  let held: Held | undefined = claimed;
  while (held) {
    held = await settle(deps, held, signal);
  }
}

/** One step and its log line; the remittance for the next one. */
async function settle(deps: WorkDeps, held: Held, signal: AbortSignal): Promise<Held | undefined> {
  const { counts, log } = deps;
  const { tenantId, correlationId, phase, attempts } = held.document;
  const started = performance.now();
  try {
    const outcome = await attempt(deps, held, signal).catch((error: unknown) => recover(deps, held, error));
    const isLast = outcome.kind === 'advanced' && outcome.held === undefined;
    count(counts, outcome.kind, isLast);
    const ms = Math.round(performance.now() - started);
    const { code, message: reason } = ('failure' in outcome && outcome.failure) || {};
    const line = { tenantId, correlationId, phase, attempts, ms, outcome: outcome.kind, code, reason };
    log[outcome.kind === 'poisoned' ? 'error' : 'info'](line, 'pipeline.step');
    return outcome.kind === 'advanced' ? outcome.held : undefined;
  } catch (error) {
    if (error instanceof LeaseLostError) {
      counts.stale += 1;
      log.warn({ tenantId, correlationId, phase }, 'pipeline.lease_lost');
    } else {
      counts.unrecorded += 1;
      log.error({ tenantId, correlationId, phase, err: error }, 'pipeline.unrecorded');
    }
    return undefined;
  }
}

async function attempt(deps: WorkDeps, held: Held, signal: AbortSignal): Promise<Outcome> {
  const { document } = held;
  if (document.claims > MAX_CLAIMS) {
    await failPhase(deps, held, INTERNAL_ERROR);
    return { kind: 'poisoned', failure: INTERNAL_ERROR };
  }
  if (deps.clock() >= held.leaseUntil) {
    // A process that stood still (suspended, starved) must not call a provider beside the next worker.
    throw new LeaseLostError();
  }
  const block = await unlessAborted(signal, () => findBlock(deps, document));
  if (block.aborted) {
    return giveUp(deps, held);
  }
  if (block.value) {
    return fail(deps, held, block.value);
  }
  const input = openInput(deps.box, document);
  const answer = await unlessAborted(signal, () =>
    PHASE_WORK[document.phase].callProvider(
      deps,
      { remittance: document, input, at: deps.clock() },
      callOf(document),
    ),
  );
  return answer.aborted
    ? giveUp(deps, held)
    : conclude(deps, held, { remittance: document, input, at: deps.clock() }, answer.value);
}

/** The same for every attempt of a phase, in whichever process. */
function callOf({ tenantId, correlationId, phase, environment }: RemittanceDocument) {
  return { idempotencyKey: providerKey(tenantId, correlationId, phase), tenantId, environment };
}

async function conclude(
  deps: WorkDeps,
  held: Held,
  step: Step,
  answer: ProviderAnswer<ErrorCode>,
): Promise<Outcome> {
  switch (answer.kind) {
    case 'accepted': {
      const advanced = await advance(deps, held, step);
      if (advanced.kind === 'failed') {
        logUnusedAnswer(deps, held, 'accepted');
      }
      return advanced;
    }
    case 'refused': {
      const failed = await fail(deps, held, { code: answer.code, message: answer.reason }, step);
      if (failed.failure?.code !== answer.code) {
        logUnusedAnswer(deps, held, answer.code);
      }
      return failed;
    }
    case 'unavailable':
      return retry(deps, held, answer.reason);
  }
}

/**
 * Logs an answer that came after its user had been blocked: the remittance has failed for that, and nothing else keeps the
 * answer. A funding provider that accepted still has the payer's request, under this idempotency key.
 */
function logUnusedAnswer({ log }: WorkDeps, { document }: Held, answer: 'accepted' | ErrorCode): void {
  const { tenantId, correlationId, phase } = document;
  const { idempotencyKey } = callOf(document);
  log.warn({ tenantId, correlationId, phase, answer, idempotencyKey }, 'pipeline.answer_unused');
}

async function fail(
  deps: WorkDeps,
  held: Held,
  failure: PhaseFailure,
  step?: Step,
): Promise<{ readonly kind: 'failed'; readonly failure: PhaseFailure }> {
  return { kind: 'failed', failure: await failPhase(deps, held, failure, step) };
}

/** Tries again later. What fails behind the last delay of the schedule fails for good. */
async function retry(deps: WorkDeps, held: Held, reason: string): Promise<Outcome> {
  const { retrySeconds } = deps.settings;
  const next = afterFailure(
    { retrySeconds, maxAttempts: retrySeconds.length + 1 },
    held.document.attempts + 1,
  );
  if (next.kind === 'dead_letter') {
    return fail(deps, held, INTERNAL_ERROR);
  }
  const failure: PhaseFailure = { code: INTERNAL_ERROR.code, message: reason };
  await postpone(deps, held, failure, next.delayMs);
  return { kind: 'retried', failure };
}

/**
 * After an outage of the database, or a bug: counts as an attempt that found its provider away.
 * @throws what cannot be saved
 */
async function recover(deps: WorkDeps, held: Held, error: unknown): Promise<Outcome> {
  if (error instanceof LeaseLostError) {
    throw error;
  }
  const { tenantId, correlationId, phase } = held.document;
  deps.log.error({ tenantId, correlationId, phase, err: error }, 'pipeline.fault');
  return retry(deps, held, INTERNAL_ERROR.message);
}

async function giveUp(deps: WorkDeps, held: Held): Promise<Outcome> {
  await release(deps, held);
  return { kind: 'released' };
}

function count(counts: StepCounts, kind: Outcome['kind'], isLast: boolean): void {
  counts[kind] += 1;
  if (isLast) {
    counts.succeeded += 1;
  }
  if (kind === 'poisoned') {
    counts.failed += 1;
  }
}
