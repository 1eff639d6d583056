import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { toBuffer } from '../binary.ts';
import type { Database } from '../database/open-database.ts';
import { createKeyring } from './keyring.ts';
import { reseal, type SealedField } from './rotate.ts';

const [FORMER, CURRENT] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const FIELD: SealedField = {
  collection: 'things',
  field: 'secret',
  purpose: 'fields',
  context: ({ _id }) => `acme/sandbox|secret|${String(_id)}`,
};

let store: Database;
beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());

test('seals again, once, the values that a former key sealed', async () => {
  const former = createKeyring([FORMER]).box('fields');
  const keyring = createKeyring([CURRENT, FORMER]);
  const things = store.connection.collection<{ _id: string; secret?: unknown }>('things');
  await things.insertMany([
    { _id: 'sealed', secret: former.seal('of old', 'acme/sandbox|secret|sealed') },
    { _id: 'text', secret: former.seal('Rent, ñ', 'acme/sandbox|secret|text') },
    { _id: 'empty' },
  ]);
  const done = { collection: 'things', field: 'secret', values: 2 };
  expect(await reseal(store.connection, keyring, [FIELD])).toEqual([{ ...done, resealed: 2 }]);
  expect(await reseal(store.connection, keyring, [FIELD])).toEqual([{ ...done, resealed: 0 }]);
  const box = createKeyring([CURRENT]).box('fields');
  const opened = (
    await things
      .find({ secret: { $exists: true } })
      .sort({ _id: 1 })
      .toArray()
  ).map(({ _id, secret }) => box.open(toBuffer(secret as Buffer), `acme/sandbox|secret|${_id}`).toString());
  expect(opened).toEqual(['of old', 'Rent, ñ']);
});
