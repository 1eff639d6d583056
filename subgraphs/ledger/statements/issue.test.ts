import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import { times } from '../../runtime/events/testing.ts';
import type { JournalLine } from '../chart.ts';
import type { StatementsDeps } from './issue.ts';
import { ACME, expectRightStatements, openStatementsBench, type StatementsBench } from './testing.ts';

const HOUR_MS = 3_600_000;

let on: StatementsBench;
beforeEach(async () => {
  on = await openStatementsBench();
});
afterEach(() => on.bench.close());

/** The lines of money that arrives: 10.5 USD with a fee of 0.5, exchanged for 185 MXN. */
const FUNDING: readonly JournalLine[] = [
  { account: 'PAYER_RECEIVABLE', currency: 'USD', amount: '-10.5' },
  { account: 'PARTNER_PAYABLE', currency: 'USD', amount: '10.5' },
  { account: 'PROVIDER_CLEARING', currency: 'USD', amount: '10.5' },
  { account: 'FEE_INCOME', currency: 'USD', amount: '-0.5' },
  { account: 'FX_POSITION', currency: 'USD', amount: '-10' },
  { account: 'FX_POSITION', currency: 'MXN', amount: '185' },
  { account: 'PARTNER_PAYABLE', currency: 'MXN', amount: '-185' },
];
const funding = { kind: 'FUNDING', lines: FUNDING } as const;

