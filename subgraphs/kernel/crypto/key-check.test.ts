import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../database/open-database.ts';
import { adoptKey, checkKeys } from './key-check.ts';

let store: Database;
beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());

test('other secrets than those of the first start are named', async () => {
  const [key, pepper] = ['a'.repeat(64), 'b'.repeat(32)];
  const secrets = { ENCRYPTION_KEY: [key], API_KEY_PEPPER: [pepper] };
  const checks = await Promise.all([1, 2, 3].map(() => checkKeys(store.connection, secrets)));
  expect(checks).toEqual([undefined, undefined, undefined]);
  const wrong = await checkKeys(store.connection, { ...secrets, API_KEY_PEPPER: ['c'.repeat(32)] });
  expect(wrong?.message).toContain('was written under another API_KEY_PEPPER.');
  expect(await checkKeys(store.connection, secrets)).toBeUndefined();
  const kept = JSON.stringify(await store.connection.collection('keyFingerprints').find().toArray());
  expect(kept).not.toContain(key);
});

test('a new key is accepted beside the former one, and alone once it is adopted', async () => {
  const [old, current] = ['d'.repeat(64), 'e'.repeat(64)];
  const check = (...keys: string[]) => checkKeys(store.connection, { ROTATED_KEY: keys });
  expect(await check(old)).toBeUndefined();
  expect((await check(current))?.message).toContain('ROTATED_KEY');
  expect(await check(current, old)).toBeUndefined();
  await adoptKey(store.connection, 'ROTATED_KEY', current);
  expect(await check(current)).toBeUndefined();
  expect((await check(old))?.message).toContain('ROTATED_KEY');
});
