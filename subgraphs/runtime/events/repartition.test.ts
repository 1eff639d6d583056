import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { openLog } from './partitions.ts';
import { repartition } from './repartition.ts';
import { collect, type EventsBench, newEvent, openEventsBench, times, untilNumbered } from './testing.ts';

let bench: EventsBench;

beforeEach(async () => {
  bench = await openEventsBench();
});
afterEach(() => bench.close());

const divide = (count: number, running: readonly string[] = []) =>
  repartition(
    {
      models: bench.models,
      transaction: createTransactions(bench.store.connection),
      runningServers: async () => running,
    },
    count,
  );

describe('a log that is divided anew', () => {
  test.each([7, 128])('keeps cursors, order and events without a number, in %i partitions', async (count) => {
    const before = bench.open();
    await before.open();
    before.sequencer.start();
    const accounts = times(9, (index) => `t${index}/sandbox` as const);
    const change = () => Promise.all(accounts.map((accountId) => bench.change(accountId, 'op')));
    await change();
    await change();
    await untilNumbered(bench, 18);
    const cursors = await Promise.all(accounts.map((accountId) => before.latestCursor(accountId)));
    await before.close();
    // Committed, and not numbered by anybody yet.
    await change();
    expect(await divide(count)).toBe(64);

    await expect(bench.open().open()).rejects.toThrow(`EVENT_LOG_PARTITIONS to ${count}`);
    const after = bench.open({ partitions: count });
    await after.open();
    const followers = await Promise.all(
      accounts.map((accountId, index) => collect(after, { accountId, after: cursors[index] })),
    );
    after.sequencer.start();
    await until('all events without a number', () => followers.every(({ got }) => got.length === 1));
    const writer = createTransactions(bench.store.connection);
    await writer(async (unit) =>
      after.log.append(
        accounts.map((accountId) => newEvent({ accountId, entityId: 'op', version: 4 })),
        unit,
      ),
    );
    await until('the next ones', () => followers.every(({ got }) => got.length === 2));
    for (const { got } of followers) {
      expect(got.map(({ version }) => version)).toEqual([3, 4]);
    }
    expect(await after.status()).toMatchObject({
      ...{ numbered: 36, unnumbered: 0, partitions: count, withoutProcess: 0 },
    });
    for (const [index, accountId] of accounts.entries()) {
      expect(await after.latestCursor(accountId)).toBe(followers[index]?.got.at(-1)?.cursor);
    }
  });

  test('stays as it is while a server runs, for an unusual count, and where there is none', async () => {
    await expect(divide(8)).rejects.toThrow('There is no event log yet');
    await openLog(bench.models.log, 64);
    await expect(divide(8, ['worker on host-1'])).rejects.toThrow('Stop all servers first: worker on host-1');
    for (const count of [0, 129, 1.5, Number.NaN]) {
      await expect(divide(count)).rejects.toThrow('a whole number from 1 to 128');
    }
    expect(await openLog(bench.models.log, 64)).toMatchObject({ partitions: 64, revision: 1 });
  });
});
