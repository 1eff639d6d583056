import { readPhone } from '../../kernel/person/phone.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { UsersDeps } from '../deps.ts';
import type { PersonKey, UserRecord } from '../user.ts';

/** The user registered with an email, or with a phone number in E.164 or the national form of the tenant's country. */
export async function findPerson(
  { users, tenants }: Pick<UsersDeps, 'users' | 'tenants'>,
  { accountId }: Principal,
  by: PersonKey,
): Promise<UserRecord | undefined> {
  if ('email' in by) {
    return users.findBy(accountId, by);
  }
  const tenant = await tenants.find(accountId);
  const phone = readPhone(by.phoneNumber, tenant?.country);
  return phone && users.findBy(accountId, { phoneNumber: phone.e164 });
}
