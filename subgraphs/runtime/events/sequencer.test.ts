import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { countCommands } from '../../../test/support/count-commands.ts';
import { startStoreProxy } from '../../../test/support/store-proxy.ts';
import { until } from '../../../test/support/until.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { createSequencer } from './sequencer.ts';
import {
  type EventsBench,
  expectWholeLog,
  newEvent,
  openEventsBench,
  quiet,
  times,
  untilNumbered,
} from './testing.ts';

let bench: EventsBench;

beforeEach(async () => {
  bench = await openEventsBench();
});
afterEach(() => bench.close());

describe('the sequencer', () => {
  test('should number the events of concurrent transactions, once, without gaps, in version order', async () => {
    const events = bench.open();
    events.sequencer.start();
    await Promise.all(
      times(50, async (index) => {
        // Half of the writers share five entities, the others have one each.
        for (let change = 0; change < 4; change += 1) {
          await bench.change(`t${index % 3}/sandbox`, index % 2 === 0 ? `shared${index % 5}` : `own${index}`);
        }
      }),
    );
    await untilNumbered(bench, 200);
    await expectWholeLog(bench, 200);
  });

  test('should divide the partitions between two processes', async () => {
    const both = [bench.open(), bench.open({ connection: await bench.connect() })];
    for (const events of both) {
      events.sequencer.start();
    }
    await Promise.all(
      times(20, async (index) => {
        for (let change = 0; change < 5; change += 1) {
          await bench.change(`t${index % 5}/sandbox`, `op${index % 7}`);
        }
      }),
    );
    await untilNumbered(bench, 100);
    await expectWholeLog(bench, 100);
    await until('each has half of them', async () => {
      const status = await Promise.all(both.map((events) => events.status()));
      return status.every(
        ({ ownPartitions, withoutProcess }) => ownPartitions === 32 && withoutProcess === 0,
      );
    });
    await Promise.all(times(20, (index) => bench.change(`t${index}/sandbox`, 'later')));
    await untilNumbered(bench, 120);
    await expectWholeLog(bench, 120);
  });

  test('should hand over when the process that has the lease stops', async () => {
    const other = await bench.connect();
    const first = bench.open();
    first.sequencer.start();
    await bench.change('acme/sandbox', 'op');
    await untilNumbered(bench, 1);
    const second = bench.open({ connection: other });
    second.sequencer.start();
    await bench.change('acme/sandbox', 'op');
    await untilNumbered(bench, 2);
    expect((await first.status()).ownPartitions).toBeGreaterThan(0);
    await first.close();
    await bench.change('acme/sandbox', 'op');
    await untilNumbered(bench, 3);
    expect((await second.status()).ownPartitions).toBeGreaterThan(0);
    await expectWholeLog(bench, 3);
  });

  test('should go on in another process while one cannot reach the database, and number nothing twice when it is back', async () => {
    const store = await startStoreProxy(bench.store.connection.name);
    try {
      const frozen = bench.open({ connection: await bench.connect(store.uri) });
      frozen.sequencer.start();
      await until('it has all partitions', async () => (await frozen.status()).ownPartitions === 64);
      const change = (round: number) =>
        Promise.all(times(6, (index) => bench.change(`t${index}/sandbox`, `op${round % 2}`)));
      await change(1);
      await untilNumbered(bench, 6);
      store.cut();
      const other = bench.open({ connection: await bench.connect() });
      other.sequencer.start();
      await change(2);
      // From the end of the other's lease on.
      await untilNumbered(bench, 12);
      expect((await other.status()).ownPartitions).toBe(64);
      store.restore();
      await until('each has half of them', async () => {
        await change(3);
        return (await frozen.status()).ownPartitions === 32;
      });
      const count = await bench.models.events.countDocuments();
      await untilNumbered(bench, count);
      await expectWholeLog(bench, count);
    } finally {
      await store.close();
    }
  });

  test('should number events of other processes without a wake signal', async () => {
    const events = bench.open({ pollMs: 60_000 });
    events.sequencer.start();
    await until('it has partitions', async () => (await events.status()).ownPartitions > 0);
    await bench.change('acme/sandbox', 'op1');
    // Reported by the change stream alone: the poll is a minute away.
    await untilNumbered(bench, 1);
    await expectWholeLog(bench, 1);
  });

  test('should take a turn for an event that it receives and has not numbered, and for no other', async () => {
    const [known, other] = [new Types.ObjectId(), new Types.ObjectId()];
    let turns = 0;
    const sequencer = createSequencer({
      shares: { renew: async () => new Map([[3, 1]]), termOf: () => 1, leave: async () => undefined },
      numberingOf: () => ({
        next: async () => {
          turns += 1;
          return { kind: 'numbered', count: 0, lastSeq: 0, more: false, holds: false };
        },
        isNumbered: (id) => id.equals(known),
      }),
      // By the first poll alone.
      findUnnumbered: async () => (turns === 0 ? [3] : []),
      watcher: { start: () => undefined, stop: async () => undefined, isPrompt: () => false },
      log: quiet,
      pollMs: 60_000,
      onNumbered: () => undefined,
    });
    sequencer.start();
    await until('the first turn', () => turns === 1);
    sequencer.onUnnumbered([
      { partition: 3, id: known },
      { partition: 4, id: other },
    ]);
    await delay(100);
    expect(turns).toBe(1);
    sequencer.onUnnumbered([
      { partition: 3, id: known },
      { partition: 3, id: other },
    ]);
    await until('another turn', () => turns === 2);
    await sequencer.stop();
  });

  test("should number a process's own events by few commands", async () => {
    const events = bench.open({ pollMs: 60_000 });
    events.sequencer.start();
    await until('it has partitions', async () => (await events.status()).ownPartitions > 0);
    // Its change stream is open then.
    await delay(1_500);
    const transaction = createTransactions(bench.store.connection);
    const from = performance.now();
    const counts = await countCommands(bench.store.connection, async () => {
      for (let version = 1; version <= 30; version += 1) {
        await transaction((unit) => events.log.append([newEvent({ version })], unit));
        await delay(50);
      }
      await delay(500);
    });
    await untilNumbered(bench, 30);
    // A few after the quiet, then four a second. None for events that were only received.
    const turns = 6 + (performance.now() - from) / 250;
    expect(counts['find events']).toBeLessThanOrEqual(turns);
    expect(counts.getMore).toBeLessThanOrEqual(turns);
    expect(counts.bulkWrite).toBeLessThanOrEqual(30 + turns);
  });

  test('should number a backlog whole, and know of its lag', async () => {
    // More than are numbered at once, twice.
    for (let batch = 0; batch < 3; batch += 1) {
      await bench.append(times(400, (index) => newEvent({ entityId: `op${batch}-${index}` })));
    }
    expect((await bench.open().status()).lagMs).toBeGreaterThan(0);
    bench.open().sequencer.start();
    await untilNumbered(bench, 1_200);
    expect(await bench.open().status()).toMatchObject({ lagMs: 0, numbered: 1_200 });
  });
});

describe('append', () => {
  test('should leave nothing of a transaction that did not commit', async () => {
    const { log } = bench.open();
    const failed = createTransactions(bench.store.connection)(async (unit) => {
      await log.append([newEvent()], unit);
      throw new Error('the change failed');
    });
    await expect(failed).rejects.toThrow('the change failed');
    expect(await bench.models.events.countDocuments()).toBe(0);
  });

  test('should refuse an already numbered version, and a value that is no event', async () => {
    await bench.append([newEvent()]);
    await expect(bench.append([newEvent()])).rejects.toMatchObject({ code: 11_000 });
    await expect(bench.append([newEvent({ entityId: 'x', version: 0 })])).rejects.toThrow('version');
    await expect(bench.append([newEvent({ entityId: 'x', entity: 'card' as never })])).rejects.toThrow(
      'entity',
    );
    expect(await bench.models.events.countDocuments()).toBe(1);
  });
});
