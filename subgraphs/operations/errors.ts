import { fail, type Result } from '../platform/errors/result.ts';

/** The operation is in a state from which the wanted one can't be reached. */
export function illegalMove(from: string, to: string): Result<never> {
  return fail('INVALID_TRANSITION', `An operation cannot move from ${from} to ${to}.`);
}

/** The operationId given belongs to an operation that is not this ask's. */
export function operationIdTaken(operationId: string): Result<never> {
  return fail('VALIDATION_FAILED', `The operation ${operationId} belongs to something else.`, [
    'operationId',
  ]);
}

/** Every fault of a status update's body, as the 422 of document 2. */
export function invalidUpdate(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): Result<never> {
  const failures = issues.map(({ path, message }) => ({
    code: 'VALIDATION_FAILED' as const,
    message,
    path: path.map(String),
  }));
  return { ok: false, failures };
}
