import { unlessAborted } from '../../../platform/abort.ts';
import { CATALOGUE, type ErrorCode } from '../../../platform/errors/catalogue.ts';
import { providerKey } from '../../../platform/providers/provider-key.ts';
import type { ProviderAnswer } from '../../../platform/providers/types.ts';
import { afterFailure } from '../../../platform/webhooks/schedule.ts';
import type { Claimed } from '../../../platform/work/claim.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { Held } from '../store/remittance-store.ts';
import { openInput } from '../store/sealed-input.ts';
import { PHASE_WORK, type Step } from './phases.ts';
import {
  advance,
  failPhase,
  LeaseLostError,
  type PhaseFailure,
  postpone,
  release,
  type TransitionDeps,
  whyNotAllowed,
} from './transitions.ts';

/** What steps have come to since the process started. */
export interface StepCounts {
  /** Phases that were done, the last one of a remittance included. */
  advanced: number;
  succeeded: number;
  failed: number;
  /** Failed for a fault that may pass, and due again later. */
  retried: number;
  /** Failed because their workers died each time; also in `failed`. */
  poisoned: number;
  /** Given back untried or unfinished. */
  released: number;
  /** Results refused because the lease had been lost. */
  stale: number;
  /** Steps whose result could not be written: their lease runs out and they are done again. */
  unrecorded: number;
}

export interface WorkDeps extends TransitionDeps {
  log: PipelineDeps['log'];
  counts: StepCounts;
}

/** Claims without a result after which a remittance is taken to be what kills its workers. */
const MAX_CLAIMS = 25;

const OUR_FAULT: PhaseFailure = {
  code: 'ERROR_INTERNAL_SERVER_ERROR',
  message: CATALOGUE.ERROR_INTERNAL_SERVER_ERROR.message,
};

/** What became of a step; the one that goes on is held for its next phase. */
type Outcome =
  | { readonly kind: 'advanced'; readonly held: Held | undefined }
  | { readonly kind: 'retried' | 'released' | 'failed' | 'poisoned'; readonly failure?: PhaseFailure };

/**
 * Carries a claimed remittance on, phase after phase, as far as it goes. Whatever a process does and wherever it dies,
 * the effect of a phase is written once: with the move to the next one, and on the condition that it is still to be made.
 * Never throws. What it gives up through `signal` is due again at once, its attempt not counted.
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
    await failPhase(deps, held, OUR_FAULT);
    return { kind: 'poisoned', failure: OUR_FAULT };
  }
  if (deps.clock() >= held.leaseUntil) {
    // A process that stood still (suspended, starved) must not ask a provider beside the next worker.
    throw new LeaseLostError();
  }
  const notAllowed = await unlessAborted(signal, () => whyNotAllowed(deps, document));
  if (notAllowed.aborted) {
    return giveUp(deps, held);
  }
  if (notAllowed.value) {
    return fail(deps, held, notAllowed.value);
  }
  const input = openInput(deps.box, document);
  const answer = await unlessAborted(signal, () =>
    PHASE_WORK[document.phase].ask(deps, { remittance: document, input, at: deps.clock() }, callOf(document)),
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
        tellUnused(deps, held, 'accepted');
      }
      return advanced;
    }
    case 'refused': {
      const refused = await fail(deps, held, { code: answer.code, message: answer.reason }, step);
      if (refused.failure?.code !== answer.code) {
        tellUnused(deps, held, answer.code);
      }
      return refused;
    }
    case 'unavailable':
      return retry(deps, held, answer.reason);
  }
}

/**
 * Tells an answer that came after its user had been blocked: the remittance has failed for that, and nothing else keeps
 * the answer. A funding provider that accepted has the payer's request still, under this idempotency key.
 */
function tellUnused({ log }: WorkDeps, { document }: Held, answer: 'accepted' | ErrorCode): void {
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

/** The fault behind the last delay of the schedule is final. */
async function retry(deps: WorkDeps, held: Held, reason: string): Promise<Outcome> {
  const { retrySeconds } = deps.settings;
  const next = afterFailure(
    { retrySeconds, maxAttempts: retrySeconds.length + 1 },
    held.document.attempts + 1,
  );
  if (next.kind === 'dead_letter') {
    return fail(deps, held, OUR_FAULT);
  }
  const failure: PhaseFailure = { code: OUR_FAULT.code, message: reason };
  await postpone(deps, held, failure, next.delayMs);
  return { kind: 'retried', failure };
}

/** A fault of the store, or a bug: an attempt like one that found its provider away. @throws what can't be written */
async function recover(deps: WorkDeps, held: Held, error: unknown): Promise<Outcome> {
  if (error instanceof LeaseLostError) {
    throw error;
  }
  const { tenantId, correlationId, phase } = held.document;
  deps.log.error({ tenantId, correlationId, phase, err: error }, 'pipeline.fault');
  return retry(deps, held, OUR_FAULT.message);
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
