import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequestListing } from '../store/money-request-repository.ts';
import { fundingUrl, referenceInLanding } from './payer-links.ts';

const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

/**
 * Finds money requests by the partner's reference, by requestId, by the Idempotency-Key of their creation, by a URL of the payer,
 * and by the partner's own id of the requester.
 */
export function searchMoneyRequests({
  moneyRequests,
  idempotency,
  tenants,
}: Pick<RequestMoneyDeps, 'moneyRequests' | 'idempotency' | 'tenants'>): SearchSource {
  return {
    type: 'RequestMoney',
    search: ({ accountId }, text, first) => {
      const newest = async (filter: MoneyRequestListing['filter'], limit: number) => {
        const { nodes } = await moneyRequests.list(
          accountId,
          { filter, order: NEWEST_FIRST },
          { first: limit },
        );
        return nodes.map(({ referenceId }) => referenceId);
      };
      const withReference = async (referenceId: string) =>
        (await moneyRequests.findMany(accountId, [referenceId])).keys();
      const withUrl = async () => {
        const tenant = await tenants.find(accountId);
        const inLanding = tenant && referenceInLanding(tenant, text);
        return inLanding === undefined
          ? newest({ fundRequestLink: toFundingUrl(text, tenant) }, 1)
          : withReference(inLanding);
      };
      return hitsOf({
        REFERENCE_ID: withReference(text),
        ID: moneyRequests.findByRequestId(accountId, text),
        IDEMPOTENCY_KEY: idempotency.findByKey(accountId, text),
        URL: withUrl(),
        USER_REFERENCE_ID: newest({ userReferenceId: text }, first),
      });
    },
  };
}

/** The text, or the URL with this text as its token. */
function toFundingUrl(text: string, tenant: Tenant | undefined): string {
  return text.includes('/') || !tenant?.widgetBaseUrl ? text : fundingUrl(tenant.widgetBaseUrl, text);
}