describe('the statements of a day', () => {
  test('have its movements by kind, fees, exchange and balances in each currency', async () => {
    await on.post('2026-11-20T08:00:00Z');
    await on.post('2026-11-20T09:00:00Z', funding);
    await on.post('2026-11-21T00:00:00Z');
    expect(await on.runAt('2026-11-21T00:02:00Z')).toBe(2);
    const statements = await on.read();
    expect(statements.map(({ id }) => id)).toEqual(['2026-11-20-MXN', '2026-11-20-USD']);
    expect(statements[1]).toMatchObject({
      ...{ period: 'day', name: '2026-11-20', currency: 'USD', timeZone: 'UTC' },
      ...{ from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') },
      opening: [],
      movements: [
        { kind: 'CLAIM', entries: 1 },
        { kind: 'FUNDING', entries: 1 },
      ],
      ...{ fees: '0.5', fx: '-10', entriesAfter: 0, lastEntry: 2, createdAt: on.now },
      closing: [
        { account: 'FEE_INCOME', amount: '-0.5' },
        { account: 'FX_POSITION', amount: '-10' },
        { account: 'PROVIDER_CLEARING', amount: '10.5' },
      ],
    });
    expect(statements[0]).toMatchObject({ fees: '0', fx: '185' });
    await expectRightStatements(on.bench.models, statements);
    expect(
      on.deliveries.map(({ event, body }) => [event, JSON.parse(String(body)).data.statementId]),
    ).toEqual([
      ['statement.ready', '2026-11-20-MXN'],
      ['statement.ready', '2026-11-20-USD'],
    ]);
  });

  test('are not issued while an entry is changed or missing, nor after their end was set back or removed', async () => {
    await on.post('2026-11-20T08:00:00Z');
    await on.post('2026-11-20T09:00:00Z');
    const entry = await on.bench.models.entries.findOne({ accountId: ACME, number: 1 }).lean().orFail();
    await on.bench.models.entries.updateOne({ _id: entry._id }, { $set: { 'lines.0.amount': '9' } });
    await expect(on.runAt('2026-11-21T00:02:00Z')).rejects.toThrow('changed entry 1 of acme/sandbox');
    await on.bench.models.entries.deleteOne({ _id: entry._id });
    expect(await on.run()).toBe(0);
    await on.bench.models.entries.create(entry);
    expect(await on.run()).toBe(1);
    const end = await on.models.closings.findById(ACME).lean().orFail();
    expect(await on.runAt('2026-11-22T00:02:00Z')).toBe(1);
    await on.models.closings.replaceOne({ _id: ACME }, end);
    await expect(on.run()).rejects.toThrow('changed the end of the statements of acme/sandbox');
    await on.models.closings.deleteOne({ _id: ACME });
    await expect(on.run()).rejects.toThrow('changed the end of the statements of acme/sandbox');
  });

  test('are not issued before it has ended, nor twice', async () => {
    await on.post('2026-11-20T08:00:00Z');
    expect(await on.runAt('2026-11-21T00:00:30Z')).toBe(0);
    expect(await on.runAt('2026-11-21T00:01:00Z')).toBe(1);
    expect(await on.runAt('2026-11-21T00:05:00Z')).toBe(0);
    expect(on.deliveries).toHaveLength(1);
  });

  test('follow each other over days without entries, and over days that were missed', async () => {
    await on.post('2026-11-20T08:00:00Z');
    await on.post('2026-11-23T08:00:00Z', funding);
    expect(await on.runAt('2026-11-25T12:00:00Z')).toBe(7);
    const statements = await on.read();
    expect(statements.map(({ id, movements }) => [id, movements.length])).toEqual([
      ['2026-11-20-USD', 1],
      ['2026-11-21-USD', 0],
      ['2026-11-22-USD', 0],
      ['2026-11-23-MXN', 1],
      ['2026-11-23-USD', 1],
      ['2026-11-24-MXN', 0],
      ['2026-11-24-USD', 0],
    ]);
    await expectRightStatements(on.bench.models, statements);
  });

  test('do not exist for a day without balances and entries', async () => {
    await on.post('2026-11-20T08:00:00Z');
    const release = FUNDING.slice(0, 2);
    await on.post('2026-11-20T09:00:00Z', { kind: 'RELEASE', lines: release });
    await on.post('2026-11-23T09:00:00Z');
    await on.runAt('2026-11-24T12:00:00Z');
    const statements = await on.read();
    expect(statements.map(({ name, closing }) => [name, closing.length])).toEqual([
      ['2026-11-20', 0],
      ['2026-11-23', 2],
    ]);
    await expectRightStatements(on.bench.models, statements);
  });

  test.each([
    ['of 23 hours', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['of 25 hours', '2026-11-01', '2026-11-01T04:00:00Z', 25],
  ])('have the entries of a day %s in the time zone', async (_hours, name, from, hours) => {
    on.timeZone = 'America/New_York';
    const [start, end] = [Date.parse(from), Date.parse(from) + hours * HOUR_MS];
    for (const time of [start - 1, start, end - 1, end]) {
      await on.post(new Date(time).toISOString());
    }
    await on.runAt(new Date(end + HOUR_MS).toISOString());
    const [statement] = await on.read({ name });
    const period = { from: new Date(start), to: new Date(end) };
    expect(statement).toMatchObject({ ...period, entriesAfter: 1, lastEntry: 3 });
    await expectRightStatements(on.bench.models, await on.read());
  });

  test.each([
    ['an earlier midnight', 'America/Mexico_City', 'Asia/Tokyo', 9],
    ['a later midnight', 'Asia/Tokyo', 'America/Mexico_City', 39],
    ['a midnight that has passed', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 0],
  ])('leave no gap when the partner moves to a zone with %s', async (_case, first, second, hours) => {
    on.timeZone = first;
    const start = Date.parse('2026-11-20T00:00:00Z');
    await on.postAll(times(24, (index) => new Date(start + index * 5 * HOUR_MS).toISOString()));
    await on.runAt('2026-11-22T20:00:00Z');
    const before = await on.read();
    on.timeZone = second;
    await on.runAt('2026-11-25T20:00:00Z');
    const all = await on.read();
    expect(all.slice(0, before.length)).toEqual(before);
    const next = all[before.length];
    expect(next?.timeZone).toBe(second);
    expect(((next?.to.getTime() ?? 0) - (next?.from.getTime() ?? 0)) / HOUR_MS).toBe(hours);
    const names = all.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].toSorted());
    await expectRightStatements(on.bench.models, all);
  });
});

