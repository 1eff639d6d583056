import { type Failure, fail, type Result, succeed } from '../kernel/errors/result.ts';
import { UserNotAllowedError } from './port.ts';

/** The fields of a registration that another user of the tenant has (document 1, "RegisterUserParams"). */
export function alreadyUsed(fields: readonly ('phoneNumber' | 'email')[]): Result<never> {
  return {
    ok: false,
    failures: fields.map(
      (field): Failure => ({
        code: 'ERROR_REQUEST_MONEY_FULL',
        message: `${field} is already used by another user`,
        path: [field],
      }),
    ),
  };
}

/** The tenant has no such user. Another tenant's user gets the same answer. */
export function noSuchUser(): Result<never> {
  return fail('ERROR_SUBSCRIBER_NOT_FOUND');
}

/** Does work that requires that its user is not erased. Fails with USER_ERASED. */
export async function unlessErased<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return succeed(await work());
  } catch (error) {
    if (error instanceof UserNotAllowedError) {
      return fail('USER_ERASED');
    }
    throw error;
  }
}
