import { type Failure, fail, type Result } from '../kernel/errors/result.ts';

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
