import { retryOnConflict } from '../../kernel/database/transaction.ts';
import { fail, type Result } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { readContact } from '../commands/contact.ts';
import type { ContactRecord } from '../contact.ts';
import type { UsersDeps } from '../deps.ts';
import { noSuchUser, unlessErased } from '../errors.ts';
import { keepContact } from './keep-contact.ts';

/**
 * Creates a contact of a user, or updates the one with the same phone number. Fails with ERROR_SUBSCRIBER_NOT_FOUND or
 * USER_ERASED, then as {@link readContact} does. @param body the JSON value of RequestToParams
 */
export async function createContact(
  deps: Pick<UsersDeps, 'users' | 'contacts' | 'tenants' | 'transaction' | 'accountClock'>,
  { accountId }: Principal,
  userId: string,
  body: unknown,
): Promise<Result<ContactRecord>> {
  const user = await deps.users.identify(accountId, { userId });
  if (!user) {
    return noSuchUser();
  }
  if (user.isErased) {
    return fail('USER_ERASED');
  }
  const tenant = await deps.tenants.find(accountId);
  const read = readContact(body, { dialCodes: tenant?.dialCodes ?? [] });
  if (!read.ok) {
    return read;
  }
  const kept = { accountId, userId, contact: read.value, at: deps.accountClock(accountId) };
  return unlessErased(() =>
    retryOnConflict(() =>
      deps.transaction((unit) => {
        deps.users.requireNotErased(accountId, userId, unit);
        return keepContact(deps, kept, unit);
      }),
    ),
  );
}
