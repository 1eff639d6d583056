import { hitsOf, type SearchSource } from '../../platform/graphql/search.ts';
import type { RequestMoneyDeps } from '../deps.ts';

const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

/** Finds money requests by the partner's reference, and by its own id of the requester. */
export function searchMoneyRequests({
  moneyRequests,
}: Pick<RequestMoneyDeps, 'moneyRequests'>): SearchSource {
  return {
    type: 'RequestMoney',
    search: ({ tenantId }, text, first) =>
      hitsOf({
        REFERENCE_ID: moneyRequests.findMany(tenantId, [text]).then((found) => found.keys()),
        USER_REFERENCE_ID: moneyRequests
          .list(tenantId, { filter: { userReferenceId: text }, order: NEWEST_FIRST }, { first })
          .then(({ nodes }) => nodes.map(({ referenceId }) => referenceId)),
      }),
  };
}