describe('an entry of a closed day', () => {
  test('that is committed late counts on a later day, and changes no statement', async () => {
    await on.post('2026-11-20T08:00:00Z');
    await on.runAt('2026-11-21T00:02:00Z');
    const issued = await on.read();
    await on.post('2026-11-20T23:59:59Z', { amount: '3' });
    const entry = await on.bench.models.entries.findOne({ accountId: ACME, number: 2 }).lean();
    expect(entry).toMatchObject({ bookedAt: new Date('2026-11-21T00:00:00Z'), day: '2026-11-21' });
    await on.runAt('2026-11-22T00:02:00Z');
    const all = await on.read();
    expect(all[0]).toEqual(issued[0]);
    expect(all[1]).toMatchObject({ name: '2026-11-21', entriesAfter: 1, lastEntry: 2 });
    await expectRightStatements(on.bench.models, all);
    expect((await on.bench.verify(await on.bench.exported())).findings).toEqual([]);
  });

  test('that is not sealed yet keeps the day open', async () => {
    await on.post('2026-11-20T08:00:00Z');
    await on.bench.post([{ entityId: 'waits', createdAt: new Date('2026-11-20T23:59:00Z') }]);
    expect(await on.runAt('2026-11-21T00:02:00Z')).toBe(0);
    await on.bench.numbered();
    await on.bench.seal();
    expect(await on.run()).toBe(1);
    expect(await on.read()).toMatchObject([{ lastEntry: 2 }]);
  });
});

describe('the statements of a month', () => {
  test('add up its days, also when it began in the middle', async () => {
    on.timeZone = 'America/Mexico_City';
    await on.post('2026-10-30T08:00:00Z');
    await on.post('2026-11-02T08:00:00Z', funding);
    await on.post('2026-11-29T08:00:00Z');
    await on.post('2026-12-01T05:59:59Z', { amount: '2' });
    await on.post('2026-12-01T06:00:00Z', { amount: '4' });
    await on.runAt('2026-12-01T06:02:00Z');
    const months = await on.read({ period: 'month' });
    expect(months.map(({ id, entriesAfter, lastEntry }) => [id, entriesAfter, lastEntry])).toEqual([
      ['2026-10-USD', 0, 1],
      ['2026-11-MXN', 1, 4],
      ['2026-11-USD', 1, 4],
    ]);
    const [from, to] = ['2026-11-01', '2026-12-01'].map((day) => new Date(`${day}T06:00:00Z`));
    expect(months[2]).toMatchObject({ from, to });
    await expectRightStatements(on.bench.models, months);
  });
});

describe('several processes', () => {
  test('issue each statement once, beside writers and sealing', async () => {
    on.now = new Date('2026-11-26T12:00:00Z');
    const start = Date.parse('2026-11-20T00:00:00Z');
    const writers = times(3, async (writer) => {
      for (const index of times(15, (one) => one)) {
        const createdAt = new Date(start + index * 7 * HOUR_MS + writer);
        await on.bench.post([{ entityId: `w-${writer}-${index}`, createdAt }]);
      }
    });
    let isWriting = true;
    const workers = times(3, async () => {
      while (isWriting) {
        await on.bench.seal();
        await on.run();
      }
    });
    await Promise.all(writers);
    await on.bench.numbered();
    isWriting = false;
    await Promise.all(workers);
    await on.bench.seal();
    on.now = new Date('2026-11-27T12:00:00Z');
    await Promise.all(times(3, () => on.run()));
    const statements = await on.read();
    expect(on.deliveries).toHaveLength(statements.length);
    expect(statements.at(-1)).toMatchObject({ name: '2026-11-26', lastEntry: 45 });
    await expectRightStatements(on.bench.models, statements);
  });

  test.each([1, 2])('that die before commit %d leave the day to the next one', async (last) => {
    await on.post('2026-11-20T08:00:00Z');
    on.now = new Date('2026-11-21T00:02:00Z');
    let commits = 0;
    const dying: RunTransaction = (work) =>
      on.deps.transaction(async (unit) => {
        const done = await work(unit);
        await unit.flush();
        if (++commits === last) {
          throw new Error('killed');
        }
        return done;
      });
    await expect(on.run({ transaction: dying })).rejects.toThrow('killed');
    expect([await on.read(), on.deliveries]).toEqual([[], []]);
    expect(await on.run()).toBe(1);
  });
});

test('an account that fails does not keep the others waiting', async () => {
  await on.post('2026-11-20T08:00:00Z');
  await on.post('2026-11-20T08:00:00Z', { accountId: 'globex/live' });
  const find: StatementsDeps['tenants']['find'] = (accountId) =>
    accountId === ACME ? Promise.reject(new Error('unreadable')) : on.deps.tenants.find(accountId);
  await expect(on.runAt('2026-11-21T00:02:00Z', { tenants: { find } })).rejects.toThrow('unreadable');
  expect(await on.read()).toEqual([]);
  expect(await on.read({ accountId: 'globex/live' })).toMatchObject([{ id: '2026-11-20-USD' }]);
});
