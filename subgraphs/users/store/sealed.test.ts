import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { ACCOUNT, acme, type Bench, CARD, createBench, FRIEND, START } from '../testing.ts';

const PERSON = {
  phoneNumber: '+525598765432',
  email: 'Private.Person@example.com',
  firstName: 'Guadalupe',
  middleName: 'Xochitl',
  lastName: 'Villanueva',
  lastName2: 'Zaragoza',
  dob: '1987-06-05',
  address1: 'Calle Secreta 99',
  address2: 'Piso 7',
  zipCode: '06700',
  city: 'Guanajuato',
  placeDetail: '{"place_id":"ChIJsecret"}',
  latitude: 20.987_654,
};

const REASON = 'Chargeback by the cousin of Tlaloc';
const RESULT = { watchlist: 'Nezahualcoyotl' };

/** Everything personal that is sent, as it is sent and as it is normalised. */
const SECRETS = [
  ...Object.values(PERSON).map(String),
  PERSON.email.toLowerCase(),
  FRIEND.phoneNumber,
  FRIEND.firstName,
  FRIEND.lastName,
  FRIEND.email,
  FRIEND.email.toLowerCase(),
  CARD.number,
  CARD.number.replaceAll(' ', ''),
  CARD.nameOnCard,
  ACCOUNT.number,
  ACCOUNT.number.replaceAll(' ', ''),
  REASON,
  RESULT.watchlist,
];

let store: Database;
let bench: Bench;
let userId: string;

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
  userId = await bench.newUser(PERSON);
  await bench.service.createContact(acme, userId, FRIEND);
  await bench.service.createContact(acme, userId, { ...FRIEND, firstName: 'Lucho' });
  await bench.service.addCard(acme, userId, CARD);
  await bench.service.addUbn(acme, userId, ACCOUNT);
  const check = { accountId: 'acme/sandbox', userId, status: 'failed', result: RESULT, at: START } as const;
  await bench.transaction((unit) => bench.port.recordIdentityCheck(check, unit));
  await bench.service.block(acme, userId, { reason: REASON });
});
afterAll(() => store.close());

/** The bytes of every document of every collection. */
async function stored(): Promise<{ collections: Map<string, number>; bytes: Buffer }> {
  const collections = new Map<string, number>();
  const bytes: Uint8Array[] = [];
  for (const { collectionName } of (await store.connection.db?.collections()) ?? []) {
    const documents = await store.connection.collection(collectionName).find().toArray();
    collections.set(collectionName, documents.length);
    bytes.push(...documents.map((document) => mongo.BSON.serialize(document)));
  }
  return { collections, bytes: Buffer.concat(bytes) };
}

describe('at rest', () => {
  test('there is something to look through', async () => {
    const { collections, bytes } = await stored();
    expect(Object.fromEntries(collections)).toMatchObject({ users: 1, contacts: 1, paymentMethods: 2 });
    expect(bytes.includes(userId)).toBe(true);
  });

  test('nothing personal is in clear, nor encoded', async () => {
    const { bytes } = await stored();
    const text = bytes.toString('latin1').toLowerCase();
    for (const secret of SECRETS) {
      expect([secret, text.includes(secret.toLowerCase())]).toEqual([secret, false]);
      const encoded = Buffer.from(secret).toString('base64').replaceAll('=', '');
      expect([secret, text.includes(encoded.toLowerCase())]).toEqual([secret, false]);
    }
  });

  test('no digest is of a value alone, which anybody could try', async () => {
    const { bytes } = await stored();
    for (const secret of SECRETS) {
      const digest = createHash('sha256').update(secret).digest();
      for (const form of [digest, digest.toString('hex'), digest.toString('base64url')]) {
        expect([secret, bytes.includes(form)]).toEqual([secret, false]);
      }
    }
  });

  test('a value does not open in another place', async () => {
    const methods = store.connection.collection<{ _id: string }>('paymentMethods');
    const [one, other] = await methods.find().toArray();
    await methods.updateOne(
      { _id: one?._id ?? '' },
      { $set: { number: (other as { number?: unknown }).number } },
    );
    await expect(bench.service.findPaymentMethods(acme, [one?._id ?? ''])).rejects.toThrow();
    await methods.updateOne(
      { _id: one?._id ?? '' },
      { $set: { number: (one as { number?: unknown }).number } },
    );
    expect((await bench.service.findPaymentMethods(acme, [one?._id ?? ''])).size).toBe(1);
  });
});

test('reads return what was sent; for a card the last four digits', async () => {
  const [user] = (await bench.service.findByIds(acme, [userId])).values();
  const { middleName, lastName2, ...same } = PERSON;
  expect(user).toMatchObject({ blockedReason: REASON, cipResult: RESULT });
  expect(user?.profile).toMatchObject({ ...same, secondName: middleName, secondLastName: lastName2 });
  const { nodes } = await bench.service.listPaymentMethods(acme, userId, {});
  expect(nodes.map(({ number }) => number).sort()).toEqual([
    ACCOUNT.number,
    expect.stringMatching(/^tok_[0-9a-f]{16}_1111$/),
  ]);
});
