import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { PaymentMethodInput } from '../payment-method.ts';
import { ACCOUNT, acme, type Bench, CARD, createBench, globex, START } from '../testing.ts';

let store: Database;
let bench: Bench;
let userId: string;

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
});
afterAll(() => store.close());
beforeEach(async () => {
  userId = await bench.newUser();
  bench.calls.splice(0);
});

type Change = Record<string, unknown>;
const addCard = (changes: Change = {}, by = acme) =>
  bench.service.addCard(by, userId, { ...CARD, ...changes });
const addUbn = (changes: Change = {}, by = acme) =>
  bench.service.addUbn(by, userId, { ...ACCOUNT, ...changes });
const keep = (method: PaymentMethodInput) =>
  retryOnConflict(() =>
    bench.transaction((unit) =>
      bench.port.keepPaymentMethod({ accountId: 'acme/sandbox' as const, userId, method, at: START }, unit),
    ),
  );
const methodsOf = async () => (await bench.service.listPaymentMethods(acme, userId, {})).nodes;

describe('addCard', () => {
  test('keeps a token in the place of the number', async () => {
    expect(await addCard()).toEqual({
      ok: true,
      value: {
        paymentMethodId: expect.stringMatching(/^pm_[\w-]{20}$/),
        userId,
        type: 'DebitCard',
        country: 'MX',
        currency: 'MXN',
        number: expect.stringMatching(/^tok_[0-9a-f]{16}_1111$/),
        isPrimary: true,
        createdAt: START,
      },
    });
  });

  test('the same card again is the one that is there, and no provider is called again', async () => {
    const first = await addCard();
    expect(await addCard({ number: '4111-1111-1111-1111', expirationDate: '1229' })).toEqual(first);
    expect(bench.calls).toHaveLength(1);
    expect(await methodsOf()).toHaveLength(1);
  });

  test.each([
    ['another type', { type: 'CreditCard' }],
    ['another country', { country: 'US' }],
    ['another currency', { currency: 'USD' }],
    ['another number', { number: '5555555555554444' }],
  ])('%s is another method, and not primary', async (_what, changes) => {
    await addCard();
    expect(await addCard(changes)).toMatchObject({ value: { isPrimary: false } });
    expect(await methodsOf()).toHaveLength(2);
  });

  test.each([
    ['an unknown type', { type: 'Wire' }, 'ERROR_PAYMENT_METHOD_NOT_FOUND'],
    ['no type', { type: undefined }, 'ERROR_PAYMENT_METHOD_NOT_FOUND'],
    ['an account', { type: 'UBN' }, 'ERROR_PAYMENT_METHOD_NOT_FOUND'],
    ['no name', { nameOnCard: undefined }, 'INVALID_NAME'],
    ['an unknown country', { country: 'XX' }, 'ERROR_INVALID_COUNTRY_CODE'],
    ['no country', { country: undefined }, 'ERROR_INVALID_COUNTRY_CODE'],
    ['an unknown currency', { currency: 'XXQ' }, 'ERROR_INVALID_CURRENCY_CODE'],
    ['no currency', { currency: undefined }, 'ERROR_INVALID_CURRENCY_CODE'],
    ['a bad check digit', { number: '4111111111111112' }, 'ERROR_CARD_VERIFICATION'],
    ['a month that is over', { expirationDate: '1026' }, 'ERROR_CARD_VERIFICATION'],
  ])('%s fails before any provider is called', async (_what, changes, code) => {
    const path = Object.keys(changes);
    expect(await addCard(changes)).toMatchObject({ ok: false, failures: [{ code, path }] });
    expect(bench.calls).toEqual([]);
    expect(await methodsOf()).toEqual([]);
  });

  test.each([undefined, null, 7, [CARD], 'card'])('a body of %j fails', async (body) => {
    expect(await bench.service.addCard(acme, userId, body)).toMatchObject({
      failures: [{ code: 'ERROR_REQUEST_MONEY_FULL', message: 'The body must be an object' }],
    });
  });

  test.each([
    ['declined by the provider', '4000000000000002', 'CARD_VERIFICATION_ERROR'],
    ['without an answer of the provider', '4000000000000119', 'ERROR_INTERNAL_SERVER_ERROR'],
  ])('%s, nothing is kept', async (_what, number, code) => {
    expect(await addCard({ number })).toMatchObject({ ok: false, failures: [{ code }] });
    expect(await methodsOf()).toEqual([]);
  });

  test('a retry is verified under the same key, another user under another', async () => {
    const number = '4000000000000119';
    await addCard({ number });
    await addCard({ number });
    userId = await bench.newUser();
    await addCard({ number });
    const [first, second, other] = bench.calls.map(({ idempotencyKey }) => idempotencyKey);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
    expect(first).toMatch(/^acme\/sandbox:usr_[\w-]{20}:[\w-]{43}$/);
  });

  test('a card corrected after a decline is verified under another key', async () => {
    const number = '4000000000000002';
    await addCard({ number });
    await addCard({ number, expirationDate: '0131' });
    await addCard({ number, nameOnCard: 'ANA MARIA RUIZ' });
    await addCard({ number: '4000 0000 0000 0002' });
    const keys = bench.calls.map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys.slice(0, 3)).size).toBe(3);
    expect(keys[3]).toBe(keys[0]);
  });

  test('a live call fails while its provider is not configured', async () => {
    const live = { ...acme, accountId: 'acme/live' as const } as const;
    userId = await bench.newUser({}, live);
    expect(await addCard({}, live)).toMatchObject({ failures: [{ code: 'PROVIDER_NOT_CONFIGURED' }] });
    expect(bench.calls).toEqual([]);
  });

  test("is for the partner's own users", async () => {
    for (const by of [
      globex,
      { ...acme, accountId: 'nobody/sandbox' as const },
      { ...acme, accountId: 'acme/live' as const },
    ]) {
      expect(await addCard({}, by)).toMatchObject({ failures: [{ code: 'ERROR_SUBSCRIBER_NOT_FOUND' }] });
    }
    expect(bench.calls).toEqual([]);
  });

  test.each([
    ['the first', 0],
    ['another', 1],
  ])('30 times at once, as %s method, keeps one', async (_what, before) => {
    if (before > 0) {
      await addUbn();
    }
    const all = await Promise.all(Array.from({ length: 30 }, () => addCard()));
    expect(new Set(all.map((one) => one.ok && one.value.paymentMethodId)).size).toBe(1);
    expect(await methodsOf()).toHaveLength(before + 1);
  });
});

