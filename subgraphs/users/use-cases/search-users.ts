import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { AccountId } from '../../kernel/account.ts';
import { readPhone } from '../../kernel/person/phone.ts';
import { CONTACT_ID } from '../contact.ts';
import type { UsersDeps } from '../deps.ts';
import { PAYMENT_METHOD_ID } from '../payment-method.ts';
import type { PersonKey } from '../user.ts';

/** Digits with what people write between them. */
const PHONE = /^[+(\d][\d\s()./-]{4,30}$/;
const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

/** Finds users by id, by the partner's own id, and by the phone number and email that they are registered with. */
export function searchUsers(deps: Pick<UsersDeps, 'users' | 'tenants'>): SearchSource {
  const { users } = deps;
  return {
    type: 'User',
    search: ({ accountId }, text) => {
      const withKey = async (by: PersonKey) => {
        const found = await users.findBy(accountId, by);
        return found ? [found.userId] : [];
      };
      return hitsOf({
        ID: users.findMany(accountId, [text]).then((found) => found.keys()),
        USER_REFERENCE_ID: users
          .list(accountId, { filter: { referenceId: text }, keys: [], order: NEWEST_FIRST }, { first: 1 })
          .then(({ nodes }) => nodes.map(({ userId }) => userId)),
        ...(PHONE.test(text) ? { PHONE_NUMBER: findByPhone(deps, accountId, text) } : {}),
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
      if (!PHONE.test(text)) {
        return withId.search(principal, text, first);
      }
      const { accountId } = principal;
      const numbers = await phonesOf(deps, accountId, text);
      const found = numbers.length === 0 ? [] : await contacts.findByPhones(accountId, numbers, first);
      return found.map((id) => ({ id, matchedBy: 'PHONE_NUMBER' }));
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

/**
 * The numbers in E.164 that a text may mean: international, with `+`, `00` or neither, or national in any country whose
 * numbers the partner accepts.
 */
async function phonesOf(
  { tenants }: Pick<UsersDeps, 'tenants'>,
  accountId: AccountId,
  text: string,
): Promise<string[]> {
  const digits = text.replaceAll(/\D/g, '');
  const isInternational = text.startsWith('+');
  const tenant = isInternational ? undefined : await tenants.find(accountId);
  const national = digits.replace(/^0+/, '');
  const forms = [
    isInternational ? `+${digits}` : `+${digits.replace(/^00/, '')}`,
    ...(tenant?.dialCodes ?? []).map((code) => `${code}${national}`),
  ];
  return [...new Set(forms.flatMap((form) => readPhone(form)?.e164 ?? []))];
}
