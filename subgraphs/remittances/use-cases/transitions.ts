import type { UpdateQuery } from 'mongoose';
import { timesOf } from '../../kernel/clock/account-clock.ts';
import { queueKey, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { CATALOGUE } from '../../kernel/errors/catalogue.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { deliveriesData } from '../../runtime/events/index.ts';
import type { Claimed } from '../../runtime/work/claim.ts';
import { UserNotAllowedError } from '../../users/index.ts';
import { identify } from '../../webhooks/queue.ts';
import type { PipelineDeps, PipelineSettings } from '../deps.ts';
import { type Phase, phaseAfter } from '../lifecycle.ts';
import type { FailedAttempt, RemittanceDocument, RemittanceError } from '../store/model.ts';
import type { Held } from '../store/remittance-repository.ts';
import { sealInput, withoutUsedCard } from '../store/sealed-input.ts';
import { logEntry, toOutcome } from './partner-events.ts';
import { PHASE_WORK, type Step } from './phases.ts';

/** The dependencies for moves of remittances. */
export type TransitionDeps = Omit<PipelineDeps, 'log'> & { settings: PipelineSettings };

type Deps = TransitionDeps;

/** The reason why a remittance fails. */
export type PhaseFailure = Pick<RemittanceError, 'code' | 'message'>;

/** The result of a finished phase: the next phase, or the end, which may be a failure. */
type Advanced =
  | {
      readonly kind: 'advanced';
      /** Later phases that are done too, because they call nobody. */
      readonly passed: readonly Phase[];
      readonly next: Claimed<RemittanceDocument> | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: PhaseFailure }
  /** Nothing is saved: the user may not transact, and the payer has been asked. */
  | { readonly kind: 'asked_in_vain'; readonly failure: PhaseFailure };

/** The move of a remittance in a transaction. */
interface Moves {
  /** The remittance in each phase that it only passes through. */
  readonly passed: readonly RemittanceDocument[];
  readonly after: RemittanceDocument;
}

/**
 * Saves the effect of a finished phase, and moves the remittance to the next phase that calls a provider, in one transaction
 * that succeeds only while the user may transact. Otherwise no effect is saved and the remittance fails. The lease is renewed
 * for the next phase.
 * @returns the remittance after it, leased for its next phase, or without a lease when it has succeeded; or why it failed
 * @throws LeaseLostError
 */
export async function advance(deps: Deps, held: Claimed<RemittanceDocument>, step: Step): Promise<Advanced> {
  const { document } = held;
  const { accountId, userId } = document;
  try {
    return await saveAdvance(deps, held, step, async (unit) => {
      deps.users.requireUnblocked(accountId, userId, unit);
      return undefined;
    });
  } catch (error) {
    if (!(error instanceof UserNotAllowedError)) {
      throw error;
    }
    // This is rare, so the reason is only read now. The user may have been unblocked meanwhile.
    const failure = document.phase === 'REQUEST_MONEY' ? await findBlock(deps, document) : undefined;
    if (failure) {
      return { kind: 'asked_in_vain', failure };
    }
    return saveAdvance(deps, held, step, (unit) => findBlock(deps, document, unit));
  }
}

async function saveAdvance(
  deps: Deps,
  held: Claimed<RemittanceDocument>,
  step: Step,
  checkUser: (unit: UnitOfWork) => Promise<PhaseFailure | undefined>,
): Promise<Advanced> {
  const { document } = held;
  const now = deps.clock();
  const leaseUntil = new Date(now.getTime() + deps.settings.leaseSeconds * 1000);
  const { passed, after } = await save(deps, held, async (unit) => {
    const failure = await checkUser(unit);
    if (failure && document.phase === 'REQUEST_MONEY') {
      // Blocked again since the check before: the next attempt sees it.
      throw new UserNotAllowedError(failure.message);
    }
    if (failure) {
      return { passed: [], after: toFailed(document, failure, step.at) };
    }
    const moves = await pass(deps, withoutHold(document), step, unit);
    return { ...moves, after: withHold(deps, held, step, leaseUntil, moves.after) };
  });
  if (after.status === 'FAILED' && after.lastError) {
    return { kind: 'failed', failure: toFailure(after.lastError) };
  }
  const isHeld = after.status === 'IN_PROGRESS';
  return {
    kind: 'advanced',
    passed: passed.map(({ phase }) => phase),
    next: isHeld ? { ...held, document: after, leaseUntil, dueAt: now } : undefined,
  };
}

/** Saves the effect of the remittance's phase, and of later phases that call nobody. */
async function pass(
  deps: Deps,
  remittance: RemittanceDocument,
  step: Step,
  unit: UnitOfWork,
): Promise<Moves> {
  const after = await passOne(deps, { ...step, remittance }, unit);
  if (after.status !== 'IN_PROGRESS' || PHASE_WORK[after.phase].callProvider) {
    return { passed: [], after };
  }
  const moves = await pass(deps, after, step, unit);
  return { ...moves, passed: [after, ...moves.passed] };
}

/** Saves the effect of the remittance's phase. @returns the remittance in the next phase, or succeeded */
export async function passOne(deps: Deps, step: Step, unit: UnitOfWork): Promise<RemittanceDocument> {
  const { lastError: _, isAsking: __, ...remittance } = step.remittance;
  const made = await PHASE_WORK[remittance.phase].saveAccepted(deps, step, unit);
  const phase = phaseAfter(remittance.phase);
  const moved = {
    ...remittance,
    ...made,
    ...factOf(step.remittance),
    version: remittance.version + 1,
    claims: 0,
    updatedAt: step.at,
  };
  if (phase === undefined) {
    const { isOpen: _isOpen, ...ended } = moved;
    return { ...ended, status: 'SUCCEEDED' };
  }
  // The call follows at once: its mark needs no write of its own.
  const asking = phase === 'REQUEST_MONEY' && { isAsking: true as const };
  return { ...moved, ...asking, phase, phaseSince: deps.clock(), attempts: 0 };
}

/**
 * Whether the payer may have been asked before this attempt: a call ended without a readable answer, or its process died in
 * it. The mark of a call that follows a move at once is its own.
 */
export function mayHaveBeenAsked({ payerMayHaveBeenAsked, isAsking, claims }: RemittanceDocument): boolean {
  return payerMayHaveBeenAsked === true || (isAsking === true && claims > 0);
}

/** The fact as it is stored. */
function factOf(document: RemittanceDocument): Pick<RemittanceDocument, 'payerMayHaveBeenAsked'> {
  return mayHaveBeenAsked(document) ? { payerMayHaveBeenAsked: true } : {};
}

/** An unfinished remittance keeps its lease for its next phase, and the parts of the call that it still needs. */
function withHold(
  { box }: Deps,
  { leaseToken }: Held,
  { input }: Step,
  leaseUntil: Date,
  after: RemittanceDocument,
): RemittanceDocument {
  return after.status === 'IN_PROGRESS'
    ? {
        ...after,
        nextAttemptAt: leaseUntil,
        leaseToken,
        private: sealInput(box, after, withoutUsedCard(input, after.phase)),
      }
    : after;
}

/** An ended remittance: without a lease, and without the sealed parts of the call. */
export function withoutHold({ leaseToken: _, private: __, ...rest }: RemittanceDocument): RemittanceDocument {
  return rest;
}

/**
 * Ends a remittance in its phase. @param step of a provider's rejection, which may change more than the remittance. When the
 * user may not transact any more, that is why it fails, and nothing else changes @returns why it has failed @throws
 * LeaseLostError
 */
export async function failPhase(
  deps: Deps,
  held: Held,
  failure: PhaseFailure,
  step?: Step,
): Promise<PhaseFailure> {
  const { document } = held;
  const at = step?.at ?? deps.accountClock(document.accountId);
  const { after } = await save(deps, held, async (unit) => {
    const block = step && (await findBlock(deps, document, unit));
    if (step && !block) {
      await PHASE_WORK[document.phase].saveRejection?.(deps, step, failure.code, unit);
    }
    return { passed: [], after: toFailed(document, block ?? failure, at) };
  });
  return after.lastError ? toFailure(after.lastError) : failure;
}

/** A remittance that fails with an attempt of its phase. */
function toFailed(document: RemittanceDocument, failure: PhaseFailure, at: Date): RemittanceDocument {
  return {
    ...toEnded(document, failure, at),
    attempts: document.attempts + 1,
    failures: withFailure(document, { ...failure, occurredAt: at }),
  };
}

/** A remittance that fails, without an attempt. */
export function toEnded(document: RemittanceDocument, failure: PhaseFailure, at: Date): RemittanceDocument {
  const { isOpen: _, isAsking: __, ...rest } = withoutHold(document);
  return {
    ...rest,
    ...factOf(document),
    status: 'FAILED',
    version: document.version + 1,
    claims: 0,
    lastError: { ...failure, occurredAt: at },
    updatedAt: at,
  };
}

/** Most failed attempts that a remittance keeps: the newest. With the documented delays there are at most 15. */
const MOST_FAILURES = 50;

/** The failed attempts of a remittance, with one more. */
export function withFailure(
  { failures = [], phase, attempts }: RemittanceDocument,
  failure: RemittanceError & Pick<FailedAttempt, 'nextAttemptAt' | 'payerMayHaveBeenAsked'>,
): FailedAttempt[] {
  return [...failures, { ...failure, phase, attempt: attempts + 1 }].slice(-MOST_FAILURES);
}

function toFailure({ code, message }: RemittanceError): PhaseFailure {
  return { code, message };
}

/**
 * Why the user of a remittance may not transact: blocked, or missing; undefined when they may. @param unit a transaction for
 * which the answer holds until it ends
 */
export async function findBlock(
  { users }: Pick<Deps, 'users'>,
  { accountId, userId }: RemittanceDocument,
  unit?: UnitOfWork,
): Promise<PhaseFailure | undefined> {
  const user = await users.accountState(accountId, userId, unit);
  if (!user) {
    const code = 'ERROR_SUBSCRIBER_NOT_FOUND';
    return { code, message: CATALOGUE[code].message };
  }
  return user.blocked ? { code: 'ERROR_INVALID_OPERATION', message: 'The user is blocked.' } : undefined;
}

/**
 * Leaves a phase to another attempt. @param wasAsked whether the payer may have been asked, by this attempt or before
 * @throws LeaseLostError
 */
export async function postpone(
  deps: Deps,
  held: Held,
  failure: PhaseFailure,
  { delayMs, wasAsked }: { readonly delayMs: number; readonly wasAsked: boolean },
): Promise<void> {
  const { at, now } = timesOf(deps, held.document.accountId);
  const nextAttemptAt = new Date(now.getTime() + delayMs);
  const lastError = { ...failure, occurredAt: at };
  const update = {
    $set: {
      attempts: held.document.attempts + 1,
      claims: 0,
      lastError,
      failures: withFailure(held.document, {
        ...lastError,
        nextAttemptAt,
        ...(wasAsked && { payerMayHaveBeenAsked: true }),
      }),
      nextAttemptAt,
      waitMs: delayMs,
      updatedAt: at,
      ...(wasAsked && { payerMayHaveBeenAsked: true as const }),
    },
    $unset: { leaseToken: 1 as const, isAsking: 1 as const },
  };
  await deps.transaction(async (unit) => deps.remittances.change(held, update, unit));
}

/**
 * Writes moves: effects, remittance, events and, when the status has changed to an end, the outcome, in one transaction; runs
 * again after a lost race. @throws LeaseLostError
 */
export async function save(
  deps: Deps,
  held: Held,
  effect: (unit: UnitOfWork) => Promise<Moves>,
): Promise<Moves> {
  const { accountId, userId } = held.document;
  const tenant = await deps.tenants.find(accountId);
  return retryOnConflict(() =>
    deps.transaction(
      async (unit) => {
        const moves = await effect(unit);
        deps.remittances.change(held, toUpdate(held.document, moves.after), unit);
        publishMoves(deps, tenant, held.document, moves, unit);
        return moves;
      },
      queueKey(accountId, { userId }),
    ),
  );
}

/** Saves the events of moves, and the outcome when the status has changed to an end. */
export function publishMoves(
  deps: Pick<Deps, 'events' | 'webhooks'>,
  tenant: Tenant | undefined,
  before: RemittanceDocument,
  { passed, after }: Moves,
  unit: UnitOfWork,
): void {
  const hasEnded = after.status !== 'IN_PROGRESS' && after.status !== before.status;
  const outcome = hasEnded ? tenant && toOutcome(tenant, after) : undefined;
  const deliveries = identify(outcome ? [outcome] : []);
  deps.events.append(
    [...passed, after].map((one) =>
      logEntry(one, before.status, one === after ? deliveriesData(deliveries) : {}),
    ),
    unit,
  );
  deps.webhooks.enqueue(deliveries, unit);
}

/** The update from one document to the other: fields that differ, and fields that are gone. */
export function toUpdate(
  before: RemittanceDocument,
  after: RemittanceDocument,
): UpdateQuery<RemittanceDocument> {
  const was = new Map<string, unknown>(Object.entries(before));
  const set = Object.entries(after).filter(([field, value]) => was.get(field) !== value);
  // The mark of a step's own call is stored, and not in the document that the step began with.
  const gone = [...Object.keys(before), 'isAsking'].filter((field) => !(field in after));
  return {
    $set: Object.fromEntries(set),
    ...(gone.length > 0 ? { $unset: Object.fromEntries(gone.map((field) => [field, 1])) } : {}),
  };
}
