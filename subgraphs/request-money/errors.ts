import type { Failure, Result } from '../platform/errors/result.ts';
import { fail } from '../platform/errors/result.ts';

/** Every fault of a body, as the 422 of document 2. */
export function invalidBody(issues: readonly Failure[]): Result<never> {
  return { ok: false, failures: issues };
}

/** The move is not in the table of decisions, section 3. */
export function illegalMove(from: string, to: string): Result<never> {
  return fail('INVALID_TRANSITION', `A request cannot move from ${from} to ${to}.`);
}

/**
 * One refusal that stands for all, as an event tells it: a body with several faults is one failure.
 */
export function summarizeFailures(failures: readonly Failure[]): Pick<Failure, 'code' | 'message'> {
  const [first] = failures;
  if (!first) {
    throw new TypeError('A refused call has a reason');
  }
  return first.code === 'VALIDATION_FAILED'
    ? { code: first.code, message: validationMessage(failures) }
    : first;
}

/** The `message` of a validation 422: what is wrong first, and how much more there is. */
export function validationMessage(issues: readonly Failure[]): string {
  const [first] = issues;
  const told = [first?.path?.join('.'), first?.message].filter(Boolean).join(' ');
  return issues.length > 1 ? `${told} (and ${issues.length - 1} more)` : told;
}
