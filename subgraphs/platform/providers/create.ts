import type { Settings } from '../config/schema.ts';
import { type Tracing, UNTRACED } from '../tracing/tracing.ts';
import {
  type Closable,
  createHttpCards,
  createHttpFunding,
  createHttpIdentity,
  createHttpUbn,
} from './http.ts';
import {
  createSandboxCards,
  createSandboxFunding,
  createSandboxIdentity,
  createSandboxUbn,
} from './sandbox.ts';
import type { Providers } from './types.ts';

type ProviderSettings = Pick<
  Settings,
  | 'IDENTITY_VALIDATOR_URL'
  | 'CARD_PROVIDER_URL'
  | 'UBN_PROVIDER_URL'
  | 'FUNDING_PROVIDER_URL'
  | 'PIPELINE_CONCURRENCY'
>;

/** Connections for calls of requests outside the pipeline. */
const FOR_REQUESTS = 32;

/**
 * Makes the providers: over HTTP for each one that has an address, otherwise the sandbox's. All steps of the pipeline may
 * call one provider at once. With fewer connections than steps, a slow provider would use up the time of calls that wait.
 */
export function createProviders(settings: ProviderSettings, tracing: Tracing = UNTRACED): Providers {
  const closing: (() => Promise<void>)[] = [];
  const choose = <Provider extends object>(
    url: string | undefined,
    overHttp: (options: { url: string; connections: number; tracing: Tracing }) => Closable<Provider>,
    sandbox: () => Provider,
  ): Provider => {
    if (url === undefined) {
      return sandbox();
    }
    const provider = overHttp({ url, connections: settings.PIPELINE_CONCURRENCY + FOR_REQUESTS, tracing });
    closing.push(provider.close);
    return provider;
  };
  return {
    identity: choose(settings.IDENTITY_VALIDATOR_URL, createHttpIdentity, createSandboxIdentity),
    cards: choose(settings.CARD_PROVIDER_URL, createHttpCards, createSandboxCards),
    ubn: choose(settings.UBN_PROVIDER_URL, createHttpUbn, createSandboxUbn),
    funding: choose(settings.FUNDING_PROVIDER_URL, createHttpFunding, createSandboxFunding),
    close: async () => {
      await Promise.all(closing.map((close) => close()));
    },
  };
}
