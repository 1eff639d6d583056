import { type Unaborted, unlessAborted } from '../../kernel/abort.ts';
import { LONGEST_CALL_MS } from '../../kernel/config/work-settings.ts';
import { CATALOGUE, type ErrorCode } from '../../kernel/errors/catalogue.ts';
import { providerKey } from '../../providers/provider-key.ts';
import type { ProviderAnswer, WithdrawalAnswer } from '../../providers/types.ts';
import type { Withdrawal } from '../../providers/withdrawal.ts';
import type { Claimed } from '../../runtime/work/claim.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { Held } from '../store/remittance-repository.ts';
import { openInput } from '../store/sealed-input.ts';
import { PHASE_WORK, type Step } from './phases.ts';
import { findBlock, type PhaseFailure, type TransitionDeps } from './transitions.ts';
import { askToWithdraw, pendingWithdrawal } from './withdraw-request.ts';

export interface WorkDeps extends TransitionDeps {
  log: PipelineDeps['log'];
  tracing: PipelineDeps['tracing'];
  /** Remittances as this process has just accepted them, of users who may transact. One that is claimed later is not among them. */
  userJustChecked: WeakSet<RemittanceDocument>;
}

/** The result of a phase's work outside of transactions. */
export type Performed =
  | { readonly kind: 'not_allowed'; readonly failure: PhaseFailure }
  | {
      readonly kind: 'answered';
      readonly input: Step['input'];
      readonly answer: ProviderAnswer<ErrorCode>;
    }
  | {
      readonly kind: 'withdrawn';
      readonly input: Step['input'];
      readonly withdrawal: Withdrawal;
      readonly answer: WithdrawalAnswer;
    };

/** The answer of a phase that calls no provider. */
const NO_CALL = { kind: 'accepted' } as const;

export const INTERNAL_ERROR: PhaseFailure = {
  code: 'ERROR_INTERNAL_SERVER_ERROR',
  message: CATALOGUE.ERROR_INTERNAL_SERVER_ERROR.message,
};

export async function perform(
  deps: WorkDeps,
  claimed: Claimed<RemittanceDocument>,
  signal: AbortSignal,
): Promise<Unaborted<Performed>> {
  const { document } = claimed;
  const withdrawal = pendingWithdrawal(document);
  if (withdrawal) {
    return performWithdrawal(deps, document, withdrawal, signal);
  }
  const notAllowed = await unlessAborted(signal, () => recheckUser(deps, document));
  if (notAllowed.aborted) {
    return notAllowed;
  }
  if (notAllowed.value) {
    return { aborted: false, value: { kind: 'not_allowed', failure: notAllowed.value } };
  }
  const begun = await unlessAborted(signal, () => beginPhase(deps, claimed));
  if (begun.aborted || !begun.value) {
    return { aborted: true };
  }
  const input = openInput(deps.box, document);
  const step = { remittance: document, input, at: deps.accountClock(document.accountId) };
  const answer = await unlessAborted(signal, () => callProvider(deps, claimed, step));
  return answer.aborted
    ? answer
    : { aborted: false, value: { kind: 'answered', input, answer: answer.value } };
}

/**
 * Stores that the payer is about to be asked, where the phase asks: a process that dies from now on leaves a payer who may have
 * been asked.
 * @returns whether enough of the lease is left for the call: no payer is asked beside another worker
 */
async function beginPhase(deps: WorkDeps, claimed: Claimed<RemittanceDocument>): Promise<boolean> {
  const { phase, isAsking } = claimed.document;
  if (phase === 'REQUEST_MONEY' && isAsking === undefined) {
    const update = { $set: { isAsking: true as const } };
    await deps.transaction(async (unit) => deps.remittances.change(claimed, update, unit));
  }
  return deps.clock().getTime() + LONGEST_CALL_MS <= claimed.leaseUntil.getTime();
}

/** Calls the provider of a phase. */
async function callProvider(deps: WorkDeps, held: Held, step: Step): Promise<ProviderAnswer<ErrorCode>> {
  const { document } = held;
  try {
    return (await PHASE_WORK[document.phase].callProvider?.(deps, step, callOf(document))) ?? NO_CALL;
  } catch (error) {
    // The call may have been made.
    logFault(deps, held, error);
    return { kind: 'unavailable', reason: INTERNAL_ERROR.message };
  }
}

async function performWithdrawal(
  deps: WorkDeps,
  document: RemittanceDocument,
  withdrawal: Withdrawal,
  signal: AbortSignal,
): Promise<Unaborted<Performed>> {
  const input = openInput(deps.box, document);
  const answer = await unlessAborted(signal, () => askToWithdraw(deps, document, input, callOf(document)));
  return answer.aborted
    ? answer
    : { aborted: false, value: { kind: 'withdrawn', input, withdrawal, answer: answer.value } };
}

/**
 * Why the user may not transact any more. A step right after a commit needs no check: the commit succeeded only because the
 * user may, and acceptance has checked the same. The step's effect is saved only if that still holds.
 */
async function recheckUser(deps: WorkDeps, document: RemittanceDocument): Promise<PhaseFailure | undefined> {
  const followsAtOnce = document.claims === 0 || deps.userJustChecked.has(document);
  return followsAtOnce ? undefined : findBlock(deps, document);
}

/**
 * The same for every attempt of a phase, in every process. It is patient: attempts that fail together are due together, and
 * all but the one that tries the provider would fail again.
 */
export function callOf({ accountId, correlationId, phase }: RemittanceDocument) {
  const idempotencyKey = providerKey(accountId, correlationId, phase);
  return { idempotencyKey, accountId, operationId: correlationId, isPatient: true };
}

export function logFault({ log }: WorkDeps, { document }: Held, error: unknown): void {
  const { accountId, correlationId, phase } = document;
  log.error({ accountId, correlationId, phase, err: error }, 'pipeline.fault');
}
