import { type Result, refuse } from '../platform/errors/refusal.ts';

/** The operation is in a state from which the wanted one can't be reached. */
export function illegalMove(from: string, to: string): Result<never> {
  return refuse('INVALID_TRANSITION', `An operation cannot move from ${from} to ${to}.`);
}

/** The operationId given belongs to an operation that is not this ask's. */
export function operationIdTaken(operationId: string): Result<never> {
  return refuse('VALIDATION_FAILED', `The operation ${operationId} belongs to something else.`, [
    'operationId',
  ]);
}
