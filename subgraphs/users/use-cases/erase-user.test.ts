import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { ErasureSource } from '../../graph/erasure.ts';
import type { AccountId } from '../../kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../../kernel/config/work-settings.ts';
import { createBlindIndex } from '../../kernel/crypto/blind-index.ts';
import { createBox } from '../../kernel/crypto/box.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createEventLog } from '../../runtime/events/log.ts';
import { createEventModels } from '../../runtime/events/model.ts';
import { createOwnedErasure } from '../store/erase-user.ts';
import { createUsersModels } from '../store/model.ts';
import { ACCOUNT, acme, type Bench, createBench, FRIEND, globex, newPerson, START } from '../testing.ts';
import { createUserErasure, type UserErasure } from './erase-user.ts';

const REASON = { reason: 'Request 4711' };
const BY = { kind: 'API_KEY', id: acme.keyId, name: 'Back office' } as const;
const box = createBox(randomBytes(32));
const signal = new AbortController().signal;

let store: Database;
let bench: Bench;
let userId: string;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store, { box, blindIndex: createBlindIndex(randomBytes(32)) });
  userId = await bench.newUser();
});

/** The erasure of what this slice has, and of other sources after it. */
function erasureWith(...others: ErasureSource[]): UserErasure {
  const { connection } = store;
  return createUserErasure({
    connection,
    box,
    transaction: bench.transaction,
    events: createEventLog({
      model: createEventModels(connection).events,
      partitions: DEFAULT_PARTITIONS,
      wake: () => undefined,
    }),
    sources: [createOwnedErasure({ connection, box }), ...others],
    accountClock: () => bench.now,
  });
}

const source = (changes: Partial<ErasureSource>): ErasureSource => ({
  hasOpen: async () => false,
  erase: async () => undefined,
  ...changes,
});
const erase = (erasure: UserErasure, id = userId, accountId: AccountId = 'acme/sandbox') =>
  erasure.erase({ accountId, userId: id }, REASON, BY);
const userOf = async (id = userId) => (await bench.service.findByIds(acme, [id])).get(id);
const eventsOf = async (id = userId) => {
  const found = await createEventModels(store.connection)
    .events.find({ accountId: 'acme/sandbox', entity: 'user', entityId: id })
    .lean();
  return found.map(({ version, type, status }) => `${version} ${type} ${status}`).sort();
};

