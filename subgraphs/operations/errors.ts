import { fail, type Result } from '../kernel/errors/result.ts';

/** The operation's status does not lead to the requested one. */
export function illegalMove(from: string, to: string): Result<never> {
  return fail('INVALID_TRANSITION', `An operation cannot move from ${from} to ${to}.`);
}

/** The operationId belongs to another operation than that of this money request. */
export function operationIdTaken(operationId: string): Result<never> {
  return fail('VALIDATION_FAILED', `The operation ${operationId} belongs to something else.`, [
    'operationId',
  ]);
}

/** The correlation id belongs to another request. */
export function correlationIdTaken(): Result<never> {
  return fail('ERROR_CORRELATION_ID_ALREADY_USED', undefined, ['correlationId']);
}

/** A blocked or erased user cannot request money. */
export function userBlocked({ isErased }: { readonly isErased?: boolean }): Result<never> {
  return fail('ERROR_INVALID_OPERATION', isErased ? 'The user is erased.' : 'The user is blocked.');
}
