import { type Environment, environmentOf } from '../kernel/account.ts';
import type { Settings } from '../kernel/config/schema.ts';
import { CATALOGUE } from '../kernel/errors/catalogue.ts';
import { fail, succeed } from '../kernel/errors/result.ts';
import { type Tracing, UNTRACED } from '../kernel/tracing/tracing.ts';
import { missingProviders, type ProviderUrls, URL_SETTINGS } from './configured.ts';
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
import type {
  CardProvider,
  FundingProvider,
  IdentityProvider,
  ProviderName,
  Providers,
  UbnProvider,
} from './types.ts';

/** Calls at once of an account's requests, besides those of its pipeline. */
const FOR_REQUESTS = 32;

/** The answer to a live call while its provider is not configured. The call is made again later, like after an outage. */
const NOT_CONFIGURED = {
  kind: 'unavailable',
  reason: CATALOGUE.PROVIDER_NOT_CONFIGURED.message,
  notSent: true,
} as const;

/**
 * Makes the providers of both environments: over HTTP for each one that has an address; otherwise the sandbox's for sandbox
 * calls, and none for live calls. All steps of an account in the pipeline may call one provider at once: with fewer calls than
 * steps, a slow provider would use up the time of calls that wait.
 */
export function createProviders(
  settings: Partial<ProviderUrls> & Pick<Settings, 'PIPELINE_TENANT_CONCURRENCY'>,
  tracing: Tracing = UNTRACED,
): Providers {
  const closing: (() => Promise<void>)[] = [];
  const callsOfAGroup = settings.PIPELINE_TENANT_CONCURRENCY + FOR_REQUESTS;
  const choose = <Provider extends object>(
    name: ProviderName,
    overHttp: (options: { url: string; callsOfAGroup: number; tracing: Tracing }) => Closable<Provider>,
    instead: Readonly<Record<Environment, Provider>>,
  ): Readonly<Record<Environment, Provider>> => {
    const of = (environment: Environment): Provider => {
      const url = settings[URL_SETTINGS[name][environment]];
      if (url === undefined) {
        return instead[environment];
      }
      const provider = overHttp({ url, callsOfAGroup, tracing });
      closing.push(provider.close);
      return provider;
    };
    return { sandbox: of('sandbox'), live: of('live') };
  };
  const identity = choose<IdentityProvider>('identity', createHttpIdentity, {
    sandbox: createSandboxIdentity(),
    live: { names: { sandbox: 'validator', live: 'validator' }, check: async () => NOT_CONFIGURED },
  });
  const cards = choose<CardProvider>('cards', createHttpCards, {
    sandbox: createSandboxCards(),
    live: { verify: async () => NOT_CONFIGURED },
  });
  const ubn = choose<UbnProvider>('ubn', createHttpUbn, {
    sandbox: createSandboxUbn(),
    live: { verify: async () => NOT_CONFIGURED },
  });
  const funding = choose<FundingProvider>('funding', createHttpFunding, {
    sandbox: createSandboxFunding(),
    live: { request: async () => NOT_CONFIGURED, cancel: async () => NOT_CONFIGURED },
  });
  return {
    identity: {
      names: { sandbox: identity.sandbox.names.sandbox, live: identity.live.names.live },
      check: (person, call) => identity[environmentOf(call.accountId)].check(person, call),
    },
    cards: { verify: (card, call) => cards[environmentOf(call.accountId)].verify(card, call) },
    ubn: { verify: (account, call) => ubn[environmentOf(call.accountId)].verify(account, call) },
    funding: {
      request: (request, call) => funding[environmentOf(call.accountId)].request(request, call),
      cancel: (request, call) => funding[environmentOf(call.accountId)].cancel(request, call),
    },
    requireConfigured: (environment, names) =>
      missingProviders(settings, environment).some((name) => names.includes(name))
        ? fail('PROVIDER_NOT_CONFIGURED')
        : succeed(undefined),
    close: async () => {
      await Promise.all(closing.map((close) => close()));
    },
  };
}
