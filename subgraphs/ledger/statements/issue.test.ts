import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccountId } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { times } from '../../runtime/events/testing.ts';
import type { NewDelivery } from '../../webhooks/queue.ts';
import type { JournalLine } from '../chart.ts';
import { type LedgerBench, openLedgerBench } from '../testing.ts';
import { issueStatements, type StatementsDeps } from './issue.ts';
import { createStatementModels, type StatementDocument, type StatementModels } from './model.ts';
import { expectRightStatements } from './testing.ts';

const ACME: AccountId = 'acme/sandbox';
const HOUR_MS = 3_600_000;

let bench: LedgerBench;
let models: StatementModels;
let deps: StatementsDeps;
let now: Date;
let timeZone: string;
let deliveries: NewDelivery[];

beforeEach(async () => {
  bench = await openLedgerBench();
  const { connection } = bench.events.store;
  models = createStatementModels(connection);
  await makeIndexes(connection);
  timeZone = 'UTC';
  deliveries = [];
  deps = {
    models: { ...bench.models, ...models },
    tenants: {
      find: async (accountId) =>
        ({
          ...{ accountId, webhookUrl: 'https://hooks.acme.test/in', webhookEvents: ['statement.ready'] },
          operationalEvents: { emails: [], timeZone },
        }) as unknown as Tenant,
    },
    queue: {
      enqueue: (added, unit) => {
        unit.onEnd((committed) => deliveries.push(...(committed ? added : [])));
        return [];
      },
    },
    accountClock: () => now,
    transaction: createTransactions(connection),
    box: bench.box,
  };
});
afterEach(() => bench.close());

const run = (more: Partial<StatementsDeps> = {}) =>
  issueStatements({ ...deps, ...more }, new AbortController().signal);
const runAt = (time: string, more: Partial<StatementsDeps> = {}) => {
  now = new Date(time);
  return run(more);
};
const read = (filter: Partial<StatementDocument> = {}) =>
  models.statements
    .find({ accountId: ACME, period: 'day', ...filter })
    .sort({ to: 1, _id: 1 })
    .lean<StatementDocument[]>();

let posted = 0;
type Posted = Partial<Parameters<LedgerBench['post']>[0][number]>;

const post = (createdAt: string, more: Posted = {}) => postAll([createdAt], more);

