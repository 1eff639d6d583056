import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { ContactInput, ContactRecord } from '../contact.ts';
import { acme, type Bench, createBench, FRIEND, globex, START } from '../testing.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
});
afterAll(() => store.close());

const HOUR = 3_600_000;
const at = (hours: number) => new Date(START.getTime() + hours * HOUR);

async function create(userId: string, changes: Record<string, unknown> = {}) {
  const kept = await bench.service.createContact(acme, userId, { ...FRIEND, ...changes });
  if (!kept.ok) {
    throw new Error(JSON.stringify(kept.failures));
  }
  return kept.value;
}

const keep = (userId: string, contact: ContactInput, time = START) =>
  retryOnConflict(() =>
    bench.transaction((unit) =>
      bench.port.keepContact({ accountId: 'acme/sandbox' as const, userId, contact, at: time }, unit),
    ),
  );

const count = (
  { userId, contactId }: Pick<ContactRecord, 'userId' | 'contactId'>,
  time: Date,
  accountId: AccountId = 'acme/sandbox',
) => bench.transaction((unit) => bench.port.countRequest({ accountId, userId, contactId, at: time }, unit));

describe('createContact', () => {
  test('makes a contact that is found by phone number and by email', async () => {
    const userId = await bench.newUser();
    const contact = await create(userId);
    expect(contact).toEqual({
      ...FRIEND,
      contactId: expect.stringMatching(/^con_[\w-]{20}$/),
      userId,
      requests: 0,
      createdAt: START,
    });
    const user = { accountId: 'acme/sandbox' as const, userId };
    expect(await bench.port.findContact(user, { phoneNumber: FRIEND.phoneNumber })).toEqual(contact);
    expect(await bench.port.findContact(user, { email: 'LUIS.ORTEGA@EXAMPLE.COM' })).toEqual(contact);
    expect(await bench.port.findContact(user, { phoneNumber: '+13125550199' })).toBeUndefined();
    expect(await bench.port.findContact({ ...user, accountId: 'globex/sandbox' }, FRIEND)).toBeUndefined();
    expect(await bench.port.findContact({ ...user, userId: 'usr_none' }, FRIEND)).toBeUndefined();
  });

  test('again with the same phone number brings it up to date', async () => {
    const userId = await bench.newUser();
    const before = await create(userId);
    const after = await create(userId, {
      phoneNumber: '(312) 555-0188',
      firstName: 'Lucho',
      email: undefined,
    });
    expect(after).toEqual({ ...before, firstName: 'Lucho' });
    const renamed = await create(userId, { email: 'new@example.com' });
    const user = { accountId: 'acme/sandbox' as const, userId };
    expect(await bench.port.findContact(user, { email: 'new@example.com' })).toEqual(renamed);
    expect(await bench.port.findContact(user, { email: FRIEND.email })).toBeUndefined();
    expect(await bench.service.listContacts(acme, userId, {})).toMatchObject({ nodes: [renamed] });
  });

  test("is for the partner's own users, before the body is looked at", async () => {
    const theirs = await bench.newUser({}, globex);
    for (const userId of [theirs, 'usr_none']) {
      expect(await bench.service.createContact(acme, userId, undefined)).toMatchObject({
        failures: [{ code: 'ERROR_SUBSCRIBER_NOT_FOUND' }],
      });
    }
  });

  test('fails for a dial code that the partner does not serve', async () => {
    const userId = await bench.newUser();
    const body = { ...FRIEND, phoneNumber: '+34612345678', countryCode: 'ES' };
    expect(await bench.service.createContact(acme, userId, body)).toMatchObject({
      failures: [{ code: 'ERROR_PHONE_NUMBER_NOT_SUPPORTED' }],
    });
  });

  test('30 times at once makes one contact', async () => {
    const userId = await bench.newUser();
    const all = await Promise.all(Array.from({ length: 30 }, () => create(userId)));
    expect(new Set(all.map(({ contactId }) => contactId)).size).toBe(1);
    expect(await (await bench.service.listContacts(acme, userId, {})).count()).toBe(1);
  });
});

