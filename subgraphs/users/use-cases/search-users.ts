import { hitsOf, type SearchSource } from '../../platform/graphql/search.ts';
import { readPhone } from '../../platform/person/phone.ts';
import type { UsersDeps } from '../deps.ts';
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
