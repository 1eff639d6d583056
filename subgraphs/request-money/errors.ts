import type { Refusal, Result } from '../platform/errors/refusal.ts';
import { refuse } from '../platform/errors/refusal.ts';

/** Every fault of a body, as the 422 of document 2. */
export function invalidBody(faults: readonly Refusal[]): Result<never> {
  return { ok: false, refusals: faults };
}

/** The move is not in the table of decisions, section 3. */
export function illegalMove(from: string, to: string): Result<never> {
  return refuse('INVALID_TRANSITION', `A request cannot move from ${from} to ${to}.`);
}

/**
 * One refusal that stands for all, as an event tells it: a body with several faults is one failure.
 */
export function summarizeRefusals(refusals: readonly Refusal[]): Pick<Refusal, 'code' | 'message'> {
  const [first] = refusals;
  if (!first) {
    throw new TypeError('A refused call has a reason');
  }
  return first.code === 'VALIDATION_FAILED'
    ? { code: first.code, message: validationMessage(refusals) }
    : first;
}

/** The `message` of a validation 422: what is wrong first, and how much more there is. */
export function validationMessage(faults: readonly Refusal[]): string {
  const [first] = faults;
  const told = [first?.path?.join('.'), first?.message].filter(Boolean).join(' ');
  return faults.length > 1 ? `${told} (and ${faults.length - 1} more)` : told;
}
