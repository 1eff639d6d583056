import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Environment } from '../../kernel/account.ts';
import { createBox } from '../../kernel/crypto/box.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { toJsonSchema } from '../../kernel/json/json-schema.ts';
import { createApiKeyModel } from '../keys/model.ts';
import { createApiKeys } from '../keys/service.ts';
import { seedDemoTenant } from './demo.ts';
import { createTenantModels } from './model.ts';
import { applySeed, readSeed, readSeedTenant, seedSchema } from './seed.ts';
import { createTenants } from './service.ts';

const log = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'remitgraph-seed-'));
let store: Database;

beforeAll(async () => {
  store = await openTestDatabase();
  createDeps();
  await makeIndexes(store.connection);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function write(seed: unknown): string {
  const path = join(folder, `${randomBytes(4).toString('hex')}.json`);
  writeFileSync(path, typeof seed === 'string' ? seed : JSON.stringify(seed));
  return path;
}

const box = createBox(randomBytes(32));
function createDeps() {
  const tenants = createTenants({
    models: createTenantModels(store.connection),
    box,
    transaction: createTransactions(store.connection),
  });
  const apiKeys = createApiKeys({
    model: createApiKeyModel(store.connection),
    pepper: 'p'.repeat(32),
    log,
    transaction: createTransactions(store.connection),
  });
  return { tenants, apiKeys, log, movePause: () => undefined };
}

const SEED = {
  tenants: [
    {
      tenantId: 'acme',
      name: 'Acme Pay',
      webhookUrl: 'https://127.0.0.1:9443/hook',
      webhookSecret: 'whsec_acme_0001',
      features: ['request-money'],
      sourceCountry: 'US',
      apiKeys: [
        {
          key: 'raas_sandbox_acme_full',
          scopes: ['partner', 'partner_full', 'partner_admin'],
          label: 'demo',
        },
      ],
    },
  ],
  routes: [
    { sourceCountry: 'US', destinationCountry: 'MX', destinationCurrency: 'MXN', payoutType: 'cash' },
    {
      sourceCountry: 'US',
      destinationCountry: 'MX',
      destinationCurrency: 'MXN',
      payoutType: 'card',
      states: { 'a.b': 'C' },
    },
  ],
  fxRates: [{ source: 'USD', destination: 'MXN', rate: '18.25' }],
};

describe('seed file', () => {
  test('applies twice with the same outcome, and changes what it changes', async () => {
    const deps = createDeps();
    const path = write(SEED);
    await applySeed(deps, await readSeed(path));
    await applySeed(deps, await readSeed(path));
    expect((await deps.tenants.list()).map(({ accountId }) => accountId)).toEqual([
      'acme/live',
      'acme/sandbox',
    ]);
    expect(await deps.tenants.find('acme/sandbox')).toMatchObject({
      name: 'Acme Pay',
      webhookSecret: 'whsec_acme_0001',
      webhookEvents: [
        'operation_created',
        'operation_updated',
        'operation_error',
        'request_money.created',
        'request_money.failed',
      ],
      fee: { fixed: '0', percent: '0' },
    });
    const corridor = { sourceCountry: 'US', destinationCountry: 'MX', destinationCurrency: 'MXN' };
    const routes = (await deps.tenants.routes(corridor)).toSorted((a, b) =>
      a.payoutType.localeCompare(b.payoutType),
    );
    expect(routes.map(({ payoutType, payerCode }) => [payoutType, payerCode])).toEqual([
      ['card', null],
      ['cash', null],
    ]);
    expect(routes[0]?.states).toEqual({ 'a.b': 'C' });
    expect((await deps.apiKeys.authenticate('raas_sandbox_acme_full'))?.accountId).toBe('acme/sandbox');

    await applySeed(deps, await readSeed(write({ tenants: [{ tenantId: 'acme', name: 'Renamed' }] })));
    const renamed = await deps.tenants.find('acme/sandbox');
    expect([renamed?.name, renamed?.webhookUrl, renamed?.webhookSecret]).toEqual([
      'Renamed',
      undefined,
      undefined,
    ]);
  });

  test("leaves a partner's own changes alone, and nothing else", async () => {
    const deps = createDeps();
    const tenant = {
      tenantId: 'own',
      name: 'Own',
      webhookUrl: 'https://own.test/',
      webhookSecret: 'whsec_own_01',
    };
    const seed = async (changes: object = {}) =>
      applySeed(deps, await readSeed(write({ tenants: [{ ...tenant, ...changes }] })));
    const stored = async () => {
      const found = await createDeps().tenants.find('own/sandbox');
      return [found?.name, found?.webhookUrl, found?.webhookSecret, found?.webhookEvents.length];
    };
    await seed();
    await deps.tenants.changeWebhooks('own/sandbox', { secret: 'whsec_own_02' });
    expect((await deps.tenants.find('own/sandbox'))?.webhookSecret).toBe('whsec_own_02');
    await seed({ name: 'Renamed', webhookUrl: 'https://own.test/new', webhookSecret: 'whsec_own_03' });
    expect(await stored()).toEqual(['Renamed', 'https://own.test/new', 'whsec_own_02', 5]);

    await deps.tenants.changeWebhooks('own/sandbox', { url: null });
    await deps.tenants.changeWebhooks('own/sandbox', { events: ['operation_error'] });
    await seed();
    expect(await stored()).toEqual(['Own', undefined, 'whsec_own_02', 1]);
    await deps.tenants.changeWebhooks('own/sandbox', { ordering: 'PER_ENTITY' });
    await seed({ webhookOrdering: 'NONE' });
    expect((await createDeps().tenants.find('own/sandbox'))?.webhookOrdering).toBe('PER_ENTITY');
    await deps.tenants.changeWebhooks('own/sandbox', { url: 'https://own.test/own' });
    await Promise.all([
      seed(),
      createDeps().tenants.changeWebhooks('own/sandbox', { secret: 'whsec_own_04' }),
    ]);
    expect(await stored()).toEqual(['Own', 'https://own.test/own', 'whsec_own_04', 1]);
    expect(await deps.tenants.changeWebhooks('nobody/sandbox', { secret: 'whsec_none' })).toBeUndefined();
  });

  test('keeps secrets sealed', async () => {
    const stored = JSON.stringify(await store.connection.collection('tenants').find().toArray());
    expect(stored).not.toContain('whsec_acme_0001');
  });

  test('reports every issue and where it is', async () => {
    const broken = {
      tenants: [{ tenantId: '', name: 'x', webhookUrl: 'http://plain', webhookSecret: 'short' }],
      routes: [{}],
    };
    const message = await readSeed(write(broken)).then(
      () => '',
      (error: Error) => error.message,
    );
    for (const path of [
      'tenants.0.tenantId',
      'tenants.0.webhookUrl',
      'tenants.0.webhookSecret',
      'routes.0.payoutType',
    ]) {
      expect(message).toContain(path);
    }
    await expect(readSeed(write('{'))).rejects.toThrow('is not JSON');
    await expect(readSeed(folder)).rejects.toThrow(/^The seed file .* cannot be read: EISDIR/);
  });

  test.each(['a:b', 'a b', 'a/b', 'é', 'a'.repeat(65), 'a|b'])(
    'rejects a new tenant %j, and writes nothing of its file',
    async (tenantId) => {
      const deps = createDeps();
      const tenants = [
        { tenantId: 'beside', name: 'Beside' },
        { tenantId, name: 'Odd' },
      ];
      const seeding = async () => applySeed(deps, await readSeed(write({ tenants })));
      await expect(seeding()).rejects.toThrow(
        /tenants\.1\.tenantId: must be 1 to 64 letters, digits, _ and -/,
      );
      expect(await createDeps().tenants.find('beside/sandbox')).toBeUndefined();
      await expect(readSeedTenant({ tenantId, name: 'Odd' })).rejects.toThrow(/tenantId: must be 1 to 64/);
    },
  );
});

describe('properties that nobody knows', () => {
  const tenant = { tenantId: 'a', name: 'A' };
  const route = {
    sourceCountry: 'US',
    destinationCountry: 'MX',
    destinationCurrency: 'MXN',
    payoutType: 'cash',
  };
  const rate = { source: 'USD', destination: 'MXN', rate: '18' };

  test.each([
    [{ tenant: [] }, 'tenant'],
    [{ tenants: [{ ...tenant, landingBaseURL: 'https://a.test' }] }, 'tenants.0.landingBaseURL'],
    [{ tenants: [tenant, { ...tenant, fee: { percentage: '1' } }] }, 'tenants.1.fee.percentage'],
    [
      { tenants: [{ ...tenant, apiKeys: [{ key: 'k'.repeat(16), scope: 'partner' }] }] },
      'tenants.0.apiKeys.0.scope',
    ],
    [{ routes: [route, { ...route, minimum: '1' }] }, 'routes.1.minimum'],
    [{ fxRates: [{ ...rate, date: '2026-11-21' }] }, 'fxRates.0.date'],
  ])('%j is rejected with the path %s', async (seed, path) => {
    await expect(readSeed(write(seed))).rejects.toThrow(`  ${path}: is not a known property`);
  });

  test('all are reported at once', async () => {
    const seed = { a: 1, b: 2, tenants: [{ ...tenant, c: 3 }] };
    await expect(readSeed(write(seed))).rejects.toThrow(/tenants\.0\.c: .*\n {2}a: .*\n {2}b: /);
  });
});

describe('the documented seed file', () => {
  const folderOfThis = join('subgraphs', 'partners', 'tenants');

  test('its example is applied, and has every property', async () => {
    const example = join(folderOfThis, 'seed.example.json');
    const deps = createDeps();
    await applySeed(deps, await readSeed(example));
    expect(await deps.tenants.find('acme/sandbox')).toMatchObject({
      attributionBaseUrl: 'https://acme.example/t',
    });
    const authenticated = await deps.apiKeys.authenticate('raas_sandbox_of_the_example');
    expect(authenticated?.accountId).toBe('acme/sandbox');
    const { tenants, routes, fxRates } = JSON.parse(readFileSync(example, 'utf8'));
    expect([tenants[0], routes[0], fxRates[0]].map((one) => Object.keys(one).sort())).toEqual(
      PARTS.map((part) => propertiesOf(part).sort()),
    );
  });

  test('its JSON schema knows the example, and what is wrong as the start does', () => {
    const shape = JSON.parse(readFileSync(join(folderOfThis, 'seed.schema.json'), 'utf8')) as object;
    const isSeed = new Ajv2020({ strict: false, validateFormats: false }).compile(shape);
    const example = JSON.parse(readFileSync(join(folderOfThis, 'seed.example.json'), 'utf8'));
    expect([isSeed(example), isSeed.errors]).toEqual([true, null]);
    for (const wrong of [
      { tenant: [] },
      { tenants: [{ name: 'Acme' }] },
      { fxRates: [{ source: 'USD', destination: 'MXN', rate: 1.5 }] },
    ]) {
      expect([wrong, isSeed(wrong)]).toEqual([wrong, false]);
    }
  });

  test('its README has every property', () => {
    const readme = readFileSync(join(folderOfThis, 'README.md'), 'utf8');
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
    const named = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/\w+/g) ?? []));
    expect(PARTS.flatMap(propertiesOf).filter((name) => !named.has(name))).toEqual([]);
  });

  const PARTS = ['tenants', 'routes', 'fxRates'] as const;

  function propertiesOf(part: (typeof PARTS)[number]): string[] {
    const { [part]: list } = toJsonSchema(seedSchema).properties;
    return Object.keys((list as { items: { properties: object } }).items.properties);
  }
});

test('an empty database gets a demo tenant, once', async () => {
  expect(await seedDemoTwice(['sandbox', 'live'])).toEqual({ accountId: 'demo/sandbox', again: undefined });
});

test('the key of the demo tenant is of an environment that is served', async () => {
  expect(await seedDemoTwice(['live'])).toEqual({ accountId: 'demo/live', again: undefined });
});

/** Seeds an empty database twice. @returns the account of the first key, and the second key */
async function seedDemoTwice(environments: readonly Environment[]) {
  const empty = await openTestDatabase();
  try {
    const tenants = createTenants({
      models: createTenantModels(empty.connection),
      box,
      transaction: createTransactions(empty.connection),
      environments,
    });
    const apiKeys = createApiKeys({
      model: createApiKeyModel(empty.connection),
      pepper: 'p'.repeat(32),
      log,
      transaction: createTransactions(empty.connection),
    });
    await makeIndexes(empty.connection);
    const key = await seedDemoTenant({ tenants, apiKeys, log });
    const again = await seedDemoTenant({ tenants, apiKeys, log });
    return { accountId: (await apiKeys.authenticate(key))?.accountId, again };
  } finally {
    await empty.close();
  }
}
