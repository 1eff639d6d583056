import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { createTransactions } from '../database/transaction.ts';
import { createLeases } from '../leases/leases.ts';
import { createBatches } from './batch.ts';
import { createEventModels } from './model.ts';
import { createNumbering } from './numbering.ts';
import { SEQUENCER_LEASE } from './sequencer.ts';
import { type EventsBench, newEvent, openEventsBench, untilNumbered } from './testing.ts';

let bench: EventsBench;

beforeEach(async () => {
  bench = await openEventsBench();
});
afterEach(() => bench.close());

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

function numbering(holdMs = 0, connection = bench.store.connection) {
  const models = createEventModels(connection);
  return createNumbering({
    models,
    batches: createBatches({
      model: models.events,
      size: 10,
      holdMs,
      now: () => performance.now(),
      onOrphan: () => undefined,
    }),
    runTransaction: createTransactions(connection),
    clock: () => new Date(),
    retentionMs: 1_000,
  });
}

/** Numbers 1 to `count` once each, and every entity's versions in order from 1. */
async function expectWholeLog(count: number): Promise<void> {
  const log = await bench.numbered();
  expect(log.map(({ seq }) => seq)).toEqual(times(count, (index) => index + 1));
  const versions = new Map<string, number>();
  for (const { tenantId, entityId, version } of log) {
    expect(version).toBe((versions.get(`${tenantId}/${entityId}`) ?? 0) + 1);
    versions.set(`${tenantId}/${entityId}`, version);
  }
  expect(await bench.models.events.countDocuments({ pending: true })).toBe(0);
}

describe('the sequencer', () => {
  test('should number what concurrent transactions wrote, once, without gaps, in version order', async () => {
    const events = bench.open();
    events.sequencer.start();
    await Promise.all(
      times(50, async (index) => {
        // Half of the writers share five entities, the others have one each.
        for (let change = 0; change < 4; change += 1) {
          await bench.change(`t${index % 3}`, index % 2 === 0 ? `shared${index % 5}` : `own${index}`);
          events.log.wake();
        }
      }),
    );
    await untilNumbered(bench, 200);
    await expectWholeLog(200);
  });

  test('should be one of two processes', async () => {
    const both = [bench.open(), bench.open({ connection: await bench.connect() })];
    for (const events of both) {
      events.sequencer.start();
    }
    await Promise.all(
      times(20, async (index) => {
        for (let change = 0; change < 5; change += 1) {
          await bench.change('acme', `op${index % 7}`);
          both[index % 2]!.log.wake();
        }
      }),
    );
    await untilNumbered(bench, 100);
    await expectWholeLog(100);
    const stats = await Promise.all(both.map((events) => events.stats()));
    expect(stats.filter(({ leading }) => leading)).toHaveLength(1);
  });

  test('should keep the log whole even if two number at once, in spite of the lease', async () => {
    const other = await bench.connect();
    const turns = [0, 0];
    let written = 0;
    let writing = true;
    const enough = () => turns.every((count) => count >= 10);
    const number = async (index: number) => {
      const { next } = numbering(0, index === 0 ? bench.store.connection : other);
      for (let left = true; left; ) {
        const turn = await next(1);
        turns[index]! += turn.kind === 'numbered' && turn.count > 0 ? 1 : 0;
        left = writing || turn.kind === 'fenced' || turn.count > 0;
      }
    };
    const write = async (index: number) => {
      while (!enough()) {
        await bench.change('acme', `op${index % 3}`);
        written += 1;
      }
    };
    const writers = Promise.all(times(6, write)).then(() => {
      writing = false;
    });
    await Promise.all([number(0), number(1), writers]);
    await expectWholeLog(written);
  }, 240_000); // Hundreds of calls: a slow store takes its time.

  test('should hand over when the process that has the lease stops', async () => {
    const other = await bench.connect();
    const first = bench.open();
    first.sequencer.start();
    await bench.change('acme', 'op');
    await untilNumbered(bench, 1);
    const second = bench.open({ connection: other });
    second.sequencer.start();
    await bench.change('acme', 'op');
    await untilNumbered(bench, 2);
    expect((await first.stats()).leading).toBe(true);
    await first.close();
    await bench.change('acme', 'op');
    await untilNumbered(bench, 3);
    expect((await second.stats()).leading).toBe(true);
    await expectWholeLog(3);
  });

  test('should number events of other processes without being told', async () => {
    const events = bench.open({ pollMs: 60_000 });
    events.sequencer.start();
    await until('it leads', async () => (await events.stats()).leading);
    await bench.change('acme', 'op1');
    // Told by the change stream alone: the poll is a minute away.
    await untilNumbered(bench, 1);
    await expectWholeLog(1);
  });

  test('should number a backlog whole, and know of its lag', async () => {
    for (let batch = 0; batch < 4; batch += 1) {
      await bench.append(times(500, (index) => newEvent({ entityId: `op${batch}-${index}` })));
    }
    expect((await bench.open().stats()).lagMs).toBeGreaterThan(0);
    bench.open().sequencer.start();
    await untilNumbered(bench, 2_000);
    expect(await bench.open().stats()).toMatchObject({ lagMs: 0, lastSeq: 2_000 });
  });
});

