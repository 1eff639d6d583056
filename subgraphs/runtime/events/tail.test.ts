import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { until } from '../../../test/support/until.ts';
import { createCursors } from './cursor.ts';
import type { NumberedEvent } from './model.ts';
import { createStreams, type LoggedEvent } from './stream.ts';
import { createTail, type Follower } from './tail.ts';
import { newEvent, quiet, TEST_KEY } from './testing.ts';

const topic = { accountId: 'acme/sandbox', entity: 'operation' } as const;
const watcher = { start: () => undefined, stop: async () => undefined, isPrompt: () => false };

function numbered(seq: number): NumberedEvent {
  const { unclaimed: _, ...event } = newEvent({ entityId: `op${seq}` });
  return {
    ...event,
    statusDetails: 'none',
    data: {},
    _id: new Types.ObjectId(),
    seq,
    keptUntil: new Date(Date.now() + 60_000),
  };
}

/** A log whose answers the test gives. */
function openReader() {
  const reads: { from: number; answer(events: NumberedEvent[]): void }[] = [];
  const after = (from: number) =>
    new Promise<NumberedEvent[]>((resolve) => reads.push({ from, answer: resolve }));
  return { reads, after };
}

/** One who follows the tail, and the numbers that it has received. */
function newFollower() {
  const received: number[] = [];
  return { topic, received, receive: ({ seq }: NumberedEvent) => void received.push(seq) };
}

describe('the tail', () => {
  test('should not give a follower earlier events, when an idle tail has started elsewhere', async () => {
    const { reads, after } = openReader();
    const tail = createTail({ reader: { after }, watcher, log: quiet, pollMs: 5 });
    const [gone, early, follower] = [newFollower(), newFollower(), newFollower()];
    tail.add(gone, 0);
    tail.remove(gone);
    tail.add(early, 0);
    await until('the log is read', () => reads.length === 1);
    tail.remove(early);
    expect(tail.add(follower, 10)).toBe(10);
    reads[0]!.answer([numbered(1), numbered(2)]);
    await until('the log is read again', () => reads.length === 2);
    expect(reads[1]!.from).toBe(10);
    reads[1]!.answer([numbered(11)]);
    await until('it came', () => follower.received.length === 1);
    expect([gone, early, follower].map(({ received }) => received)).toEqual([[], [], [11]]);
    tail.remove(follower);
    await tail.close();
  });

  test('should start where it stands while others follow, whatever the head', async () => {
    const { reads, after } = openReader();
    const tail = createTail({ reader: { after }, watcher, log: quiet, pollMs: 5 });
    const [first, second] = [newFollower(), newFollower()];
    expect([tail.add(first, 3), tail.add(second, 9)]).toEqual([3, 3]);
    await until('the log is read', () => reads.length === 1);
    reads[0]!.answer([numbered(4)]);
    await until('both have it', () => first.received.length + second.received.length === 2);
    await until('the log is read again', () => reads.length === 2);
    const closed = tail.close();
    reads[1]!.answer([numbered(5)]);
    await closed;
    expect([first.received, second.received]).toEqual([[4], [4]]);
  });

  test('should read again for a number that it does not have, and for no other', async () => {
    const { reads, after } = openReader();
    const tail = createTail({ reader: { after }, watcher, log: quiet, pollMs: 60_000 });
    const follower = newFollower();
    tail.add(follower, 0);
    await until('the log is read', () => reads.length === 1);
    // Received while it is being read.
    tail.onNumbered([1, 2]);
    reads[0]!.answer([numbered(1), numbered(2)]);
    await until('both came', () => follower.received.length === 2);
    tail.onNumbered([2]);
    await delay(100);
    expect(reads).toHaveLength(1);
    tail.onNumbered([2, 3]);
    await until('the log is read again', () => reads.length === 2);
    reads[1]!.answer([]);
    tail.remove(follower);
    await tail.close();
  });
});