async function postAll(moments: readonly string[], more: Posted = {}): Promise<void> {
  await bench.post(
    moments.map((createdAt) => ({ entityId: `op-${++posted}`, createdAt: new Date(createdAt), ...more })),
  );
  await bench.numbered();
  await bench.seal();
}

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
    await post('2026-11-20T08:00:00Z');
    await post('2026-11-20T09:00:00Z', funding);
    await post('2026-11-21T00:00:00Z');
    expect(await runAt('2026-11-21T00:02:00Z')).toBe(2);
    const statements = await read();
    expect(statements.map(({ id }) => id)).toEqual(['2026-11-20-MXN', '2026-11-20-USD']);
    expect(statements[1]).toMatchObject({
      ...{ period: 'day', name: '2026-11-20', currency: 'USD', timeZone: 'UTC' },
      ...{ from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') },
      opening: [],
      movements: [
        { kind: 'CLAIM', entries: 1 },
        { kind: 'FUNDING', entries: 1 },
      ],
      ...{ fees: '0.5', fx: '-10', entriesAfter: 0, lastEntry: 2, createdAt: now },
      closing: [
        { account: 'FEE_INCOME', amount: '-0.5' },
        { account: 'FX_POSITION', amount: '-10' },
        { account: 'PROVIDER_CLEARING', amount: '10.5' },
      ],
    });
    expect(statements[0]).toMatchObject({ fees: '0', fx: '185' });
    await expectRightStatements(bench.models, statements);
    expect(deliveries.map(({ event, body }) => [event, JSON.parse(String(body)).data.statementId])).toEqual([
      ['statement.ready', '2026-11-20-MXN'],
      ['statement.ready', '2026-11-20-USD'],
    ]);
  });

  test('are not issued while an entry is changed or missing, nor after their end was set back or removed', async () => {
    await post('2026-11-20T08:00:00Z');
    await post('2026-11-20T09:00:00Z');
    const entry = await bench.models.entries.findOne({ accountId: ACME, number: 1 }).lean().orFail();
    await bench.models.entries.updateOne({ _id: entry._id }, { $set: { 'lines.0.amount': '9' } });
    await expect(runAt('2026-11-21T00:02:00Z')).rejects.toThrow('changed entry 1 of acme/sandbox');
    await bench.models.entries.deleteOne({ _id: entry._id });
    expect(await run()).toBe(0);
    await bench.models.entries.create(entry);
    expect(await run()).toBe(1);
    const end = await models.closings.findById(ACME).lean().orFail();
    expect(await runAt('2026-11-22T00:02:00Z')).toBe(1);
    await models.closings.replaceOne({ _id: ACME }, end);
    await expect(run()).rejects.toThrow('changed the end of the statements of acme/sandbox');
    await models.closings.deleteOne({ _id: ACME });
    await expect(run()).rejects.toThrow('changed the end of the statements of acme/sandbox');
  });

  test('are not issued before it has ended, nor twice', async () => {
    await post('2026-11-20T08:00:00Z');
    expect(await runAt('2026-11-21T00:00:30Z')).toBe(0);
    expect(await runAt('2026-11-21T00:01:00Z')).toBe(1);
    expect(await runAt('2026-11-21T00:05:00Z')).toBe(0);
    expect(deliveries).toHaveLength(1);
  });

  test('follow each other over days without entries, and over days that were missed', async () => {
    await post('2026-11-20T08:00:00Z');
    await post('2026-11-23T08:00:00Z', funding);
    expect(await runAt('2026-11-25T12:00:00Z')).toBe(7);
    const statements = await read();
    expect(statements.map(({ id, movements }) => [id, movements.length])).toEqual([
      ['2026-11-20-USD', 1],
      ['2026-11-21-USD', 0],
      ['2026-11-22-USD', 0],
      ['2026-11-23-MXN', 1],
      ['2026-11-23-USD', 1],
      ['2026-11-24-MXN', 0],
      ['2026-11-24-USD', 0],
    ]);
    await expectRightStatements(bench.models, statements);
  });

  test('do not exist for a day without balances and entries', async () => {
    await post('2026-11-20T08:00:00Z');
    const release = FUNDING.slice(0, 2);
    await post('2026-11-20T09:00:00Z', { kind: 'RELEASE', lines: release });
    await post('2026-11-23T09:00:00Z');
    await runAt('2026-11-24T12:00:00Z');
    const statements = await read();
    expect(statements.map(({ name, closing }) => [name, closing.length])).toEqual([
      ['2026-11-20', 0],
      ['2026-11-23', 2],
    ]);
    await expectRightStatements(bench.models, statements);
  });

  test.each([
    ['of 23 hours', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['of 25 hours', '2026-11-01', '2026-11-01T04:00:00Z', 25],
  ])('have the entries of a day %s in the time zone', async (_hours, name, from, hours) => {
    timeZone = 'America/New_York';
    const [start, end] = [Date.parse(from), Date.parse(from) + hours * HOUR_MS];
    for (const time of [start - 1, start, end - 1, end]) {
      await post(new Date(time).toISOString());
    }
    await runAt(new Date(end + HOUR_MS).toISOString());
    const [statement] = await read({ name });
    const period = { from: new Date(start), to: new Date(end) };
    expect(statement).toMatchObject({ ...period, entriesAfter: 1, lastEntry: 3 });
    await expectRightStatements(bench.models, await read());
  });

  test.each([
    ['an earlier midnight', 'America/Mexico_City', 'Asia/Tokyo', 9],
    ['a later midnight', 'Asia/Tokyo', 'America/Mexico_City', 39],
    ['a midnight that has passed', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 0],
  ])('leave no gap when the partner moves to a zone with %s', async (_case, first, second, hours) => {
    timeZone = first;
    const start = Date.parse('2026-11-20T00:00:00Z');
    await postAll(times(24, (index) => new Date(start + index * 5 * HOUR_MS).toISOString()));
    await runAt('2026-11-22T20:00:00Z');
    const before = await read();
    timeZone = second;
    await runAt('2026-11-25T20:00:00Z');
    const all = await read();
    expect(all.slice(0, before.length)).toEqual(before);
    const next = all[before.length];
    expect(next?.timeZone).toBe(second);
    expect(((next?.to.getTime() ?? 0) - (next?.from.getTime() ?? 0)) / HOUR_MS).toBe(hours);
    const names = all.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].toSorted());
    await expectRightStatements(bench.models, all);
  });
});

