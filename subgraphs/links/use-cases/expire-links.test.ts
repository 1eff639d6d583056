import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { type LinkWhereInput, toListing } from '../graphql/listing.ts';
import { acme, type Bench, createBench, MINUTE_MS, must } from '../testing.ts';
import { expireLinks } from './expire-links.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
});
afterAll(() => store.close());

test('marks expired links once, whichever process is first, and nothing else', async () => {
  const over = [await bench.newLink({ expiresInMinutes: 1 }), await bench.newLink({ expiresInMinutes: 1 })];
  const revoked = await bench.newLink({ expiresInMinutes: 1 });
  must(await bench.service.revoke(acme, revoked.linkId));
  const later = await bench.newLink({ expiresInMinutes: 2 });
  expect(await expireLinks(bench.deps)).toBe(0);
  bench.pass(MINUTE_MS);
  const marked = await Promise.all([expireLinks(bench.deps), expireLinks(bench.deps)]);
  expect(marked[0] + marked[1]).toBe(2);
  expect(await expireLinks(bench.deps)).toBe(0);
  const ids = [...over, revoked, later].map(({ linkId }) => linkId);
  const found = await bench.service.findByIds(acme, ids);
  expect(ids.map((id) => found.get(id)?.visibility)).toEqual(['expired', 'expired', 'revoked', 'active']);
});

test('lists write nothing, and say the same before and after the job', async () => {
  bench.pass(MINUTE_MS);
  await expireLinks(bench.deps);
  for (const changes of [{ flow: 'cip' }, { flow: 'transfer' }, { flow: 'request_money' }]) {
    const { linkId } = await bench.newLink({ ...changes, expiresInMinutes: 1 });
    must(await bench.internal.open(linkId));
    await bench.newLink({ ...changes, expiresInMinutes: 1 });
    await bench.newLink({ ...changes, expiresInMinutes: 9 });
    bench.pass(1_000);
  }
  bench.pass(MINUTE_MS);
  const filters = [
    { visibility: 'active' },
    { visibility: 'expired' },
    { visibility: 'expired', flow: ['transfer', 'cip'] },
    { visibility: 'active', status: ['created'] },
    { visibility: 'expired', status: ['opened'] },
  ] as LinkWhereInput[];
  const read = () =>
    Promise.all(
      filters.map(async (where) => {
        const { nodes, count } = await bench.service.list(acme, toListing(where, null), { first: 100 });
        const paged = must(await bench.service.page(acme, { visibility: where.visibility as string }));
        return [nodes.map(({ linkId }) => linkId), await count(), paged.total];
      }),
    );
  const unmarked = () =>
    store.connection
      .collection('links')
      .countDocuments({ visibility: 'active', expiresAt: { $lte: bench.now } });
  const due = await unmarked();
  expect(due).toBe(6);
  const before = await read();
  expect(before.map(([ids]) => (ids as string[]).length)).toEqual([3, 9, 7, 3, 3]);
  expect(await unmarked()).toBe(due);
  expect(await expireLinks(bench.deps)).toBe(due);
  expect(await read()).toEqual(before);
});
