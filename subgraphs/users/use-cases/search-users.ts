import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { AccountId } from '../../kernel/account.ts';
import { nameWords } from '../../kernel/person/name-words.ts';
import { isPhoneText, phonesMeant } from '../../kernel/person/searched-phone.ts';
import { CONTACT_ID } from '../contact.ts';
import type { UsersDeps } from '../deps.ts';
import { PAYMENT_METHOD_ID } from '../payment-method.ts';
import type { PayerContact } from '../port.ts';
import type { PersonKey } from '../user.ts';

/** Names have a letter, and none of the characters that ids, emails and URLs have; their other punctuation does not count. */
const NAME = /^[^\p{Nd}@_/:{}%|]*\p{L}[^\p{Nd}@_/:{}%|]*$/u;
const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

/** Finds users by id, by the partner's own id, by all words of a name, and by the phone number and email that they are registered with. */
export function searchUsers(deps: Pick<UsersDeps, 'users' | 'tenants'>): SearchSource {
  const { users } = deps;
  return {
    type: 'User',
    search: ({ accountId }, text, first) => {
      const withKey = async (by: PersonKey) => {
        const found = await users.findBy(accountId, by);
        return found ? [found.userId] : [];
      };
      return hitsOf({
        ID: users.findMany(accountId, [text]).then((found) => found.keys()),
        USER_REFERENCE_ID: users
          .list(accountId, { filter: { referenceId: text }, keys: [], order: NEWEST_FIRST }, { first: 1 })
          .then(({ nodes }) => nodes.map(({ userId }) => userId)),
        ...(NAME.test(text) ? { NAME: users.findByName(accountId, nameWords([text]), first) } : {}),
        ...(isPhoneText(text) ? { PHONE_NUMBER: findByPhone(deps, accountId, text) } : {}),
        ...(text.includes('@') ? { EMAIL: withKey({ email: text }) } : {}),
      });
    },
  };
}

/** Finds contacts, who are the payers, by id and by phone number, newest first. */
export function searchContacts(deps: Pick<UsersDeps, 'contacts' | 'tenants'>): SearchSource {
  const { contacts } = deps;
  const withId = byId('Contact', CONTACT_ID, (accountId, ids) => contacts.findMany(accountId, ids));
  return {
    type: 'Contact',
    search: async (principal, text, first) => {
      if (!isPhoneText(text)) {
        return withId.search(principal, text, first);
      }
      const found = await contactsByPhone(deps, principal.accountId, text, first);
      return found.map(({ contactId: id }) => ({ id, matchedBy: 'PHONE_NUMBER' }));
    },
  };
}

/** Finds payout methods by id. */
export function searchPaymentMethods({ paymentMethods }: Pick<UsersDeps, 'paymentMethods'>): SearchSource {
  return byId('PaymentMethod', PAYMENT_METHOD_ID, (accountId, ids) =>
    paymentMethods.findMany(accountId, ids),
  );
}

/** Finds records by id alone. Other texts ask the database nothing. @param prefix of all ids of the type */
function byId(
  type: string,
  prefix: string,
  findMany: (accountId: AccountId, ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
): SearchSource {
  return {
    type,
    search: async ({ accountId }, text) =>
      text.startsWith(prefix)
        ? hitsOf({ ID: findMany(accountId, [text]).then((found) => found.keys()) })
        : [],
  };
}

/** Users who are registered with the number; several, if the text is one of several countries. */
async function findByPhone(
  deps: Pick<UsersDeps, 'users' | 'tenants'>,
  accountId: AccountId,
  text: string,
): Promise<string[]> {
  const numbers = await phonesOf(deps, accountId, text);
  const found = numbers.length === 0 ? new Map() : await deps.users.findByPhones(accountId, numbers);
  return [...found.values()].map(({ userId }) => userId);
}

/** {@link UsersPort.phoneKeysOf} */
export async function phoneKeysOf(
  deps: Pick<UsersDeps, 'tenants' | 'keys'>,
  accountId: AccountId,
  text: string,
): Promise<string[]> {
  return (await phonesOf(deps, accountId, text)).map((number) => deps.keys.phone(accountId, number));
}

/** {@link UsersPort.contactsByPhone} */
export async function contactsByPhone(
  deps: Pick<UsersDeps, 'contacts' | 'tenants'>,
  accountId: AccountId,
  text: string,
  most: number,
): Promise<PayerContact[]> {
  const numbers = await phonesOf(deps, accountId, text);
  return numbers.length === 0 ? [] : deps.contacts.findByPhones(accountId, numbers, most);
}

/** The numbers in E.164 that a text may mean to the partner; none for a text that is no phone number. */
async function phonesOf(
  { tenants }: Pick<UsersDeps, 'tenants'>,
  accountId: AccountId,
  text: string,
): Promise<string[]> {
  if (!isPhoneText(text)) {
    return [];
  }
  const { country, sourceCountry, countries = [], dialCodes = [] } = (await tenants.find(accountId)) ?? {};
  const places = [sourceCountry, country, ...countries].filter((place) => place !== undefined);
  return phonesMeant(text, { countries: [...new Set(places)], dialCodes });
}
