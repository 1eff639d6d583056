import { OperatorError } from '../errors/operator-error.ts';

/**
 * Thrown when there is no database to work with. The message names the fault and the fix for the operator, without
 * credentials.
 */
export class DatabaseError extends OperatorError {
  override readonly name = 'DatabaseError';
}
