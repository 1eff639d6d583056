import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBox } from '../../subgraphs/kernel/crypto/box.ts';
import { makeIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import type { Database } from '../../subgraphs/kernel/database/open-database.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import { mappingSchema } from '../../subgraphs/ledger/settlement/mapping.ts';
import type { Tenant } from '../../subgraphs/partners/tenants/service.ts';
import type { OutgoingEvent } from '../../subgraphs/webhooks/publisher.ts';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { createModels } from './models.ts';
import { type Settlement, settlementOn } from './settlement.ts';

const ROW = { line: 2, reference: 'op_1', amount: '1', currency: 'USD', day: '2026-11-20' };
const MAPPING = mappingSchema.parse({
  provider: 'acquirer',
  columns: { reference: 'ref', amount: 'amount', date: 'day' },
  ...{ currencies: ['USD'], dateFormat: 'YYYY-MM-DD', decimalSign: '.', amounts: 'signed' },
});
const TENANT: Tenant = {
  ...{ accountId: 'acme/live', tenantId: 'acme', environment: 'live', name: 'Acme' },
  ...{
    countries: [],
    dialCodes: [],
    features: [],
    flows: [],
    webhookEvents: [],
    webhookEventVersion: 1,
    mtlsClientCertSha256: [],
  },
  ...{ fee: { fixed: '0', percent: '0' }, createdAt: new Date(), updatedAt: new Date() },
};

let store: Database;
let settlement: Settlement;
const raised: OutgoingEvent[] = [];

beforeAll(async () => {
  store = await openTestDatabase();
  const { connection } = store;
  createModels(connection);
  await makeIndexes(connection);
  settlement = settlementOn({
    connection,
    transaction: createTransactions(connection),
    box: createBox(randomBytes(32)),
    clocks: { accountClock: () => new Date() },
    tenants: {
      find: async (accountId) => (accountId === TENANT.accountId ? TENANT : undefined),
    },
    operationalEvents: { raise: (_tenant, event) => void raised.push(event) },
    config: { PUBLIC_URL: 'https://pay.acme.test', HOST: '127.0.0.1', PORT: 4000 },
  });
});
afterAll(() => store.close());

const importFile = (accountId: 'acme/live' | 'globex/live') =>
  settlement.import(
    {
      ...{ accountId, mapping: MAPPING },
      readRows: async function* read(hash) {
        hash.update('file');
        yield ROW;
      },
    },
    () => undefined,
  );

test('a file of an unknown partner is refused, before it is read', async () => {
  await expect(importFile('globex/live')).rejects.toThrow('There is no partner globex');
});

test('the event names the file, and the figures count its discrepancies until they are settled', async () => {
  const queries = recordQueries(store.connection);
  expect(await settlement.counts()).toEqual({ open: 0, investigating: 0 });
  await importFile('acme/live');
  await importFile('acme/live');
  const fileId = createHash('sha256').update('file').digest('hex');
  expect(raised).toEqual([
    expect.objectContaining({
      event: 'discrepancy.opened',
      data: expect.objectContaining({ provider: 'acquirer', fileId, discrepancies: 1 }),
    }),
  ]);
  expect(await settlement.counts()).toEqual({ open: 1, investigating: 0 });
  expect(findUnserved(store.connection, queries)).toEqual([]);
});
