import { OperatorError } from '../errors/operator-error.ts';

/**
 * Thrown when there is no database to work with. The message tells the operator what is wrong and what to do, without
 * credentials.
 */
export class DatabaseError extends OperatorError {
  override readonly name = 'DatabaseError';
}
