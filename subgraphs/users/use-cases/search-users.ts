import { hitsOf, type SearchSource } from '../../platform/graphql/search.ts';
import { readPhone } from '../../platform/person/phone.ts';
import { CONTACT_ID } from '../contact.ts';
import type { UsersDeps } from '../deps.ts';
import { PAYMENT_METHOD_ID } from '../payment-method.ts';
import type { PersonKey } from '../user.ts';

const PHONE = /^[+\d][\d\s().-]{4,30}$/;
const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

/** Finds users by id, by the partner's own id, and by the phone number and email that they are registered with. */
export function searchUsers(deps: Pick<UsersDeps, 'users' | 'tenants'>): SearchSource {
  const { users } = deps;
  return {
    type: 'User',
    search: ({ tenantId }, text) => {
      const withKey = async (by: PersonKey) => {
        const found = await users.findBy(tenantId, by);
        return found ? [found.userId] : [];
      };
      return hitsOf({
        ID: users.findMany(tenantId, [text]).then((found) => found.keys()),
        USER_REFERENCE_ID: users
          .list(tenantId, { filter: { referenceId: text }, keys: [], order: NEWEST_FIRST }, { first: 1 })
          .then(({ nodes }) => nodes.map(({ userId }) => userId)),
        ...(PHONE.test(text) ? { PHONE_NUMBER: findByPhone(deps, tenantId, text) } : {}),
        ...(text.includes('@') ? { EMAIL: withKey({ email: text }) } : {}),
      });
    },
  };
}

/** Finds contacts by id. */
export function searchContacts({ contacts }: Pick<UsersDeps, 'contacts'>): SearchSource {
  return byId('Contact', CONTACT_ID, (tenantId, ids) => contacts.findMany(tenantId, ids));
}

/** Finds payout methods by id. */
export function searchPaymentMethods({ paymentMethods }: Pick<UsersDeps, 'paymentMethods'>): SearchSource {
  return byId('PaymentMethod', PAYMENT_METHOD_ID, (tenantId, ids) => paymentMethods.findMany(tenantId, ids));
}

/** Finds records by id alone. Other texts ask the database nothing. @param prefix of all ids of the type */
function byId(
  type: string,
  prefix: string,
  findMany: (tenantId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
): SearchSource {
  return {
    type,
    search: async ({ tenantId }, text) =>
      text.startsWith(prefix) ? hitsOf({ ID: findMany(tenantId, [text]).then((found) => found.keys()) }) : [],
  };
}

/**
 * The number in E.164, or in the national form of any country whose numbers the partner accepts: then several users may have
 * it.
 */
async function findByPhone(
  { users, tenants }: Pick<UsersDeps, 'users' | 'tenants'>,
  tenantId: string,
  text: string,
): Promise<string[]> {
  const tenant = text.startsWith('+') ? undefined : await tenants.find(tenantId);
  const forms = tenant ? tenant.dialCodes.map((code) => `${code}${text}`) : [text];
  const numbers = forms.flatMap((form) => readPhone(form)?.e164 ?? []);
  const found = numbers.length === 0 ? new Map() : await users.findByPhones(tenantId, numbers);
  return [...found.values()].map(({ userId }) => userId);
}
