import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestStore } from '../store/testing.ts';
import type { Store } from '../store/types.ts';
import { checkKeys } from './key-check.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

test('other secrets than those of the first start are told', async () => {
  const secrets = { ENCRYPTION_KEY: 'a'.repeat(64), API_KEY_PEPPER: 'b'.repeat(32) };
  const checks = await Promise.all([1, 2, 3].map(() => checkKeys(store.connection, secrets)));
  expect(checks).toEqual([undefined, undefined, undefined]);
  const wrong = await checkKeys(store.connection, { ...secrets, API_KEY_PEPPER: 'c'.repeat(32) });
  expect(wrong?.message).toContain('was written under another API_KEY_PEPPER.');
  expect(await checkKeys(store.connection, secrets)).toBeUndefined();
  const kept = JSON.stringify(await store.connection.collection('keyFingerprints').find().toArray());
  expect(kept).not.toContain(secrets.ENCRYPTION_KEY);
});