describe('numbering', () => {
  test('should refuse a holder whose lease was taken by another', async () => {
    const leases = createLeases({ connection: bench.store.connection });
    const stale = (await leases.acquire(SEQUENCER_LEASE, 0))!;
    const frozen = numbering();
    await bench.change('acme', 'op1');
    expect(await frozen.next(stale.term)).toMatchObject({ kind: 'numbered', count: 1 });
    const current = (await leases.acquire(SEQUENCER_LEASE, 60_000))!;
    const next = numbering();
    expect(await next.next(current.term)).toMatchObject({ kind: 'numbered', count: 0 });
    await bench.change('acme', 'op2');
    expect(await frozen.next(stale.term)).toEqual({ kind: 'fenced' });
    expect(await numbering().next(stale.term)).toEqual({ kind: 'fenced' });
    expect(await bench.numbered()).toHaveLength(1);
    expect(await next.next(current.term)).toMatchObject({ kind: 'numbered', count: 1, lastSeq: 2 });
    await expectWholeLog(2);
  });

  test('should write nothing when the transaction breaks, and go on from there', async () => {
    const broken = createNumbering({
      models: bench.models,
      batches: {
        // One of them is gone by the time of the transaction.
        next: async () => {
          const events = await bench.models.events.find({ pending: true }).lean();
          await bench.models.events.deleteOne({ entityId: 'op2' });
          return { events, full: false };
        },
        numbered: () => undefined,
      },
      runTransaction: createTransactions(bench.store.connection),
      clock: () => new Date(),
      retentionMs: 1_000,
    });
    await Promise.all(['op1', 'op2', 'op3'].map((id) => bench.change('acme', id)));
    await expect(broken.next(1)).rejects.toThrow('only 2 were left');
    expect(await bench.numbered()).toEqual([]);
    expect(await numbering().next(1)).toMatchObject({ count: 2, lastSeq: 2 });
    await expectWholeLog(2);
  });

  test('should take earlier versions along, whatever their times say', async () => {
    const late = new Date(Date.now() + 60_000);
    // Ten others and version 2 fill the batch; versions 1 seem younger than all of them.
    await bench.append([
      ...times(10, (index) => newEvent({ entityId: `other${index}` })),
      newEvent({ version: 1, occurredAt: late }),
      newEvent({ version: 2, occurredAt: new Date(0) }),
      newEvent({ entityId: 'x', version: 3, occurredAt: new Date(0) }),
      newEvent({ entityId: 'x', version: 2, occurredAt: late }),
      newEvent({ entityId: 'x', version: 1, occurredAt: late }),
    ]);
    const turns = numbering();
    expect(await turns.next(1)).toMatchObject({ count: 13, more: true });
    expect(await turns.next(1)).toMatchObject({ count: 2 });
    await expectWholeLog(15);
  });

  test('should look into the log for exact places only, and for none that it has just numbered', async () => {
    const asked: unknown[] = [];
    const turns = numbering();
    const find = bench.models.events.find.bind(bench.models.events);
    jest.spyOn(bench.models.events, 'find').mockImplementation(((filter: object, ...rest: []) => {
      if ('$or' in filter) {
        asked.push(...(filter.$or as object[]).map((place) => Object.keys(place).join()), 'query');
      }
      return find(filter, ...rest);
    }) as typeof find);
    await bench.append(times(60, (index) => newEvent({ entityId: `op${index}`, version: 1 })));
    while ((await turns.next(1)).kind === 'numbered' && (await bench.numbered()).length < 60);
    expect(asked).toEqual([]);
    // Numbered by this process: known. By another one: looked up.
    await bench.append([
      newEvent({ entityId: 'op1', version: 2 }),
      newEvent({ entityId: 'op2', version: 2 }),
    ]);
    expect(await turns.next(1)).toMatchObject({ count: 2 });
    expect(asked).toEqual([]);
    await bench.append([
      newEvent({ entityId: 'op1', version: 3 }),
      newEvent({ entityId: 'op3', version: 2 }),
    ]);
    expect(await numbering().next(1)).toMatchObject({ count: 2 });
    const place = 'tenantId,entity,entityId,version';
    expect(asked).toEqual([place, place, 'query']);
    await bench.append([newEvent({ entityId: 'op1', version: 4 })]);
    // What it remembers of the log is true still, and no more than that: it takes the head anew.
    expect(await turns.next(1)).toEqual({ kind: 'fenced' });
    expect(await turns.next(1)).toMatchObject({ count: 1 });
    expect(asked.slice(3)).toEqual([place, 'query', place, 'query']);
    await expectWholeLog(65);
  });

  test('should hold an event until the version before it is there, and others not', async () => {
    const turns = numbering(60_000);
    await bench.append([newEvent({ version: 2 }), newEvent({ version: 3 }), newEvent({ entityId: 'free' })]);
    expect(await turns.next(1)).toMatchObject({ count: 1 });
    expect(await turns.next(1)).toMatchObject({ count: 0 });
    await bench.append([newEvent({ version: 1 })]);
    expect(await turns.next(1)).toMatchObject({ count: 3 });
    await expectWholeLog(4);
  });

  test('should go on after a while where retention took the version before', async () => {
    await bench.append([newEvent({ version: 1 })]);
    expect(await numbering().next(1)).toMatchObject({ count: 1 });
    await bench.models.events.deleteMany({});
    await bench.append([newEvent({ version: 2 }), newEvent({ version: 3 })]);
    const turns = numbering(30);
    await until('the hold is over', async () => {
      const turn = await turns.next(1);
      return turn.kind === 'numbered' && turn.count === 2;
    });
    expect((await bench.numbered()).map(({ version }) => version)).toEqual([2, 3]);
  });

  test('should never let keptUntil fall, whatever the clocks say', async () => {
    const at = async (now: string) => {
      await bench.change('acme', 'op');
      const turn = createNumbering({
        models: bench.models,
        batches: createBatches({
          model: bench.models.events,
          size: 9,
          holdMs: 0,
          now: Date.now,
          onOrphan: () => undefined,
        }),
        runTransaction: createTransactions(bench.store.connection),
        clock: () => new Date(now),
        retentionMs: 0,
      });
      await turn.next(1);
    };
    await at('2026-11-21T08:00:05.000Z');
    await at('2026-11-21T08:00:00.000Z');
    await at('2026-11-21T08:00:09.000Z');
    const kept = await bench.models.events.find({}).sort({ seq: 1 }).lean();
    expect(kept.map(({ keptUntil }) => keptUntil?.toISOString())).toEqual([
      '2026-11-21T08:00:05.000Z',
      '2026-11-21T08:00:05.000Z',
      '2026-11-21T08:00:09.000Z',
    ]);
  });
});

describe('append', () => {
  test('should refuse to write outside a transaction', async () => {
    const session = await bench.store.connection.startSession();
    await expect(bench.open().log.append([newEvent()], session)).rejects.toThrow('transaction');
    await session.endSession();
    expect(await bench.models.events.countDocuments()).toBe(0);
  });

  test('should leave nothing of a transaction that did not commit', async () => {
    const { log } = bench.open();
    const failed = createTransactions(bench.store.connection)(async (session) => {
      await log.append([newEvent()], session);
      throw new Error('the change failed');
    });
    await expect(failed).rejects.toThrow('the change failed');
    expect(await bench.models.events.countDocuments()).toBe(0);
  });

  test('should refuse a version told before, and what is no event', async () => {
    await bench.append([newEvent()]);
    await expect(bench.append([newEvent()])).rejects.toMatchObject({ code: 11_000 });
    await expect(bench.append([newEvent({ entityId: 'x', version: 0 })])).rejects.toThrow('version');
    await expect(bench.append([newEvent({ entityId: 'x', entity: 'card' as never })])).rejects.toThrow(
      'entity',
    );
    expect(await bench.models.events.countDocuments()).toBe(1);
  });
});
