import { beforeEach, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../../test/support/query-shapes.ts';
import type { Page } from '../../graph/paginate.ts';
import { createRemittanceModel } from '../../remittances/store/model.ts';
import { createRemittanceRepository } from '../../remittances/store/remittance-repository.ts';
import { bodyFor, newReference, START, useBench } from '../testing.ts';
import {
  changedAt,
  createUserPayments,
  idOf,
  payerOf,
  statusOf,
  type UserPayments,
} from './user-payments.ts';

const ACCOUNT = 'acme/sandbox' as const;
const bench = useBench();
let payments: UserPayments;
let user: { accountId: typeof ACCOUNT; userId: string };
let userReferenceId: string;

const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const countries = { sourceCountry: 'US', destinationCountry: 'MX' };
const quoted = (recipientAmount: string) => ({
  ...{ recipientAmount, recipientCurrency: 'MXN', senderAmount: '1', senderCurrency: 'USD' },
  ...{ exchangeRate: '20', tenantFee: '0', amount: '1' },
});

/** Stores a document as another slice would. */
const insert = (collection: string, document: object) =>
  bench.database.connection
    .collection(collection)
    .insertOne({ ...document, accountId: ACCOUNT, userId: user.userId });

async function createRequest(minutes: number, changes: object = {}): Promise<string> {
  const referenceId = newReference();
  bench.now = at(minutes);
  const body = JSON.stringify({ ...JSON.parse(bodyFor(userReferenceId, referenceId)), ...changes });
  const created = await bench.create(body);
  expect(created).toMatchObject({ ok: true });
  return referenceId;
}

const insertRemittance = (correlationId: string, minutes: number, changes: object) =>
  insert('remittances', {
    ...{ _id: `${ACCOUNT}|${correlationId}`, correlationId, quote: quoted('100.10'), countries },
    ...{ createdAt: at(minutes), updatedAt: at(minutes), phase: 'CIP', ...changes },
  });
const insertReservation = (operationId: string, minutes: number, changes: object) =>
  insert('reservations', {
    ...{ _id: `${ACCOUNT}|${operationId}`, operationId, recipientAmount: '7', recipientCurrency: 'GTQ' },
    ...{ createdAt: at(minutes), updatedAt: at(minutes), ...changes },
  });
const insertOperation = (operationId: string, minutes: number, changes: object) =>
  insert('operations', {
    ...{ _id: `o_${operationId}`, operationId, ...quoted('100.10'), ...countries, contactId: 'con_1' },
    ...{ createdAt: at(minutes), updatedAt: at(minutes), ...changes },
  });

beforeEach(async () => {
  const { connection } = bench.database;
  payments = createUserPayments({
    moneyRequests: bench.deps.moneyRequests.payments,
    remittances: createRemittanceRepository(createRemittanceModel(connection)).payments,
    operations: bench.deps.operations.payments,
  });
  await Promise.all(
    ['moneyRequests', 'remittances', 'reservations', 'operations'].map((name) =>
      connection.collection(name).deleteMany({}),
    ),
  );
  userReferenceId = `u-${newReference()}`;
  bench.now = START;
  const found = await bench.deps.transaction(async (unit) =>
    bench.deps.users.insertByReference(
      { accountId: ACCOUNT, referenceId: userReferenceId, profile: {} },
      unit,
    ),
  );
  user = { accountId: ACCOUNT, userId: found.userId };
});

async function read(page: Page = { first: 20 }): Promise<string[]> {
  const { nodes } = await payments.page(user, page);
  return nodes.map((payment) =>
    [payment.origin.kind, idOf(payment.origin), statusOf(payment), payment.operation ? 'operation' : ''].join(
      ' ',
    ),
  );
}

describe("A user's payments", () => {
  test('are each there once, by their beginning, whatever records they have', async () => {
    const pending = await createRequest(1);
    const paid = await createRequest(2);
    bench.now = at(9);
    expect(await bench.update(paid, { status: 'processing' })).toMatchObject({ ok: true });
    await insertRemittance('made', 3, { status: 'SUCCEEDED' });
    await insertOperation('made', 5, { status: 'Completed' });
    await insertRemittance('failed', 4, { status: 'FAILED' });
    await insertReservation('asked', 6, { status: 'IN_PROGRESS' });
    await insertReservation('sent', 7, { status: 'SUCCEEDED' });
    await insertOperation('sent', 7, { status: 'Sent' });
    expect(await read()).toEqual([
      'REQUEST_V2 sent pending operation',
      'REQUEST_V2 asked pending ',
      'ATOMIC_CALL failed failed ',
      'ATOMIC_CALL made completed operation',
      `MONEY_REQUEST ${paid} pending operation`,
      `MONEY_REQUEST ${pending} pending `,
    ]);
    expect(await (await payments.page(user, { first: 1 })).count()).toBe(6);
    expect(await payments.lastActivityAt(user)).toEqual(at(9));
  });

  test('have their payer, and the time when one of their records last changed', async () => {
    await insertRemittance('made', 1, { status: 'SUCCEEDED', updatedAt: at(2) });
    await insertOperation('made', 2, { status: 'Completed', updatedAt: at(8) });
    await insertRemittance('waits', 3, { status: 'IN_PROGRESS', contactId: 'con_2', updatedAt: at(4) });
    const { nodes } = await payments.page(user, { first: 2 });
    expect(nodes.map((payment) => [payerOf(payment), changedAt(payment)])).toEqual([
      ['con_2', at(4)],
      ['con_1', at(8)],
    ]);
  });

  test('of one moment have pages, too', async () => {
    for (const name of ['a', 'b', 'c']) {
      await insertRemittance(`call-${name}`, 1, { status: 'FAILED' });
      await insertReservation(`v2-${name}`, 1, { status: 'FAILED' });
    }
    const whole = await read();
    expect(new Set(whole).size).toBe(6);
    const paged: string[] = [];
    let page: Page = { first: 2 };
    for (let more = true; more; ) {
      paged.push(...(await read(page)));
      const { pageInfo } = await payments.page(user, page);
      page = { first: 2, after: pageInfo.endCursor };
      more = pageInfo.hasNextPage;
    }
    expect(paged).toEqual(whole);
  });

  test('have a count and exact sums for each currency, and of those that are completed', async () => {
    await createRequest(1, { amount: 0.2 });
    await insertRemittance('one', 2, { status: 'SUCCEEDED' });
    await insertOperation('one', 2, { status: 'Completed' });
    await insertRemittance('two', 3, { status: 'FAILED' });
    await insertReservation('three', 4, { status: 'FAILED' });
    const sums = await payments.totals(user);
    expect(sums.isWhole).toBe(true);
    expect(sums.all).toMatchObject([
      { currency: 'GTQ', count: 1, amount: '7' },
      { currency: 'MXN', count: 3, amount: '200.4' },
    ]);
    expect(sums.completed).toMatchObject([{ currency: 'MXN', count: 1, amount: '100.1' }]);
  });

  test('are none for a user without any, and for another account', async () => {
    await createRequest(1);
    const others = [
      { accountId: ACCOUNT, userId: 'usr_none' },
      { accountId: 'acme/live' as const, userId: user.userId },
      { accountId: 'globex/sandbox' as const, userId: user.userId },
    ];
    for (const other of others) {
      expect((await payments.page(other, { first: 5 })).nodes).toEqual([]);
      expect(await payments.totals(other)).toEqual({ all: [], completed: [], isWhole: true });
      expect(await payments.lastActivityAt(other)).toBeUndefined();
    }
  });

  test('are read by indexes', async () => {
    const { connection } = bench.database;
    await insertRemittance('made', 1, { status: 'SUCCEEDED' });
    const queries = recordQueries(connection);
    const { pageInfo } = await payments.page(user, { first: 1 });
    await payments.page(user, { first: 1, after: pageInfo.endCursor });
    await payments.page(user, { last: 1, before: pageInfo.endCursor });
    await (await payments.page(user, { first: 1 })).count();
    await payments.totals(user);
    await payments.lastActivityAt(user);
    await createRemittanceRepository(createRemittanceModel(connection)).findByPayer(ACCOUNT, ['a', 'b'], 5);
    expect(queries.length).toBeGreaterThan(10);
    expect(findUnserved(connection, queries)).toEqual([]);
  });
});
