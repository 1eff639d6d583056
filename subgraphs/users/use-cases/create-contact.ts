import { retryOnConflict } from '../../kernel/database/transaction.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { readContact } from '../commands/contact.ts';
import type { ContactRecord } from '../contact.ts';
import type { UsersDeps } from '../deps.ts';
import { noSuchUser } from '../errors.ts';
import { keepContact } from './keep-contact.ts';

/**
 * Creates a contact of a user, or updates the one with the same phone number. Fails with ERROR_SUBSCRIBER_NOT_FOUND, then as
 * {@link readContact} does. @param body the JSON value of RequestToParams
 */
export async function createContact(
  deps: Pick<UsersDeps, 'users' | 'contacts' | 'tenants' | 'transaction' | 'clock'>,
  { tenantId }: Principal,
  userId: string,
  body: unknown,
): Promise<Result<ContactRecord>> {
  if (!(await deps.users.identify(tenantId, { userId }))) {
    return noSuchUser();
  }
  const tenant = await deps.tenants.find(tenantId);
  const read = readContact(body, { dialCodes: tenant?.dialCodes ?? [] });
  if (!read.ok) {
    return read;
  }
  const kept = { tenantId, userId, contact: read.value, at: deps.clock() };
  return succeed(await retryOnConflict(() => deps.transaction((unit) => keepContact(deps, kept, unit))));
}
