import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../account.ts';
import { type StoredBytes, toBuffer } from '../binary.ts';
import type { Database } from '../database/open-database.ts';
import { createKeyring } from './keyring.ts';
import { reseal, type SealedField } from './rotate.ts';

const OLD = randomBytes(32);
const NEW = randomBytes(32);
const CONTEXT = 'acme/sandbox|profile|usr_1';

describe('a keyring', () => {
  test('should open a sealed value only in its own place', () => {
    const box = createKeyring([OLD]).box('fields');
    const sealed = box.seal('secret', CONTEXT);
    expect(box.open(sealed, CONTEXT).toString()).toBe('secret');
    for (const elsewhere of [
      'globex/sandbox|profile|usr_1',
      'acme/sandbox|dob|usr_1',
      'acme/sandbox|profile|usr_2',
    ]) {
      expect(() => box.open(sealed, elsewhere)).toThrow();
    }
    expect(() => createKeyring([OLD]).box('webhooks').open(sealed, CONTEXT)).toThrow();
  });

  test("should give every tenant a key of its own: with one's the other's does not open", () => {
    const keyring = createKeyring([OLD]);
    const [key] = keyring.keys('fields');
    expect(keyring.keys('webhooks')[0]).not.toEqual(key);
    const sealed = keyring.box('fields').seal('secret', '|none|1');
    expect(() => keyring.box('fields').open(sealed, 'acme/sandbox|none|1')).toThrow();
  });

  test('should open values that a former key sealed, and seal with the current key', () => {
    const before = createKeyring([OLD]).box('fields').seal('secret', CONTEXT);
    const both = createKeyring([NEW, OLD]);
    expect(both.box('fields').open(before, CONTEXT).toString()).toBe('secret');
    expect(both.isCurrent(before)).toBe(false);
    const after = both.box('fields').seal('secret', CONTEXT);
    expect(both.isCurrent(after)).toBe(true);
    expect(createKeyring([NEW]).box('fields').open(after, CONTEXT).toString()).toBe('secret');
    expect(() => createKeyring([NEW]).box('fields').open(before, CONTEXT)).toThrow(/ENCRYPTION_KEY/);
  });
});

describe('a rotation', () => {
  let store: Database;
  beforeAll(async () => {
    store = await openTestDatabase();
    await store.connection.createCollection('people');
  });
  afterAll(() => store.close());
  const field: SealedField = {
    collection: 'people',
    field: 'name',
    purpose: 'fields',
    context: ({ _id, accountId }) => `${accountId}|name|${_id}`,
  };

  test('should seal all values again once, and skip documents without a value', async () => {
    const people = store.connection.collection<{ _id: string; accountId: AccountId; name?: Buffer }>(
      'people',
    );
    const old = createKeyring([OLD]).box('fields');
    await people.insertMany(
      Array.from({ length: 1_100 }, (_, index) => {
        const _id = `usr_${String(index).padStart(5, '0')}`;
        const accountId = index % 2 === 0 ? 'acme/live' : 'globex/live';
        return index === 7
          ? { _id, accountId }
          : { _id, accountId, name: old.seal(`name ${index}`, `${accountId}|name|${_id}`) };
      }),
    );
    const both = createKeyring([NEW, OLD]);
    expect(await reseal(store.connection, both, [field])).toEqual([
      { collection: 'people', field: 'name', values: 1_099, resealed: 1_099 },
    ]);
    expect(await reseal(store.connection, both, [field])).toEqual([
      { collection: 'people', field: 'name', values: 1_099, resealed: 0 },
    ]);
    const last = await people.findOne({ _id: 'usr_01099' });
    const opened = createKeyring([NEW])
      .box('fields')
      .open(toBuffer(last?.name as StoredBytes), 'globex/live|name|usr_01099');
    expect(opened.toString()).toBe('name 1099');
  });
});