describe('an entry of a closed day', () => {
  test('that is committed late counts on a later day, and changes no statement', async () => {
    await post('2026-11-20T08:00:00Z');
    await runAt('2026-11-21T00:02:00Z');
    const issued = await read();
    await post('2026-11-20T23:59:59Z', { amount: '3' });
    const entry = await bench.models.entries.findOne({ accountId: ACME, number: 2 }).lean();
    expect(entry).toMatchObject({ bookedAt: new Date('2026-11-21T00:00:00Z'), day: '2026-11-21' });
    await runAt('2026-11-22T00:02:00Z');
    const all = await read();
    expect(all[0]).toEqual(issued[0]);
    expect(all[1]).toMatchObject({ name: '2026-11-21', entriesAfter: 1, lastEntry: 2 });
    await expectRightStatements(bench.models, all);
    expect((await bench.verify(await bench.exported())).findings).toEqual([]);
  });

  test('that is not sealed yet keeps the day open', async () => {
    await post('2026-11-20T08:00:00Z');
    await bench.post([{ entityId: 'waits', createdAt: new Date('2026-11-20T23:59:00Z') }]);
    expect(await runAt('2026-11-21T00:02:00Z')).toBe(0);
    await bench.numbered();
    await bench.seal();
    expect(await run()).toBe(1);
    expect(await read()).toMatchObject([{ lastEntry: 2 }]);
  });
});

describe('the statements of a month', () => {
  test('add up its days, also when it began in the middle', async () => {
    timeZone = 'America/Mexico_City';
    await post('2026-10-30T08:00:00Z');
    await post('2026-11-02T08:00:00Z', funding);
    await post('2026-11-29T08:00:00Z');
    await post('2026-12-01T05:59:59Z', { amount: '2' });
    await post('2026-12-01T06:00:00Z', { amount: '4' });
    await runAt('2026-12-01T06:02:00Z');
    const months = await read({ period: 'month' });
    expect(months.map(({ id, entriesAfter, lastEntry }) => [id, entriesAfter, lastEntry])).toEqual([
      ['2026-10-USD', 0, 1],
      ['2026-11-MXN', 1, 4],
      ['2026-11-USD', 1, 4],
    ]);
    const [from, to] = ['2026-11-01', '2026-12-01'].map((day) => new Date(`${day}T06:00:00Z`));
    expect(months[2]).toMatchObject({ from, to });
    await expectRightStatements(bench.models, months);
  });
});

describe('several processes', () => {
  test('issue each statement once, beside writers and sealing', async () => {
    now = new Date('2026-11-26T12:00:00Z');
    const start = Date.parse('2026-11-20T00:00:00Z');
    const writers = times(3, async (writer) => {
      for (const index of times(15, (one) => one)) {
        const createdAt = new Date(start + index * 7 * HOUR_MS + writer);
        await bench.post([{ entityId: `w-${writer}-${index}`, createdAt }]);
      }
    });
    let isWriting = true;
    const workers = times(3, async () => {
      while (isWriting) {
        await bench.seal();
        await run();
      }
    });
    await Promise.all(writers);
    await bench.numbered();
    isWriting = false;
    await Promise.all(workers);
    await bench.seal();
    now = new Date('2026-11-27T12:00:00Z');
    await Promise.all(times(3, () => run()));
    const statements = await read();
    expect(deliveries).toHaveLength(statements.length);
    expect(statements.at(-1)).toMatchObject({ name: '2026-11-26', lastEntry: 45 });
    await expectRightStatements(bench.models, statements);
  });

  test.each([1, 2])('that die before commit %d leave the day to the next one', async (last) => {
    await post('2026-11-20T08:00:00Z');
    now = new Date('2026-11-21T00:02:00Z');
    let commits = 0;
    const dying: RunTransaction = (work) =>
      deps.transaction(async (unit) => {
        const done = await work(unit);
        await unit.flush();
        if (++commits === last) {
          throw new Error('killed');
        }
        return done;
      });
    await expect(run({ transaction: dying })).rejects.toThrow('killed');
    expect([await read(), deliveries]).toEqual([[], []]);
    expect(await run()).toBe(1);
  });
});

test('an account that fails does not keep the others waiting', async () => {
  await post('2026-11-20T08:00:00Z');
  await post('2026-11-20T08:00:00Z', { accountId: 'globex/live' });
  const find: StatementsDeps['tenants']['find'] = (accountId) =>
    accountId === ACME ? Promise.reject(new Error('unreadable')) : deps.tenants.find(accountId);
  await expect(runAt('2026-11-21T00:02:00Z', { tenants: { find } })).rejects.toThrow('unreadable');
  expect(await read()).toEqual([]);
  expect(await read({ accountId: 'globex/live' })).toMatchObject([{ id: '2026-11-20-USD' }]);
});