describe('keepContact', () => {
  test('absent fields stay: a phone number alone deletes nothing', async () => {
    const userId = await bench.newUser();
    const before = await create(userId);
    expect(await keep(userId, { phoneNumber: FRIEND.phoneNumber })).toEqual(before);
  });

  test('a phone number alone is enough for a new one, and is completed later', async () => {
    const userId = await bench.newUser();
    const bare = await keep(userId, { phoneNumber: FRIEND.phoneNumber });
    expect(bare).toMatchObject({ phoneNumber: FRIEND.phoneNumber });
    expect(bare).not.toHaveProperty('firstName');
    expect(await create(userId)).toEqual({ ...bare, ...FRIEND });
  });

  test('users have contacts for themselves', async () => {
    const [one, other] = [await bench.newUser(), await bench.newUser()];
    expect((await create(one)).contactId).not.toBe((await create(other)).contactId);
  });

  test('the newest of several contacts with an email is found', async () => {
    const userId = await bench.newUser();
    const email = 'family@example.com';
    await keep(userId, { phoneNumber: '+13125550101', email }, at(0));
    const newest = await keep(userId, { phoneNumber: '+13125550102', email }, at(2));
    await keep(userId, { phoneNumber: '+13125550103', email }, at(1));
    expect(await bench.port.findContact({ accountId: 'acme/sandbox', userId }, { email })).toEqual(newest);
  });
});

describe('frequent contacts', () => {
  async function contactsOf(userId: string, requests: readonly (readonly number[])[]): Promise<void> {
    for (const [index, hours] of requests.entries()) {
      const contact = await keep(userId, {
        phoneNumber: `+1312555${String(100 + index).padStart(4, '0')}`,
      });
      for (const hour of hours) {
        await count(contact, at(hour));
      }
    }
  }
  const frequent = async (userId: string, limit = 100) => {
    const found = await bench.service.frequentContacts(acme, userId, limit);
    return found.ok
      ? found.value.map(({ phoneNumber, requests }) => [Number(phoneNumber.slice(-3)) - 100, requests])
      : found.failures[0]?.code;
  };

  test('are those with requests, most first, ties by the latest', async () => {
    const userId = await bench.newUser();
    await contactsOf(userId, [[1], [2, 3], [], [9, 4], [5], [1, 2, 3]]);
    expect(await frequent(userId)).toEqual([
      [5, 3],
      [3, 2],
      [1, 2],
      [4, 1],
      [0, 1],
    ]);
    expect(await frequent(userId, 2)).toHaveLength(2);
    expect(await frequent(userId, 1)).toEqual([[5, 3]]);
  });

  test('a request that is counted late does not make the latest earlier', async () => {
    const userId = await bench.newUser();
    const contact = await create(userId);
    await count(contact, at(5));
    await count(contact, at(2));
    expect(await bench.port.findContact({ accountId: 'acme/sandbox', userId }, FRIEND)).toMatchObject({
      requests: 2,
      lastRequestedAt: at(5),
    });
  });

  test("another tenant's counting changes nothing", async () => {
    const userId = await bench.newUser();
    const contact = await create(userId);
    await count(contact, at(1), 'globex/sandbox');
    expect(await frequent(userId)).toEqual([]);
  });

  test('20 requests at once are counted 20 times', async () => {
    const userId = await bench.newUser();
    const contact = await create(userId);
    await Promise.all(Array.from({ length: 20 }, (_, hour) => count(contact, at(hour))));
    expect(await bench.port.findContact({ accountId: 'acme/sandbox', userId }, FRIEND)).toMatchObject({
      requests: 20,
      lastRequestedAt: at(19),
    });
  });

  test.each([0, -1, 101, 1.5, Number.NaN])('a limit of %d fails', async (limit) => {
    expect(await frequent('usr_any', limit)).toBe('BAD_USER_INPUT');
  });

  test.each(['0', '101', '', ' 5', '5.0', '1e1', '+5', '-1', 'ten', '0x5', '1000', '٥'])(
    'a limit of %j in a path fails for any user',
    async (limit) => {
      expect(await bench.service.frequentContactsByToken(acme, 'usr_none', limit)).toMatchObject({
        failures: [{ code: 'BAD_USER_INPUT' }],
      });
    },
  );

  test.each(['1', '100', '007'])('a limit of %j in a path is taken', async (limit) => {
    const userId = await bench.newUser();
    const byToken = (token: string) => bench.service.frequentContactsByToken(acme, token, limit);
    expect(await byToken(userId)).toEqual({ ok: true, value: [] });
    expect(await byToken('usr_none')).toMatchObject({ failures: [{ code: 'ERROR_SUBSCRIBER_NOT_FOUND' }] });
    const theirs = await bench.newUser({}, globex);
    expect(await byToken(theirs)).toMatchObject({
      failures: [{ code: 'USER_TENANT_MISMATCH', message: 'User tenant does not match request tenant' }],
    });
  });
});
