import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeIndexesOnce, openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { type Corridors, createCorridors } from './corridors.ts';
import { createTenantModels } from './model.ts';

const START = Date.parse('2026-11-21T08:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);
const PAIR = { source: 'USD', destination: 'MXN' };

let database: Database;
let corridors: Corridors;
let now: Date;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  now = at(0);
  const models = createTenantModels(database.connection);
  await makeIndexesOnce(database.connection);
  await models.fxRates.deleteMany({});
  corridors = createCorridors({ models, clock: () => now });
});
afterAll(() => database.close());

const current = () => corridors.fxRate('USD', 'MXN');
const rate = async () => (await current())?.rate;

test('a rate that is set is of then, and never too old', async () => {
  await corridors.upsertFxRate({ ...PAIR, rate: '18.25' });
  now = at(86_400 * 365);
  expect(await current()).toEqual({ rate: '18.25', asOf: at(0), isStale: false });
});

test('a rate of a source is too old from its end on', async () => {
  await corridors.refreshFxRates([{ ...PAIR, rate: '18.25' }], { asOf: at(-10), staleAt: at(50) });
  now = at(49);
  expect(await current()).toEqual({ rate: '18.25', asOf: at(-10), isStale: false });
  now = at(50);
  expect(await current()).toEqual({ rate: '18.25', asOf: at(-10), isStale: true });
});

test('an older rate of a source changes nothing', async () => {
  await corridors.refreshFxRates([{ ...PAIR, rate: '18.25' }], { asOf: at(0), staleAt: at(60) });
  await corridors.refreshFxRates([{ ...PAIR, rate: '17' }], { asOf: at(-1), staleAt: at(59) });
  expect(await current()).toMatchObject({ rate: '18.25', asOf: at(0) });
});

test('a seed leaves the rate of a source; an operator sets it until the next answer of the source', async () => {
  await corridors.seedFxRate({ ...PAIR, rate: '18' });
  expect(await rate()).toBe('18');
  await corridors.refreshFxRates([{ ...PAIR, rate: '18.25' }], { asOf: at(0), staleAt: at(60) });
  await corridors.seedFxRate({ ...PAIR, rate: '18' });
  expect(await rate()).toBe('18.25');
  await corridors.upsertFxRate({ ...PAIR, rate: '19' });
  expect(await rate()).toBe('19');
  await corridors.refreshFxRates([{ ...PAIR, rate: '18.5' }], { asOf: at(1), staleAt: at(61) });
  expect(await rate()).toBe('18.5');
});

test('a seed leaves the rate that a source sets at the same time', async () => {
  const models = createTenantModels(database.connection);
  for (let round = 0; round < 10; round += 1) {
    await models.fxRates.deleteMany({});
    await Promise.all([
      corridors.seedFxRate({ ...PAIR, rate: '18' }),
      corridors.refreshFxRates([{ ...PAIR, rate: '18.25' }], { asOf: at(0), staleAt: at(60) }),
    ]);
    expect(await current()).toEqual({ rate: '18.25', asOf: at(0), isStale: false });
  }
});

test('seeds of several servers at once leave one rate', async () => {
  const models = createTenantModels(database.connection);
  const servers = [1, 2, 3].map(() => createCorridors({ models, clock: () => now }));
  await Promise.all(servers.map((server) => server.seedFxRate({ ...PAIR, rate: '18' })));
  expect(await corridors.allFxRates()).toEqual([{ ...PAIR, rate: '18' }]);
});

test('equal currencies are at 1, and a pair without a rate has none', async () => {
  expect(await corridors.fxRate('MXN', 'MXN')).toEqual({ rate: '1', isStale: false });
  expect(await corridors.fxRate('USD', 'GTQ')).toBeUndefined();
});

test('operators see rates as they set them', async () => {
  await corridors.refreshFxRates([{ ...PAIR, rate: '18.25' }], { asOf: at(0), staleAt: at(60) });
  expect(await corridors.allFxRates()).toEqual([{ ...PAIR, rate: '18.25' }]);
});