describe('addUbn', () => {
  test('shows the number as it was given', async () => {
    expect(await addUbn()).toMatchObject({
      value: { type: 'UBN', number: ACCOUNT.number, isPrimary: true, country: 'MX', currency: 'MXN' },
    });
  });

  test('the same account, written otherwise, is the one that is there', async () => {
    const first = await addUbn({ number: 'GB29 NWBK 6016 1331 9268 19' });
    expect(await addUbn({ number: 'gb29nwbk60161331926819' })).toEqual(first);
  });

  test('a type is not needed', async () => {
    expect(await addUbn({ type: 'DebitCard' })).toMatchObject({ value: { type: 'UBN' } });
  });

  test.each([
    ['no number', { number: undefined }, 'ERROR_UBN_NUMBER_REQUIRED'],
    ['a blank number', { number: ' ' }, 'ERROR_UBN_NUMBER_REQUIRED'],
    ['no currency', { currency: undefined }, 'ERROR_INVALID_CURRENCY_CODE'],
    ['no country', { country: undefined }, 'ERROR_INVALID_COUNTRY_CODE'],
    ['declined by the provider', { number: '000000000000000002' }, 'ERROR_ERROR_ADD_SOURCE_UBN_ERROR'],
    ['without an answer', { number: '000000000000000119' }, 'ERROR_INTERNAL_SERVER_ERROR'],
  ])('%s: %j is %s', async (_what, changes, code) => {
    expect(await addUbn(changes)).toMatchObject({ ok: false, failures: [{ code }] });
    expect(await methodsOf()).toEqual([]);
  });
});

describe('keepPaymentMethod', () => {
  const cash = { type: 'CashPickup', country: 'MX', currency: 'MXN' } as const;

  test('cash has no number, and is kept once for a country and a currency', async () => {
    const kept = await keep(cash);
    expect(kept).not.toHaveProperty('number');
    expect(await keep(cash)).toEqual(kept);
    expect((await keep({ ...cash, country: 'US' })).paymentMethodId).not.toBe(kept.paymentMethodId);
  });

  test('different methods at once: one of them is primary', async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => `0321800001183597${index + 10}`);
    await Promise.all(numbers.map((number) => keep({ type: 'UBN', ...ACCOUNT, number })));
    const methods = await methodsOf();
    expect(methods).toHaveLength(numbers.length);
    expect(methods.filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
  });

  test('each user has a primary one of their own', async () => {
    expect(await keep(cash)).toMatchObject({ isPrimary: true });
    userId = await bench.newUser();
    expect(await keep(cash)).toMatchObject({ isPrimary: true });
  });

  test("is found by its id, by the user's, the tenant's and in its environment alone", async () => {
    const kept = await keep({ type: 'UBN', ...ACCOUNT });
    const { paymentMethodId } = kept;
    const wanted = { accountId: 'acme/sandbox' as const, userId, paymentMethodId } as const;
    expect(await bench.port.findPaymentMethod(wanted)).toEqual(kept);
    for (const other of [
      { ...wanted, accountId: 'globex/sandbox' as const },
      { ...wanted, userId: await bench.newUser() },
      { ...wanted, paymentMethodId: 'pm_none' },
      { ...wanted, accountId: 'acme/live' as const },
    ]) {
      expect(await bench.port.findPaymentMethod(other)).toBeUndefined();
    }
  });

  test('tokens of a card differ from tenant to tenant', async () => {
    const ours = await addCard();
    userId = await bench.newUser({}, globex);
    const theirs = await addCard({}, globex);
    expect(ours.ok && theirs.ok && ours.value.number !== theirs.value.number).toBe(true);
  });
});