describe('An erasure', () => {
  test('removes the data of the user, the contacts and the payout methods', async () => {
    await bench.service.createContact(acme, userId, FRIEND);
    await bench.service.addUbn(acme, userId, ACCOUNT);
    const erased = await erase(erasureWith());
    expect(erased).toMatchObject({
      value: {
        userId,
        profile: {},
        blocked: true,
        blockedBy: BY,
        erasedAt: START,
        erasureReason: REASON.reason,
      },
    });
    const contacts = await bench.service.listContacts(acme, userId, { first: 5 });
    expect(contacts.nodes).toMatchObject([{ userId, phoneNumber: '', requests: 0 }]);
    expect(contacts.nodes[0]).not.toHaveProperty('firstName');
    const methods = await bench.service.listPaymentMethods(acme, userId, { first: 5 });
    expect(methods.nodes).toMatchObject([{ type: 'UBN', country: 'MX', isPrimary: true }]);
    expect(methods.nodes[0]).not.toHaveProperty('number');
    expect(await eventsOf()).toEqual(['1 user.erasure_requested blocked', '2 user.erased erased']);
  });

  test('frees the phone number and the email', async () => {
    const person = newPerson();
    const id = await bench.newUser(person);
    expect(await bench.service.findBy(acme, { email: person.email })).toMatchObject({ userId: id });
    await erase(erasureWith(), id);
    expect(await bench.service.findBy(acme, { email: person.email })).toBeUndefined();
    expect(await bench.service.findBy(acme, { phoneNumber: person.phoneNumber })).toBeUndefined();
    const next = await bench.newUser(person);
    expect(await bench.service.findBy(acme, { email: person.email })).toMatchObject({ userId: next });
  });

  test('keeps the user blocked for ever', async () => {
    await erase(erasureWith());
    expect(await bench.service.unblock(acme, userId)).toMatchObject({ failures: [{ code: 'USER_ERASED' }] });
  });

  test('of an unknown user, and of the user of another partner, fails', async () => {
    const unknown = { failures: [{ code: 'USER_NOT_FOUND' }] };
    expect(await erase(erasureWith(), 'usr_nobody')).toMatchObject(unknown);
    expect(await erase(erasureWith(), userId, globex.accountId)).toMatchObject(unknown);
    expect((await userOf())?.erasureRequestedAt).toBeUndefined();
  });

  test('of a user with an open payment fails, and changes nothing', async () => {
    const before = await userOf();
    const erased = await erase(erasureWith(source({ hasOpen: async () => true })));
    expect(erased).toMatchObject({ failures: [{ code: 'USER_HAS_OPEN_PAYMENTS' }] });
    expect(await userOf()).toEqual(before);
    expect(await eventsOf()).toEqual([]);
  });

  test('whose process died refuses new data, and has no erasedAt until the job completes it', async () => {
    const dies = source({
      erase: async () => {
        throw new Error('the process dies here');
      },
    });
    await expect(erase(erasureWith(dies))).rejects.toThrow('dies here');
    expect(await userOf()).toMatchObject({ profile: {}, blocked: true, erasureRequestedAt: START });
    expect((await userOf())?.erasedAt).toBeUndefined();
    expect(await bench.service.createContact(acme, userId, FRIEND)).toMatchObject({
      failures: [{ code: 'USER_ERASED' }],
    });
    await erasureWith().resume(signal);
    expect(await userOf()).toMatchObject({ erasedAt: START });
  });

  test('that fails does not keep the job from ending the others', async () => {
    const other = await bench.newUser();
    const fails = (id: string) =>
      source({
        erase: async (user) => {
          if (user.userId === id) {
            throw new Error('a document does not open');
          }
        },
      });
    await expect(erase(erasureWith(fails(userId)))).rejects.toThrow();
    await expect(erase(erasureWith(fails(other)), other)).rejects.toThrow();
    await expect(erasureWith(fails(userId)).resume(signal)).rejects.toThrow('does not open');
    expect((await userOf())?.erasedAt).toBeUndefined();
    expect((await userOf(other))?.erasedAt).toEqual(START);
    await erasureWith().resume(signal);
  });

  test('of several calls and runs of the job at once is one erasure', async () => {
    const erasure = erasureWith();
    const [first, ...others] = await Promise.all([
      erase(erasure),
      erase(erasure),
      erase(erasure),
      erasure.resume(signal).then(() => erase(erasure)),
    ]);
    expect(first).toMatchObject({ ok: true });
    expect(others.every(({ ok }) => ok)).toBe(true);
    expect(await eventsOf()).toEqual(['1 user.erasure_requested blocked', '2 user.erased erased']);
  });

  test('waits for a call that had read the user before the mark', async () => {
    let open = false;
    const late = source({
      hasOpen: async () => open,
      erase: async () => {
        open = !open;
      },
    });
    expect(await erase(erasureWith(late))).toMatchObject({ ok: true, value: { profile: {} } });
    expect((await userOf())?.erasedAt).toBeUndefined();
    await erasureWith(late).resume(signal);
    expect((await userOf())?.erasedAt).toEqual(START);
  });
});

describe('At the moment of an erasure', () => {
  test('a new payment is made, or the user is erased, but not both', async () => {
    const payments = store.connection.collection<{ userId: string }>('erasurePayments');
    await payments.insertOne({ userId: 'nobody' });
    const erasure = erasureWith(
      source({
        hasOpen: async (user, _at, unit) =>
          (await payments.findOne({ userId: user.userId }, { session: unit.session })) !== null,
      }),
    );
    for (let round = 0; round < 10; round += 1) {
      const id = await bench.newUser();
      const pay = bench.transaction(async (unit) => {
        const state = await bench.port.accountState('acme/sandbox', id, unit);
        if (state?.blocked) {
          return false;
        }
        await payments.insertOne({ userId: id }, { session: unit.session });
        return true;
      });
      const [paid, erased] = await Promise.all([pay, erase(erasure, id)]);
      expect(erased.ok).toBe(!paid);
    }
  });

  test('a new contact is refused, or erased too', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await bench.newUser();
      const [created, erased] = await Promise.all([
        bench.service.createContact(acme, id, FRIEND),
        erase(erasureWith(), id),
      ]);
      expect(erased.ok).toBe(true);
      const { contacts } = createUsersModels(store.connection);
      const left = await contacts.find({ accountId: 'acme/sandbox', userId: id }).lean();
      expect(left.map(({ phoneKey }) => phoneKey.startsWith('erased:'))).toEqual(created.ok ? [true] : []);
    }
  });
});
