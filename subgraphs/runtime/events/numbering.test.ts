import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { until } from '../../../test/support/until.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { createBatches, createNumberedMemory } from './batch.ts';
import { createEventModels } from './model.ts';
import { createNumbering } from './numbering.ts';
import { type EventsBench, expectWholeLog, newEvent, openEventsBench, PARTITION, times } from './testing.ts';

let bench: EventsBench;

beforeEach(async () => {
  bench = await openEventsBench();
});
afterEach(() => bench.close());

function numbering(holdMs = 0, connection = bench.store.connection, hasRead = () => Promise.resolve()) {
  const models = createEventModels(connection);
  const batches = createBatches({
    model: models.events,
    partition: PARTITION,
    memory: createNumberedMemory(),
    size: 10,
    holdMs,
    now: () => performance.now(),
    onOrphan: () => undefined,
  });
  return createNumbering({
    models,
    partition: PARTITION,
    batches: {
      ...batches,
      next: async () => {
        const batch = await batches.next();
        await hasRead();
        return batch;
      },
    },
    runTransaction: createTransactions(connection),
    clock: () => new Date(),
    retentionMs: 1_000,
  });
}

/** A numbering on a connection of its own, whose turns wait between their read of the events and their transaction. */
function numberingInSteps(connection: Connection) {
  let read = () => {};
  let goOn = Promise.resolve();
  const { next } = numbering(0, connection, () => {
    read();
    return goOn;
  });
  return {
    /** Begins a turn; `end` lets it go on, and gives what it did. */
    begin: () => {
      const hasRead = new Promise<void>((resolve) => {
        read = resolve;
      });
      let release = () => {};
      goOn = new Promise((resolve) => {
        release = resolve;
      });
      const turn = next(1);
      return {
        hasRead: Promise.race([hasRead, turn]),
        end: () => {
          release();
          return turn;
        },
      };
    },
  };
}

