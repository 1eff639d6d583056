import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { ENVIRONMENTS, type Environment } from '../../subgraphs/kernel/account.ts';
import { URL_SETTINGS } from '../../subgraphs/providers/configured.ts';
import { type CallingTenant, describeRefusedCalls, findRefusedCalls } from './refused-calls.ts';

const FULL = 'POST /v1/user/operations/request-money-full (requestMoneyFull)';
const V2 = 'POST /v1/user/operations/request-money-v2/{userId} (requestMoneyV2)';

const tenant = (tenantId: string, changes: Partial<CallingTenant> = {}): CallingTenant => ({
  tenantId,
  environment: 'live',
  country: 'MX',
  features: ['request-money'],
  ...changes,
});
const find = (
  tenants: readonly CallingTenant[],
  settings: Readonly<Record<string, string>> = {},
  served: readonly Environment[] = ENVIRONMENTS,
) => findRefusedCalls({ ENVIRONMENTS: [...served], ...settings }, async () => tenants);

describe('The calls that missing providers refuse', () => {
  test('name the setting of each provider, the calls, their answer and the partners', async () => {
    const found = await find([tenant('nova'), tenant('acme')]);
    expect(found.map(({ setting }) => setting)).toEqual(Object.values(URL_SETTINGS).map(({ live }) => live));
    expect(found.map(describeRefusedCalls)).toEqual([
      `IDENTITY_VALIDATOR_URL is not set. Live calls of acme, nova fail with 503 IDENTITY_VALIDATOR_NOT_CONFIGURED, in GraphQL PROVIDER_NOT_CONFIGURED: POST /v1/request-money (createRequestMoney). Live calls of acme, nova fail with 503, in GraphQL PROVIDER_NOT_CONFIGURED: ${FULL}.`,
      `CARD_PROVIDER_URL is not set. Live calls of acme, nova fail with 503, in GraphQL PROVIDER_NOT_CONFIGURED: POST /v1/user/payment-methods/card/{userId} (addCard), ${FULL} to a card, ${V2} to a card.`,
      `UBN_PROVIDER_URL is not set. Live calls of acme, nova fail with 503, in GraphQL PROVIDER_NOT_CONFIGURED: POST /v1/user/payment-methods/ubn/{userId} (addUbn), ${FULL} to an account, ${V2} to an account.`,
      `FUNDING_PROVIDER_URL is not set. Live calls of acme, nova fail with 503, in GraphQL PROVIDER_NOT_CONFIGURED: ${FULL}, ${V2}.`,
    ]);
  });

  test('leave out partners that cannot make them', async () => {
    const found = await find([
      tenant('links-only', { country: undefined, features: [] }),
      tenant('requests-only', { country: undefined }),
      tenant('remittances-only', { features: [] }),
      tenant('tester', { environment: 'sandbox' }),
    ]);
    expect(found.map(({ refused }) => refused.map(({ tenants }) => tenants))).toEqual([
      [['requests-only'], ['remittances-only']],
      [['remittances-only']],
      [['remittances-only']],
      [['remittances-only']],
    ]);
  });

  test('are none for a provider that no partner needs', async () => {
    expect(await find([tenant('links-only', { country: undefined, features: [] })])).toEqual([]);
    expect(await find([])).toEqual([]);
  });

  test.each(Object.values(URL_SETTINGS).map(({ live }) => live))(
    'are none for %s once it is set',
    async (name) => {
      const settings = (await find([tenant('acme')], { [name]: 'http://127.0.0.1:1' })).map(
        ({ setting }) => setting,
      );
      expect([settings.length, settings.includes(name)]).toEqual([3, false]);
    },
  );

  test('are none, and no partner is read, where only the sandbox is served', async () => {
    const read = async () => {
      throw new Error('Partners were read');
    };
    expect(await findRefusedCalls({ ENVIRONMENTS: ['sandbox'] }, read)).toEqual([]);
    await expect(findRefusedCalls({ ENVIRONMENTS: ['live'] }, read)).rejects.toThrow('Partners were read');
  });

  test('name ten partners, and count the others', async () => {
    const many = Array.from({ length: 1_234 }, (_, index) => tenant(`t${String(index).padStart(4, '0')}`));
    const [{ refused: [first] = [] } = {}] = await find(many);
    expect(first?.tenants).toHaveLength(1_234);
    expect(
      describeRefusedCalls((await find(many))[3] ?? { setting: 'CARD_PROVIDER_URL', refused: [] }),
    ).toContain(
      'Live calls of t0000, t0001, t0002, t0003, t0004, t0005, t0006, t0007, t0008, t0009 and 1,224 more fail',
    );
  });

  test('are calls of the REST surfaces, and mutations of the graph', async () => {
    const calls = (await find([tenant('acme')])).flatMap(({ refused }) =>
      refused.flatMap((one) => one.calls),
    );
    const mutations = buildSchema(readFileSync('schema/api.graphql', 'utf8'), { assumeValidSDL: true })
      .getMutationType()
      ?.getFields();
    const paths = ['remittance', 'request-money'].map((name) =>
      readFileSync(`rest-compat/${name}/calls.ts`, 'utf8').replaceAll(':userToken', '{userId}'),
    );
    for (const call of calls) {
      const [, path = '', mutation = ''] = /^POST (\S+) \((\w+)\)/.exec(call) ?? [];
      expect([call, paths.some((text) => text.includes(`'${path}'`))]).toEqual([call, true]);
      expect([call, mutation in (mutations ?? {})]).toEqual([call, true]);
    }
    expect(calls).toHaveLength(10);
  });
});
