import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { findUnserved, recordQueries } from '../../../test/support/query-shapes.ts';
import type { Principal } from '../../kernel/principal.ts';
import { ACME, NOVEMBER, NOW, openSettlementBench, type SettlementBench } from './testing.ts';

let bench: SettlementBench;
beforeAll(async () => {
  bench = await openSettlementBench();
});
afterAll(() => bench.close());

const KEY: Principal = { accountId: ACME, keyId: 'key_1', scopes: ['partner', 'partner_write'] };

async function opened(reference: string): Promise<string> {
  await bench.import([{ reference, amount: '1' }]);
  const { nodes } = await bench.discrepancies.list(ACME, { reference }, {});
  return String(nodes[0]?._id);
}
const codesOf = (result: Awaited<ReturnType<SettlementBench['discrepancies']['resolve']>>) =>
  result.ok ? [] : result.failures.map(({ code, path }) => [code, ...(path ?? [])]);

test('a decision changes state and owner, and stays in the log; texts of people are encrypted', async () => {
  const id = await opened('logged');
  const note = 'The provider looks for it';
  const session = { sessionId: 'cs_1', label: 'Laptop of Ana', expiresAt: NOW.getTime() };
  const consoleSession = { ...session, access: 'operate' } as const;
  const first = { id, version: 0, state: 'INVESTIGATING', owner: ' Ana Ruiz ', note } as const;
  const resolved = await bench.discrepancies.resolve({ ...KEY, consoleSession }, first);
  expect(resolved).toMatchObject({ value: { state: 'INVESTIGATING', owner: 'Ana Ruiz', version: 1 } });
  const stored = await bench.models.discrepancies.findById(id).lean();
  const bytes = Buffer.from(mongo.BSON.serialize(stored ?? {})).toString('latin1');
  expect(bytes).toContain('INVESTIGATING');
  expect(['Ana', 'Laptop', 'looks for it'].filter((text) => bytes.includes(text))).toEqual([]);
  await bench.discrepancies.resolve(KEY, { id, version: 1, state: 'ACCEPTED', note: '' });
  const last = await bench.discrepancies.resolve(KEY, { id, version: 2, state: 'OPEN', owner: ' ' });
  expect(last.ok && last.value).toMatchObject({ state: 'OPEN', owner: null, version: 3 });
  expect(last.ok && last.value.log).toEqual([
    { at: NOW.toISOString(), by: 'Laptop of Ana', state: 'INVESTIGATING', owner: 'Ana Ruiz', note },
    { at: NOW.toISOString(), by: 'key_1', state: 'ACCEPTED', owner: 'Ana Ruiz', note: null },
    { at: NOW.toISOString(), by: 'key_1', state: 'OPEN', owner: null, note: null },
  ]);
});

test('the log of a discrepancy opens for no other one', async () => {
  const [id, other] = [await opened('mine'), await opened('moved')];
  await bench.discrepancies.resolve(KEY, { id, version: 0, state: 'OPEN', note: 'mine' });
  const stored = await bench.models.discrepancies.findById(id).lean();
  await bench.models.discrepancies.updateOne({ _id: other }, { $set: { log: stored?.log } });
  await expect(bench.discrepancies.list(ACME, { reference: 'moved' }, {})).rejects.toThrow();
  await bench.models.discrepancies.updateOne({ _id: other }, { $unset: { log: 1 } });
});

test('of two decisions at once one succeeds', async () => {
  const id = await opened('raced');
  const results = await Promise.all(
    ['ana', 'bea'].map((owner) =>
      bench.discrepancies.resolve(KEY, { id, version: 0, state: 'INVESTIGATING', owner }),
    ),
  );
  expect(results.flatMap(codesOf)).toEqual([['DISCREPANCY_CHANGED']]);
  const { nodes } = await bench.discrepancies.list(ACME, { reference: 'raced' }, {});
  expect(nodes).toMatchObject([{ version: 1, log: [{ state: 'INVESTIGATING' }] }]);
});

test.each(['globex/sandbox', 'acme/live'] as const)('%s neither sees nor changes it', async (accountId) => {
  const id = await opened('own');
  expect((await bench.discrepancies.list(accountId, {}, {})).nodes).toEqual([]);
  const changed = await bench.discrepancies.resolve(
    { ...KEY, accountId },
    { id, version: 0, state: 'ACCEPTED' },
  );
  expect(codesOf(changed)).toEqual([['DISCREPANCY_NOT_FOUND']]);
});

test.each([
  [{ owner: 'x'.repeat(101) }, 'owner'],
  [{ owner: 'a\u0000' }, 'owner'],
  [{ note: 'x'.repeat(501) }, 'note'],
  [{ note: '\ud800' }, 'note'],
])('a decision with a wrong text names it', async (texts, name) => {
  const decision = { id: 'dis_1', version: 0, state: 'OPEN', ...texts } as const;
  expect(codesOf(await bench.discrepancies.resolve(KEY, decision))).toEqual([['INVALID_REQUEST', name]]);
});

test('a discrepancy has at most 100 changes', async () => {
  const id = await opened('endless');
  await bench.models.discrepancies.updateOne({ _id: id }, { $set: { version: 100 } });
  const decision = { id, version: 100, state: 'RESOLVED' } as const;
  expect(codesOf(await bench.discrepancies.resolve(KEY, decision))).toEqual([['INVALID_REQUEST']]);
});

test('an index serves every command of an import, of the lists and of a decision', async () => {
  const queries = recordQueries(bench.connection);
  await bench.post([
    { reference: 'indexed', amount: '1' },
    { reference: 'absent', amount: '2' },
  ]);
  const rows = [{ reference: 'indexed', amount: '1' }];
  await bench.import(rows, { period: NOVEMBER });
  await bench.import([...rows, { reference: 'absent', amount: '2' }]);
  for (const filter of [
    {},
    { state: 'OPEN' },
    { kind: 'DUPLICATE' },
    { kind: 'DUPLICATE', state: 'OPEN' },
  ] as const) {
    await bench.discrepancies.list(ACME, filter, { first: 5 });
    await bench.discrepancies.list(ACME, { ...filter, createdAt: { $gte: NOW } }, { first: 5 });
  }
  await bench.discrepancies.resolve(KEY, { id: await opened('indexed'), version: 0, state: 'OPEN' });
  expect(queries.length).toBeGreaterThan(20);
  expect(findUnserved(bench.connection, queries)).toEqual([]);
});
