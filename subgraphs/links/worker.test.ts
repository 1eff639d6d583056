import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestStore } from '../platform/store/testing.ts';
import type { Store } from '../platform/store/types.ts';
import { acme, type Bench, createBench, MINUTE_MS, must } from './testing.ts';
import { expireLinks } from './worker.ts';

let store: Store;
let bench: Bench;

beforeAll(async () => {
  store = await openTestStore();
  bench = await createBench(store);
});
afterAll(() => store.close());

test('marks what is over once, whoever comes first, and nothing else', async () => {
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
