import { isDeepStrictEqual } from 'node:util';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { ContactRecord } from '../contact.ts';
import type { UsersDeps } from '../deps.ts';
import type { KeepContact } from '../port.ts';
import { personOf } from '../store/contact-repository.ts';

/**
 * {@link UsersPort.keepContact}. Fields that are not given keep their values. It writes nothing when nothing changes, so that
 * requests to the same contact do not wait for each other.
 */
export async function keepContact(
  { contacts }: Pick<UsersDeps, 'contacts'>,
  input: KeepContact,
  unit: UnitOfWork,
): Promise<ContactRecord> {
  const { phoneNumber } = input.contact;
  const found = await contacts.find(input, { phoneNumber }, unit);
  if (!found) {
    return contacts.insert({ ...input, contact: personOf(input.contact) }, unit);
  }
  const updated = { ...found, ...personOf(input.contact) };
  if (!isDeepStrictEqual(updated, found)) {
    contacts.update(input.accountId, updated, unit);
  }
  return updated;
}
