import type { AccountId } from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { type Phone, readPhone } from '../../kernel/person/phone.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { ContactRecord, UsersPort } from '../../users/index.ts';

/** The person that a user asks for money. */
export interface Payer {
  /** E.164 */
  phoneNumber: string;
  /** ISO 3166-1 alpha-2: the contact's own, else that of the phone number; undefined when neither has one. */
  country: string | undefined;
  /** The user's contact, if the payer is one already. */
  contact?: ContactRecord;
}

/** The payer, before the check of the dial code. */
interface LocatedPayer extends Payer {
  /** The phone number's dial code, such as `+52`. */
  dialCode: string;
}

type Contacts = Pick<UsersPort, 'findContact'>;
type Countries = Pick<Tenant, 'country' | 'sourceCountry' | 'countries'>;
interface Owner {
  accountId: AccountId;
  userId: string;
}

/**
 * {@link locatePayer}, and checks that the payer's dial code is one of the tenant's.
 * Failures: those of locatePayer, ERROR_PHONE_NUMBER_NOT_SUPPORTED.
 */
export async function findPayer(
  contacts: Contacts,
  tenant: Tenant,
  owner: Owner,
  requestTo: unknown,
): Promise<Result<Payer>> {
  const located = await locatePayer(contacts, tenant, owner, requestTo);
  return !located.ok || tenant.dialCodes.includes(located.value.dialCode)
    ? located
    : fail('ERROR_PHONE_NUMBER_NOT_SUPPORTED', undefined, ['requestTo']);
}

/**
 * Finds the person of `requestTo`: a phone in E.164; one in national form, first of the user's contacts, then of the tenant's
 * source country and country; or the email of one of the user's contacts (decisions, section 2, "v2"). Failures:
 * INVALID_PHONE_NUMBER, ERROR_CONTACT_NOT_FOUND.
 */
export async function locatePayer(
  contacts: Contacts,
  tenant: Countries,
  owner: Owner,
  requestTo: unknown,
): Promise<Result<LocatedPayer>> {
  if (typeof requestTo !== 'string') {
    return fail('INVALID_PHONE_NUMBER', undefined, ['requestTo']);
  }
  const contact = isEmail(requestTo)
    ? await contacts.findContact(owner, { email: requestTo.trim() })
    : await findContactByPhone(contacts, tenant, owner, requestTo);
  if (!contact && isEmail(requestTo)) {
    return fail('ERROR_CONTACT_NOT_FOUND', undefined, ['requestTo']);
  }
  const [phone] = readPhones(contact?.phoneNumber ?? requestTo, [tenant.sourceCountry, tenant.country]);
  if (!phone) {
    return fail('INVALID_PHONE_NUMBER', undefined, ['requestTo']);
  }
  const country = contact?.countryCode ?? phone.country;
  return succeed({
    phoneNumber: phone.e164,
    dialCode: phone.dialCode,
    country,
    ...(contact && { contact }),
  });
}

/** The user's contact with this phone number, in E.164 or in the national form of one of the tenant's countries. */
export async function findContactByPhone(
  contacts: Contacts,
  tenant: Countries,
  owner: Owner,
  text: string,
): Promise<ContactRecord | undefined> {
  for (const { e164 } of readPhones(text, [tenant.sourceCountry, tenant.country, ...tenant.countries])) {
    const contact = await contacts.findContact(owner, { phoneNumber: e164 });
    if (contact) {
      return contact;
    }
  }
  return undefined;
}

function isEmail(text: string): boolean {
  return text.includes('@');
}

/** The phone numbers that a text may mean, each once, in the order of the countries. */
function readPhones(text: string, countries: readonly (string | undefined)[]): Phone[] {
  const read = new Map<string, Phone>();
  for (const country of countries) {
    const phone = readPhone(text.trim(), country);
    if (phone) {
      read.set(phone.e164, read.get(phone.e164) ?? phone);
    }
  }
  return [...read.values()];
}