describe('a follower', () => {
  /** Follows from a number on a tail and a log of the test. */
  async function follow(options: {
    position?: number;
    from?: number;
    log?: NumberedEvent[];
    /** The log answers when it resolves. */
    answers?: Promise<void>;
    matches?(event: LoggedEvent): boolean;
  }) {
    const { position = 0, from = position, log = [], answers, matches } = options;
    const cursors = createCursors([TEST_KEY]);
    const spans: [from: number, to: number][] = [];
    let follower: Follower | undefined;
    const streams = createStreams({
      cursors,
      log: quiet,
      clock: () => new Date(),
      waitingLimit: 2,
      reader: {
        head: async () => position,
        newest: async () => position,
        between: async (_topic, after, to) => {
          spans.push([after, to]);
          await answers;
          return log.filter(({ seq }) => seq > after && seq <= to);
        },
      },
      tail: {
        add: (added) => {
          follower = added;
          return from;
        },
        remove: () => (follower = undefined),
      },
    });
    const after = cursors.encode('acme/sandbox', {
      seq: position,
      keptUntil: new Date(Date.now() + 60_000),
    });
    const signal = new AbortController().signal;
    const followed = await streams.follow({ ...topic, after, matches, signal });
    if (!followed.ok) {
      throw new Error('refused');
    }
    const stream = followed.value;
    const next = async () => (await stream.next()).value?.entityId;
    /** Delivers events of these numbers, which the log has too. */
    const deliver = (...numbers: number[]) => {
      for (const event of numbers.map(numbered)) {
        log.push(event);
        follower?.receive(event);
      }
    };
    return { stream, next, deliver, spans, isAdded: () => follower !== undefined };
  }

  test('ahead of the tail should get no event twice', async () => {
    const { next, deliver, isAdded, stream } = await follow({ position: 5, from: 3 });
    const first = next();
    await until('it follows', isAdded);
    deliver(4, 5, 6);
    expect(await first).toBe('op6');
    await stream.return?.();
    expect(isAdded()).toBe(false);
  });

  test('should read from the log what comes while it reads the log', async () => {
    let answer = () => {};
    const answers = new Promise<void>((resolve) => (answer = resolve));
    const { next, deliver, spans } = await follow({ from: 2, log: [numbered(1), numbered(2)], answers });
    const first = next();
    await until('the log is read', () => spans.length === 1);
    deliver(3);
    answer();
    expect([await first, await next(), await next()]).toEqual(['op1', 'op2', 'op3']);
    const live = next();
    deliver(4);
    expect(await live).toBe('op4');
    expect(spans).toEqual([
      [0, 2],
      [2, 3],
    ]);
  });

  test('whose reader is too slow should let go what waits, and read the log after the last event taken', async () => {
    const { next, deliver, isAdded, spans } = await follow({});
    const first = next();
    await until('it follows', isAdded);
    deliver(1, 2, 3, 4, 5);
    const got = [await first];
    expect(spans).toEqual([]);
    deliver(6);
    for (let count = 0; count < 5; count += 1) {
      got.push(await next());
    }
    expect(got).toEqual(['op1', 'op2', 'op3', 'op4', 'op5', 'op6']);
    expect(spans).toEqual([[1, 6]]);
  });

  test('should give waiting readers their events in order, and the fault of its filter to the next one', async () => {
    const issue = new Error('filter');
    const { stream, next, deliver, isAdded } = await follow({
      matches: ({ entityId }) => {
        if (entityId === 'op3') {
          throw issue;
        }
        return true;
      },
    });
    const readers = [next(), next(), next(), next()];
    const results = Promise.allSettled(readers);
    await until('it follows', isAdded);
    deliver(1, 2, 3);
    expect(await results).toEqual([
      { status: 'fulfilled', value: 'op1' },
      { status: 'fulfilled', value: 'op2' },
      { status: 'rejected', reason: issue },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(isAdded()).toBe(false);
    expect((await stream.next()).done).toBe(true);
  });
});

test('a follower that ends while the head is read should not be added to the tail, and one that is closed later is removed', async () => {
  let heads = 0;
  let answer = (_head: number) => {};
  const added = new Set<Follower>();
  const streams = createStreams({
    cursors: createCursors([TEST_KEY]),
    log: quiet,
    clock: () => new Date(),
    reader: {
      head: () => {
        heads += 1;
        // The first says where it starts.
        return heads === 1 ? Promise.resolve(0) : new Promise((resolve) => (answer = resolve));
      },
      newest: async () => 0,
      between: async () => [],
    },
    tail: {
      add: (follower) => {
        added.add(follower);
        return 0;
      },
      remove: (follower) => added.delete(follower),
    },
  });
  const follow = async () => {
    heads = 0;
    const followed = await streams.follow({ ...topic, signal: new AbortController().signal });
    if (!followed.ok) {
      throw new Error('refused');
    }
    return followed.value;
  };
  const early = await follow();
  const ended = early.next();
  await early.return?.();
  answer(0);
  expect((await ended).done).toBe(true);
  await delay(1);
  expect(added.size).toBe(0);
  const late = await follow();
  const waiting = late.next();
  answer(0);
  await until('it waits for what comes', () => added.size === 1);
  streams.close();
  expect((await waiting).done).toBe(true);
  expect([added.size, streams.active()]).toEqual([0, 0]);
});
