import { OperatorError } from '../errors/operator-error.ts';

/** Why there is no database to work with. The message tells the operator what is wrong and what to do; no credentials. */
export class DatabaseError extends OperatorError {
  override readonly name = 'DatabaseError';
}
