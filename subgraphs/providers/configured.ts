import type { Environment } from '../kernel/account.ts';
import type { Settings } from '../kernel/config/schema.ts';
import { keysOf } from '../kernel/objects.ts';
import type { ProviderName } from './types.ts';

/** The settings that name providers. */
export type ProviderUrls = Pick<Settings, (typeof URL_SETTINGS)[ProviderName][Environment]>;

/** The settings that have the address of a provider, by the environment of the calls that it answers. */
export const URL_SETTINGS = {
  identity: { live: 'IDENTITY_VALIDATOR_URL', sandbox: 'SANDBOX_IDENTITY_VALIDATOR_URL' },
  cards: { live: 'CARD_PROVIDER_URL', sandbox: 'SANDBOX_CARD_PROVIDER_URL' },
  ubn: { live: 'UBN_PROVIDER_URL', sandbox: 'SANDBOX_UBN_PROVIDER_URL' },
  funding: { live: 'FUNDING_PROVIDER_URL', sandbox: 'SANDBOX_FUNDING_PROVIDER_URL' },
} as const satisfies Record<ProviderName, Record<Environment, keyof Settings>>;

/** The providers that calls in this environment may need and that are not configured: none for sandbox calls. */
export function missingProviders(settings: Partial<ProviderUrls>, environment: Environment): ProviderName[] {
  return environment === 'sandbox'
    ? []
    : keysOf(URL_SETTINGS).filter((name) => settings[URL_SETTINGS[name][environment]] === undefined);
}
