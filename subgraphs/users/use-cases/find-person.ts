import { readPhone } from '../../kernel/person/phone.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { UsersDeps } from '../deps.ts';
import type { PersonKey, UserRecord } from '../user.ts';

/** The user registered with an email, or with a phone number in E.164 or the national form of the tenant's country. */
export async function findPerson(
  { users, tenants }: Pick<UsersDeps, 'users' | 'tenants'>,
  { tenantId }: Principal,
  by: PersonKey,
): Promise<UserRecord | undefined> {
  if ('email' in by) {
    return users.findBy(tenantId, by);
  }
  const tenant = await tenants.find(tenantId);
  const phone = readPhone(by.phoneNumber, tenant?.country);
  return phone && users.findBy(tenantId, { phoneNumber: phone.e164 });
}
