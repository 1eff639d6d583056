import { type Failure, fail, type Result } from '../platform/errors/result.ts';

/** What of a registration another user of the tenant has already (document 1, "RegisterUserParams"). */
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

/** The tenant has no such user. Another tenant's user has the same answer as none at all. */
export function noSuchUser(): Result<never> {
  return fail('ERROR_SUBSCRIBER_NOT_FOUND');
}
