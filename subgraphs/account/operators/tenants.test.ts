import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTenantModels } from '../../partners/tenants/model.ts';
import { NO_ENDPOINTS, NO_REMITTANCES, NO_WEBHOOKS } from './tenant-figures.ts';
import { listTenants, listTroubled, type TroubleFigures } from './tenants.ts';

const NOW = new Date('2026-11-23T08:00:00.000Z');
const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  // Past the schema: only the fields that are read count.
  await database.connection.collection('tenants').insertMany(
    IDS.map((tenantId) => ({
      ...{ _id: `${tenantId}/live` as never, tenantId, environment: 'live', name: `Partner ${tenantId}` },
      ...{ features: [], createdAt: NOW },
    })),
  );
});
afterAll(() => database.close());

const FIGURES: TroubleFigures = {
  remittances: async () => new Map([['e', { ...NO_REMITTANCES, stuck: 1 }]]),
  endpoints: async () =>
    new Map([
      ['b', { ...NO_ENDPOINTS, halfOpen: 1 }],
      ['f', { ...NO_ENDPOINTS, paused: 9 }],
    ]),
  webhooks: async () =>
    new Map([
      ['b', { ...NO_WEBHOOKS, pending: 5 }],
      ['c', { ...NO_WEBHOOKS, deadLettered: 1 }],
      ['d', { ...NO_WEBHOOKS, pending: 9_000 }],
    ]),
};

describe('Partners in the order of their trouble', () => {
  const list = (page: Parameters<typeof listTroubled>[2], figures = FIGURES) =>
    listTroubled(createTenantModels(database.connection).tenants, figures, page);
  const idsOf = async (...given: Parameters<typeof list>) => (await list(...given)).nodes.map(({ id }) => id);

  test('are those with stuck calls, failing endpoints, dead letters and waiting webhooks, then the others by id', async () => {
    expect(await idsOf({})).toEqual(['e', 'b', 'c', 'd', 'a', 'f']);
  });

  test('come in pages', async () => {
    const first = await list({ first: 4 });
    expect(first.nodes).toHaveLength(4);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const next = await list({ first: 4, after: first.pageInfo.endCursor });
    expect(next.nodes.map(({ id }) => id)).toEqual(['a', 'f']);
    expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(await next.count()).toBe(6);
  });

  test('are those that a search finds', async () => {
    expect(await idsOf({ search: 'partner C' })).toEqual(['c']);
  });

  test('are ranked by what could be counted in time', async () => {
    const figures = { ...FIGURES, webhooks: async () => undefined };
    expect(await idsOf({}, figures)).toEqual(['e', 'b', 'a', 'c', 'd', 'f']);
  });

  test('have cursors of their own', async () => {
    const { pageInfo } = await listTenants(createTenantModels(database.connection).tenants, { first: 1 });
    const invalid = { extensions: { code: 'INVALID_CURSOR' } };
    await expect(list({ after: pageInfo.endCursor })).rejects.toMatchObject(invalid);
    await expect(list({ after: Buffer.from('rank:x').toString('base64url') })).rejects.toMatchObject(invalid);
    const { pageInfo: ranked } = await list({ first: 1 });
    const byId = listTenants(createTenantModels(database.connection).tenants, { after: ranked.endCursor });
    await expect(byId).rejects.toMatchObject(invalid);
  });
});
