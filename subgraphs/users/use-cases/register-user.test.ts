import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import { readRegistration } from '../commands/registration.ts';
import { acme, type Bench, createBench, globex, jsonOf, newPerson, START } from '../testing.ts';

const RACERS = 50;

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
});
afterAll(() => store.close());

const countUsers = (accountId: AccountId, email: string) =>
  store.connection
    .collection('users')
    .countDocuments({ accountId, emailKey: bench.deps.keys.email(accountId, email) });

function inputOf(changes: Record<string, unknown>) {
  const read = readRegistration(jsonOf(changes), { countries: ['MX'], now: START });
  if (!read.ok) {
    throw new Error(JSON.stringify(read.failures));
  }
  return { accountId: 'acme/sandbox' as const, registration: read.value, at: START };
}

/** As a caller with a transaction of its own does it. */
function ensure(changes: Record<string, unknown>) {
  const input = inputOf(changes);
  return retryOnConflict(() => bench.transaction((unit) => bench.port.ensureRegistered(input, unit)));
}

describe('registerUser', () => {
  test('makes a user who is found by id, phone number and email', async () => {
    const registered = await bench.register({
      phoneNumber: '55 9999 0001',
      email: 'First@Example.com',
      middleName: 'María',
      lastName2: 'Paz',
      gender: 'Female',
    });
    expect(registered).toMatchObject({
      ok: true,
      value: {
        accountId: 'acme/sandbox',
        cipStatus: 'pending',
        blocked: false,
        createdAt: START,
        profile: {
          firstName: 'Ana',
          secondName: 'María',
          lastName: 'Ruiz',
          secondLastName: 'Paz',
          phoneNumber: '+525599990001',
          email: 'First@Example.com',
          country: 'MX',
          gender: 'Female',
        },
      },
    });
    const user = registered.ok ? registered.value : undefined;
    expect(user?.userId).toMatch(/^usr_[\w-]{20}$/);
    for (const by of [
      { phoneNumber: '+525599990001' },
      { phoneNumber: '5599990001' },
      { email: 'first@example.COM' },
    ]) {
      expect(await bench.service.findBy(acme, by)).toEqual(user);
    }
    expect((await bench.service.findByIds(acme, [user?.userId ?? ''])).size).toBe(1);
  });

  test("fails with another user's data, and changes nothing", async () => {
    const person = newPerson();
    const other = newPerson();
    await bench.newUser(person);
    const failure = (field: string) => ({
      code: 'ERROR_REQUEST_MONEY_FULL',
      message: `${field} is already used by another user`,
      path: [field],
    });
    expect(await bench.register({ ...other, phoneNumber: person.phoneNumber })).toEqual({
      ok: false,
      failures: [failure('phoneNumber')],
    });
    expect(await bench.register({ ...other, email: person.email.toUpperCase() })).toEqual({
      ok: false,
      failures: [failure('email')],
    });
    expect(await bench.register(person)).toEqual({
      ok: false,
      failures: [failure('phoneNumber'), failure('email')],
    });
    expect(await bench.service.findBy(acme, { phoneNumber: other.phoneNumber })).toBeUndefined();
    expect(await bench.service.findBy(acme, { email: other.email })).toBeUndefined();
  });

  test('several users may have no email', async () => {
    const emails = { email: undefined };
    const ids = [await bench.newUser(emails), await bench.newUser(emails)];
    expect(new Set(ids).size).toBe(2);
  });

  test('partners do not see, and do not stand in the way of, each other', async () => {
    const person = newPerson();
    const ours = await bench.newUser(person);
    expect(await bench.service.findBy(globex, person)).toBeUndefined();
    const theirs = await bench.newUser(person, globex);
    expect(theirs).not.toBe(ours);
    expect(await bench.service.findBy(acme, person)).toMatchObject({ userId: ours });
    expect(await bench.service.findBy(globex, person)).toMatchObject({ userId: theirs });
    expect((await bench.service.findByIds(globex, [ours, theirs])).size).toBe(1);
    expect(await bench.port.locate('acme/sandbox', ours)).toBe('own');
    expect(await bench.port.locate('globex/sandbox', ours)).toBe('foreign');
    expect(await bench.port.locate('acme/sandbox', 'usr_none')).toBe('unknown');
  });

  test(`${RACERS} times at once makes one user, and the others fail`, async () => {
    const person = newPerson();
    const all = await Promise.all(Array.from({ length: RACERS }, () => bench.register(person)));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    for (const one of all) {
      expect(one.ok || one.failures.every(({ code }) => code === 'ERROR_REQUEST_MONEY_FULL')).toBe(true);
    }
    expect(await countUsers('acme/sandbox', person.email)).toBe(1);
  });

  test('one email, many phone numbers at once: one user', async () => {
    const { email } = newPerson();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => bench.register({ ...newPerson(), email })),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await countUsers('acme/sandbox', email)).toBe(1);
  });
});

describe('ensureRegistered', () => {
  test('finds the user by phone number, whatever else is sent', async () => {
    const person = newPerson();
    const userId = await bench.newUser(person);
    const changed = { ...person, firstName: 'Another', email: undefined };
    expect(await ensure(changed)).toEqual({ ok: true, value: { userId, blocked: false } });
    expect(await ensure({ ...changed, email: newPerson().email })).toMatchObject({ value: { userId } });
    const [stored] = (await bench.service.findByIds(acme, [userId])).values();
    expect(stored?.profile).toMatchObject({ firstName: 'Ana', email: person.email });
  });

  test('registers a user that it does not find', async () => {
    const person = newPerson();
    const made = await ensure(person);
    expect(made.ok && made.value).toEqual({ userId: expect.stringMatching(/^usr_/), blocked: false });
    expect(await bench.service.findBy(acme, person)).toMatchObject(
      made.ok ? { userId: made.value.userId } : {},
    );
  });

  test('fails for an email that another user has, of a new user and of a known one', async () => {
    const [taken, known] = [newPerson(), newPerson()];
    await bench.newUser(taken);
    await bench.newUser(known);
    for (const { phoneNumber } of [newPerson(), known]) {
      expect(await ensure({ phoneNumber, email: taken.email })).toMatchObject({
        ok: false,
        failures: [{ code: 'ERROR_REQUEST_MONEY_FULL', path: ['email'] }],
      });
    }
  });

  test(`${RACERS} at once find the same user`, async () => {
    const person = newPerson();
    const all = await Promise.all(Array.from({ length: RACERS }, () => ensure(person)));
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(new Set(all.map((one) => one.ok && one.value.userId)).size).toBe(1);
    expect(await countUsers('acme/sandbox', person.email)).toBe(1);
  });

  test('and registerUser at once make one user', async () => {
    const person = newPerson();
    const [ensured, registered] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => ensure(person))),
      Promise.all(Array.from({ length: 10 }, () => bench.register(person))),
    ]);
    expect(ensured.every(({ ok }) => ok)).toBe(true);
    expect(registered.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    expect(await countUsers('acme/sandbox', person.email)).toBe(1);
  });

  test('leaves nothing behind when the transaction of the caller fails', async () => {
    const person = newPerson();
    const failing = bench.transaction(async (unit) => {
      await bench.port.ensureRegistered(inputOf(person), unit);
      throw new Error('the caller fails');
    });
    await expect(failing).rejects.toThrow('the caller fails');
    expect(await bench.service.findBy(acme, person)).toBeUndefined();
  });
});