describe('numbering', () => {
  test('should keep the log whole even if two number at once, in spite of the lease', async () => {
    const both = [bench.store.connection, await bench.connect()].map(numberingInSteps);
    const writeThree = () => Promise.all(times(3, (index) => bench.change('acme/sandbox', `op${index}`)));
    // Both begin at the same head and read the same events; then the first one ends its turn before the other, or both at once.
    const rounds = times(3, () => [0, 1, 'both'] as const).flat();
    await writeThree();
    for (const first of rounds) {
      const turns = both.map(({ begin }) => begin());
      await Promise.all(turns.map(({ hasRead }) => hasRead));
      const written = writeThree();
      if (first !== 'both') {
        expect(await turns[first]!.end()).toMatchObject({ kind: 'numbered', count: 3 });
      }
      const ended = await Promise.all(turns.map(({ end }) => end()));
      expect(ended.map(({ kind }) => kind).sort()).toEqual(['fenced', 'numbered']);
      await written;
    }
    expect(await numbering().next(1)).toMatchObject({ count: 3 });
    await expectWholeLog(bench, 3 * (rounds.length + 1));
  });

  test('should fence off nobody when several of one term begin an empty log at once', async () => {
    const turns = await Promise.all(times(8, () => numbering().next(1)));
    expect(turns.map(({ kind }) => kind)).toEqual(times(8, () => 'numbered'));
    expect(await bench.models.heads.countDocuments()).toBe(1);
  });

  test('should refuse a holder whose partition was taken by another', async () => {
    const [stale, current] = [{ term: 3 }, { term: 4 }];
    const frozen = numbering();
    await bench.change('acme/sandbox', 'op1');
    expect(await frozen.next(stale.term)).toMatchObject({ kind: 'numbered', count: 1 });
    const next = numbering();
    expect(await next.next(current.term)).toMatchObject({ kind: 'numbered', count: 0 });
    await bench.change('acme/sandbox', 'op2');
    expect(await frozen.next(stale.term)).toEqual({ kind: 'fenced' });
    expect(await numbering().next(stale.term)).toEqual({ kind: 'fenced' });
    expect(await bench.numbered()).toHaveLength(1);
    expect(await next.next(current.term)).toMatchObject({ kind: 'numbered', count: 1, lastSeq: 2 });
    await expectWholeLog(bench, 2);
  });

  test('should write nothing when the transaction breaks, and go on from there', async () => {
    const broken = createNumbering({
      models: bench.models,
      partition: PARTITION,
      batches: {
        // One of them is gone by the time of the transaction.
        next: async () => {
          const events = await bench.models.events.find({ pending: true }).lean();
          await bench.models.events.deleteOne({ entityId: 'op2' });
          return { events, full: false, holds: false };
        },
        numbered: () => undefined,
        isNumbered: () => false,
      },
      runTransaction: createTransactions(bench.store.connection),
      clock: () => new Date(),
      retentionMs: 1_000,
    });
    await Promise.all(['op1', 'op2', 'op3'].map((id) => bench.change('acme/sandbox', id)));
    await expect(broken.next(1)).rejects.toThrow('some were numbered already');
    expect(await bench.numbered()).toEqual([]);
    expect(await numbering().next(1)).toMatchObject({ count: 2, lastSeq: 2 });
    await expectWholeLog(bench, 2);
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
    await expectWholeLog(bench, 15);
  });

  test('should look into the log for exact places only, and for none that it has just numbered', async () => {
    const queries: unknown[] = [];
    const turns = numbering();
    const find = bench.models.events.find.bind(bench.models.events);
    jest.spyOn(bench.models.events, 'find').mockImplementation(((filter: object, ...rest: []) => {
      if ('$or' in filter) {
        queries.push(...(filter.$or as object[]).map((place) => Object.keys(place).join()), 'query');
      }
      return find(filter, ...rest);
    }) as typeof find);
    await bench.append(times(60, (index) => newEvent({ entityId: `op${index}`, version: 1 })));
    while ((await turns.next(1)).kind === 'numbered' && (await bench.numbered()).length < 60);
    expect(queries).toEqual([]);
    // Numbered by this process: known. By another one: looked up.
    await bench.append([
      newEvent({ entityId: 'op1', version: 2 }),
      newEvent({ entityId: 'op2', version: 2 }),
    ]);
    expect(await turns.next(1)).toMatchObject({ count: 2 });
    expect(queries).toEqual([]);
    await bench.append([
      newEvent({ entityId: 'op1', version: 3 }),
      newEvent({ entityId: 'op3', version: 2 }),
    ]);
    expect(await numbering().next(1)).toMatchObject({ count: 2 });
    const place = 'accountId,entity,entityId,version';
    expect(queries).toEqual([place, place, 'query']);
    await bench.append([newEvent({ entityId: 'op1', version: 4 })]);
    // Its memory of the log is still true, but not complete: it takes the head anew.
    expect(await turns.next(1)).toEqual({ kind: 'fenced' });
    expect(await turns.next(1)).toMatchObject({ count: 1 });
    expect(queries.slice(3)).toEqual([place, 'query', place, 'query']);
    await expectWholeLog(bench, 65);
  });

  test('should hold an event until the version before it is there, and others not', async () => {
    const turns = numbering(60_000);
    await bench.append([newEvent({ version: 2 }), newEvent({ version: 3 }), newEvent({ entityId: 'free' })]);
    expect(await turns.next(1)).toMatchObject({ count: 1 });
    expect(await turns.next(1)).toMatchObject({ count: 0 });
    await bench.append([newEvent({ version: 1 })]);
    expect(await turns.next(1)).toMatchObject({ count: 3 });
    await expectWholeLog(bench, 4);
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
      await bench.change('acme/sandbox', 'op');
      const turn = createNumbering({
        models: bench.models,
        partition: PARTITION,
        batches: createBatches({
          model: bench.models.events,
          partition: PARTITION,
          memory: createNumberedMemory(),
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
