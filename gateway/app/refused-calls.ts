import type { Environment } from '../../subgraphs/kernel/account.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { missingProviders, type ProviderUrls, URL_SETTINGS } from '../../subgraphs/providers/configured.ts';
import type { ProviderName } from '../../subgraphs/providers/types.ts';
import { REQUEST_MONEY_FEATURE } from '../../subgraphs/request-money/index.ts';

/** The values of a partner that decide which calls it can make. */
export interface CallingTenant {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly country?: string | undefined;
  readonly features: readonly string[];
}

/** Calls that need a provider, by REST and by GraphQL. */
interface Calls {
  readonly names: readonly string[];
  /** The answer of both while the provider is not configured. */
  readonly answer: string;
  canBeMadeBy(tenant: CallingTenant): boolean;
}

/** Calls that a missing provider refuses, and the partners that can make them. */
interface RefusedCalls {
  /** REST paths with the mutations that do the same, such as `POST /v1/request-money (createRequestMoney)`. */
  readonly calls: readonly string[];
  readonly answer: string;
  /** Ids, sorted. At least one. */
  readonly tenants: readonly string[];
}

/** A provider of live calls that is not configured although partners need it. */
interface MissingProvider {
  /** The setting that has its address. */
  readonly setting: keyof ProviderUrls;
  /** At least one. */
  readonly refused: readonly RefusedCalls[];
}

/** Calls of document 2: they need the feature. */
const REQUESTS = (...names: string[]): Calls => ({
  names,
  answer: '503 IDENTITY_VALIDATOR_NOT_CONFIGURED, in GraphQL PROVIDER_NOT_CONFIGURED',
  canBeMadeBy: ({ features }) => features.includes(REQUEST_MONEY_FEATURE),
});

/** Calls of document 1: for partners with a country. Without one, no remittance can begin (`ERROR_TENANT_NOT_FOUND`). */
const REMITTANCES = (...names: string[]): Calls => ({
  names,
  answer: '503, in GraphQL PROVIDER_NOT_CONFIGURED',
  canBeMadeBy: ({ country }) => country !== undefined,
});

const FULL = 'POST /v1/user/operations/request-money-full (requestMoneyFull)';
const V2 = 'POST /v1/user/operations/request-money-v2/{userId} (requestMoneyV2)';

/** The calls that need a provider (decisions, section 8, "Providers"). */
const CALLS: Readonly<Record<ProviderName, readonly Calls[]>> = {
  identity: [REQUESTS('POST /v1/request-money (createRequestMoney)'), REMITTANCES(FULL)],
  cards: [
    REMITTANCES(
      'POST /v1/user/payment-methods/card/{userId} (addCard)',
      `${FULL} to a card`,
      `${V2} to a card`,
    ),
  ],
  ubn: [
    REMITTANCES(
      'POST /v1/user/payment-methods/ubn/{userId} (addUbn)',
      `${FULL} to an account`,
      `${V2} to an account`,
    ),
  ],
  funding: [REMITTANCES(FULL, V2)],
};

/**
 * The providers of live calls that are not configured and that partners need, with the calls that are refused. Empty when the
 * deployment does not serve `live`.
 * @param readTenants is called only if a provider is missing
 */
export async function findRefusedCalls(
  config: Partial<ProviderUrls> & Pick<Config, 'ENVIRONMENTS'>,
  readTenants: () => Promise<readonly CallingTenant[]>,
): Promise<MissingProvider[]> {
  const missing = config.ENVIRONMENTS.includes('live') ? missingProviders(config, 'live') : [];
  if (missing.length === 0) {
    return [];
  }
  const live = (await readTenants()).filter(({ environment }) => environment === 'live');
  return missing.flatMap((name) => {
    const refused = CALLS[name].flatMap(({ names, answer, canBeMadeBy }) => {
      const ids = live.filter(canBeMadeBy).map(({ tenantId }) => tenantId);
      return ids.length === 0 ? [] : [{ calls: names, answer, tenants: ids.toSorted() }];
    });
    return refused.length === 0 ? [] : [{ setting: URL_SETTINGS[name].live, refused }];
  });
}

/** The number of partners that a text names; it counts the others. */
const MOST_NAMED = 10;

/** Sentences for people, such as `FUNDING_PROVIDER_URL is not set. Live calls of acme fail with 503, …: POST …`. */
export function describeRefusedCalls({ setting, refused }: MissingProvider): string {
  const failing = refused.map(
    ({ calls, answer, tenants }) =>
      `Live calls of ${nameSome(tenants)} fail with ${answer}: ${calls.join(', ')}.`,
  );
  return [`${setting} is not set.`, ...failing].join(' ');
}

function nameSome(tenants: readonly string[]): string {
  const named = tenants.slice(0, MOST_NAMED).join(', ');
  const more = tenants.length - MOST_NAMED;
  return more > 0 ? `${named} and ${more.toLocaleString('en')} more` : named;
}
