import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { createBlindIndex } from '../../kernel/crypto/blind-index.ts';
import { transparentBox, unseal, unsealJson } from '../../kernel/crypto/testing.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { ACCOUNT, acme, type Bench, CARD, createBench, FRIEND, START } from '../testing.ts';
import type { ContactDocument, PaymentMethodDocument, UserDocument } from './model.ts';

/*
 * Data that is stored today must be readable, and found again, tomorrow: collections, fields, the names inside sealed JSON, the
 * contexts and the digests are the data's own, and no renaming in the code may change them.
 */

let database: Database;
let bench: Bench;
let userId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  const blindIndex = createBlindIndex(Buffer.alloc(32, 7));
  bench = await createBench(database, { box: transparentBox, blindIndex });
  userId = await bench.newUser({
    phoneNumber: '+525512345678',
    email: 'Ana@Example.com',
    middleName: 'Maria',
    lastName2: 'Paz',
    gender: 'Female',
    lang: 'es',
    latitude: 19.43,
  });
});
afterAll(() => database.close());

test('a registered user is stored as it was, with the check, the block and the hold', async () => {
  const check = {
    accountId: 'acme/sandbox' as const,
    userId,
    status: 'failed',
    provider: 'checker',
    result: { watchlist: 'hit' },
    at: START,
  } as const;
  await bench.transaction((unit) => bench.port.recordIdentityCheck(check, unit));
  await bench.transaction((unit) => bench.port.accountState('acme/sandbox', userId, unit));
  await bench.block(acme, userId, { reason: 'Fraud' });
  const stored = await database.connection.collection<UserDocument>('users').findOne({ _id: userId });
  expect({
    ...stored,
    profile: unsealJson(stored?.profile),
    cipResult: unsealJson(stored?.cipResult),
    blockedReason: unseal(stored?.blockedReason),
  }).toEqual({
    _id: userId,
    accountId: 'acme/sandbox',
    phoneKey: 'GrrYU0a_iK1lxq7BbfqXm5E2J6lqXoqnI_rn6dOofcg',
    emailKey: '7SB-5BWrKkYSlfi1q1ZslvNVTVrVGZ_iWDM2CTkjhRo',
    nameKeys: [
      'YMVfMKWB36O-DfM2Bh2VK3d_I21dG73WAWQ5g8x6mcc',
      'EArMbEuU3gt0dASms5HzPiEuneAWcc0oB4xWEQVAxkM',
      'aQrbznDB-zziQ8Wu3ndqvvOgrjw4Y4UpzzO3DwAHBFE',
      'mWGp-uSfVY_xwx1LaQ7Yu2bYeXv3QQ7OqPu08sHIz-0',
    ],
    profile: [
      `acme/sandbox|profile|${userId}`,
      {
        phoneNumber: '+525512345678',
        email: 'Ana@Example.com',
        firstName: 'Ana',
        secondName: 'Maria',
        lastName: 'Ruiz',
        secondLastName: 'Paz',
        gender: 'Female',
        dob: '1990-02-28',
        address1: 'Avenida Juarez 50',
        city: 'Ciudad de Mexico',
        state: 'MX-CMX',
        country: 'MX',
        lang: 'es',
        latitude: 19.43,
      },
    ],
    cipStatus: 'failed',
    cipProvider: 'checker',
    cipResult: [`acme/sandbox|cipResult|${userId}`, { watchlist: 'hit' }],
    blocked: true,
    blockedAt: START,
    blockedReason: [`acme/sandbox|blockedReason|${userId}`, 'Fraud'],
    blockedBy: { kind: 'API_KEY', id: acme.keyId, name: 'Back office' },
    version: 1,
    holds: 1,
    createdAt: START,
    updatedAt: START,
  });
});

test("a user known by the partner's id alone is stored as it was", async () => {
  const known = { accountId: 'acme/sandbox' as const, referenceId: 'u-77', profile: { firstName: 'Ana' } };
  const user = await bench.transaction((unit) => bench.port.ensureByReference(known, unit));
  const stored = await database.connection.collection<UserDocument>('users').findOne({ _id: user.userId });
  expect({ ...stored, profile: unsealJson(stored?.profile) }).toEqual({
    _id: user.userId,
    accountId: 'acme/sandbox',
    referenceId: 'u-77',
    nameKeys: ['YMVfMKWB36O-DfM2Bh2VK3d_I21dG73WAWQ5g8x6mcc'],
    profile: [`acme/sandbox|profile|${user.userId}`, { firstName: 'Ana' }],
    cipStatus: 'pending',
    blocked: false,
    createdAt: START,
    updatedAt: START,
  });
});

test('a contact is stored as it was', async () => {
  const made = await bench.service.createContact(acme, userId, FRIEND);
  const contactId = made.ok ? made.value.contactId : '';
  const at = new Date(START.getTime() + 1_000);
  const counted = { accountId: 'acme/sandbox' as const, userId, contactId, at };
  await bench.transaction((unit) => bench.port.countRequest(counted, unit));
  const stored = await database.connection
    .collection<ContactDocument>('contacts')
    .findOne({ _id: contactId });
  expect({ ...stored, person: unsealJson(stored?.person) }).toEqual({
    _id: contactId,
    accountId: 'acme/sandbox',
    userId,
    phoneKey: 'VbDHuTAm8i3s_NzEYxxssovNtjJFhoArhDzONfS0z8Q',
    emailKey: 'bl3kwBQv1-OZz9bYtUBF0ENwrkpONc8jsrdDRqy9Uxc',
    person: [`acme/sandbox|person|${contactId}`, FRIEND],
    requests: 1,
    lastRequestedAt: at,
    createdAt: START,
  });
});

test('an account and a card are stored as they were', async () => {
  await bench.service.addUbn(acme, userId, ACCOUNT);
  await bench.service.addCard(acme, userId, CARD);
  const methods = await database.connection
    .collection<PaymentMethodDocument>('paymentMethods')
    .find({ userId })
    .sort({ isPrimary: -1 })
    .toArray();
  const [account, card] = methods.map((stored) => ({ ...stored, number: unseal(stored.number) }));
  const shared = {
    accountId: 'acme/sandbox' as const,
    userId,
    country: 'MX',
    currency: 'MXN',
    createdAt: START,
  };
  expect(account).toEqual({
    ...shared,
    _id: account?._id,
    type: 'UBN',
    fingerprint: 'kmEuE2MgWbJFOC3lkGIzyAB2gAyXovnmNEeJ7sH5zkk',
    number: [`acme/sandbox|number|${account?._id}`, ACCOUNT.number],
    isPrimary: true,
  });
  expect(card).toEqual({
    ...shared,
    _id: card?._id,
    type: 'DebitCard',
    fingerprint: 'dca1StFalcy8t-70dfUc6WKnS77rgqB23SUTrdIHDRk',
    number: [`acme/sandbox|number|${card?._id}`, 'tok_489de142f6df195d_1111'],
    isPrimary: false,
  });
});
