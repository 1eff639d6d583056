import type { Failure, Result } from '../kernel/errors/result.ts';
import { fail } from '../kernel/errors/result.ts';

/** The failure of a move that is not in the table of decisions, section 3. */
export function illegalMove(from: string, to: string): Result<never> {
  return fail('INVALID_TRANSITION', `A request cannot move from ${from} to ${to}.`);
}

/**
 * All failures of a call as one, for its event: a body with several issues is one failure. A rate that is too old has the code that document 2
 * has for it.
 */
export function summarizeFailures(failures: readonly Failure[]): Pick<Failure, 'code' | 'message'> {
  const [first] = failures;
  if (!first) {
    throw new TypeError('A failed call has a reason');
  }
  if (first.code === 'RATE_STALE') {
    return { code: 'SERVICE_UNAVAILABLE', message: first.message };
  }
  return first.code === 'VALIDATION_FAILED'
    ? { code: first.code, message: validationMessage(failures) }
    : first;
}

/** The `message` of a validation 422: the first issue, and how many more there are. */
function validationMessage(issues: readonly Failure[]): string {
  const [first] = issues;
  const text = [first?.path?.join('.'), first?.message].filter(Boolean).join(' ');
  return issues.length > 1 ? `${text} (and ${issues.length - 1} more)` : text;
}
