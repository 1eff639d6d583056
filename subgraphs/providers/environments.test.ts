import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { accountOf, type Environment } from '../kernel/account.ts';
import { type ProviderUrls, URL_SETTINGS } from './configured.ts';
import { createProviders } from './create.ts';
import type { Providers } from './types.ts';

const PERSON = { firstName: 'Ana', lastName: 'Ruiz', country: 'MX' };
const ACCOUNT = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
const CARD = { ...ACCOUNT, number: '4111111111111111', nameOnCard: 'Ana Ruiz', expirationDate: '1230' };
const REQUEST = {
  tenantId: 'acme',
  operationId: 'corr-1',
  payer: { phoneNumber: '+12125550123' },
  amount: '82.19',
  currency: 'USD',
  recipientAmount: '1500.50',
  recipientCurrency: 'MXN',
};
const CALL = { idempotencyKey: 'acme:corr-1:CIP', tenantId: 'acme' };
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) {
    await close();
  }
});

describe('the environment of a call', () => {
  const NAMES = ['identity', 'cards', 'ubn', 'funding'] as const;
  const callAll = async (providers: Providers, environment: Environment) => {
    const call = { ...CALL, accountId: accountOf('acme', environment) };
    const answers = [
      await providers.identity.check(PERSON, call),
      await providers.cards.verify(CARD, call),
      await providers.ubn.verify(ACCOUNT, call),
      await providers.funding.request(REQUEST, call),
    ];
    return answers.map(({ kind }) => kind);
  };
  const urlsOf = (environment: Environment, url: string) =>
    Object.fromEntries(NAMES.map((name) => [URL_SETTINGS[name][environment], url]));
  const closed = (settings: Partial<ProviderUrls>) => {
    const providers = createProviders({ PIPELINE_TENANT_CONCURRENCY: 1, ...settings });
    closing.push(() => providers.close());
    return providers;
  };
  const record = async () => {
    const environments: unknown[] = [];
    const server = createServer((request, response) => {
      environments.push(request.headers['x-environment']);
      response.end('{"result":"refused"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    return { environments, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  test('a sandbox call is answered by the sandbox, whatever providers of live calls are set', async () => {
    const { environments, url } = await record();
    const providers = closed(urlsOf('live', url));
    expect(await callAll(providers, 'sandbox')).toEqual(Array(4).fill('accepted'));
    expect(environments).toEqual([]);
    expect(providers.requireConfigured('sandbox', NAMES)).toMatchObject({ ok: true });
    expect(providers.identity.names).toEqual({ sandbox: 'sandbox', live: 'validator' });
  });

  test('a sandbox call is answered by a test provider that is set for it', async () => {
    const { environments, url } = await record();
    await callAll(closed(urlsOf('sandbox', url)), 'sandbox');
    expect(environments).toEqual(Array(4).fill('sandbox'));
  });

  test('a live call is answered by the provider that is set for it', async () => {
    const { environments, url } = await record();
    const providers = closed(urlsOf('live', url));
    await callAll(providers, 'live');
    expect(environments).toEqual(Array(4).fill('live'));
    expect(providers.requireConfigured('live', NAMES)).toMatchObject({ ok: true });
  });

  test('a live call is never answered by the sandbox or a test provider', async () => {
    const { environments, url } = await record();
    const providers = closed(urlsOf('sandbox', url));
    expect(await callAll(providers, 'live')).toEqual(Array(4).fill('unavailable'));
    expect(environments).toEqual([]);
  });

  test.each(NAMES)('a live call that needs the provider %s requires it alone', (name) => {
    const providers = closed({ [URL_SETTINGS[name].live]: 'http://127.0.0.1:1' });
    const missing = { failures: [{ code: 'PROVIDER_NOT_CONFIGURED' }] };
    expect(providers.requireConfigured('live', [name])).toMatchObject({ ok: true });
    expect(providers.requireConfigured('live', NAMES)).toMatchObject(missing);
  });
});
