import { type Refusal, type Result, refuse } from '../platform/errors/refusal.ts';

/** What of a registration another user of the tenant has already (document 1, "RegisterUserParams"). */
export function alreadyUsed(fields: readonly ('phoneNumber' | 'email')[]): Result<never> {
  return {
    ok: false,
    refusals: fields.map(
      (field): Refusal => ({
        code: 'ERROR_REQUEST_MONEY_FULL',
        message: `${field} is already used by another user`,
        path: [field],
      }),
    ),
  };
}

/** The tenant has no such user; another tenant's is not told from one that is not there. */
export function noSuchUser(): Result<never> {
  return refuse('ERROR_SUBSCRIBER_NOT_FOUND');
}
