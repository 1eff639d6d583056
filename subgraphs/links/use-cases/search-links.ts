import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { LinksDeps } from '../deps.ts';
import type { LinkFilter } from '../store/listing.ts';

const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

/** Finds links by id, by URL or the token at its end, and by the partner's own id of the user. */
export function searchLinks({
  links,
  tenants,
  accountClock,
}: Pick<LinksDeps, 'links' | 'tenants' | 'accountClock'>): SearchSource {
  return {
    type: 'Link',
    search: ({ accountId }, text, first) => {
      const newest = async (filter: LinkFilter, limit: number) => {
        const listing = { filter, order: NEWEST_FIRST };
        const { nodes } = await links.list(accountId, listing, accountClock(accountId), { first: limit });
        return nodes.map(({ linkId }) => linkId);
      };
      const withUrl = async () => {
        const tenant = text.includes('/') ? undefined : await tenants.find(accountId);
        return newest({ url: tenant ? `${tenant.widgetBaseUrl ?? ''}/w/${text}` : text }, 1);
      };
      return hitsOf({
        ID: links.findMany(accountId, [text]).then((found) => found.keys()),
        URL: withUrl(),
        USER_REFERENCE_ID: newest({ referenceId: text }, first),
      });
    },
  };
}
