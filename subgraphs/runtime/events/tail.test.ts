import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { until } from '../../../test/support/until.ts';
import { createCursors } from './cursor.ts';
import type { NumberedEvent } from './model.ts';
import type { Place } from './reader.ts';
import { createStreams } from './stream.ts';
import { createTail } from './tail.ts';
import { newEvent, PARTITION, quiet, TEST_KEY } from './testing.ts';

const topic = { accountId: 'acme/sandbox', entity: 'operation' } as const;
const outage = { noticed: () => undefined, over: () => undefined };

function numbered(seq: number): NumberedEvent {
  const { unclaimed: _, ...event } = newEvent({ entityId: `op${seq}` });
  return {
    ...event,
    partition: PARTITION,
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
  const after = ({ seq: from }: Place) =>
    new Promise<NumberedEvent[]>((resolve) => reads.push({ from, answer: resolve }));
  return { reads, after };
}

/** How often feeds have reported new events. */
let reported = 0;
const noted = () => {
  reported += 1;
};
beforeEach(() => {
  reported = 0;
});

describe('the tail', () => {
  test('should not give a feed earlier events, when an idle tail has started elsewhere', async () => {
    const { reads, after } = openReader();
    const tail = createTail({ reader: { after }, partition: PARTITION, outage });
    tail.open(topic, 0, () => undefined).close();
    const early = tail.open(topic, 0, () => undefined);
    await until('the log is read', () => reads.length === 1);
    early.close();
    const feed = tail.open(topic, 10, noted);
    expect(feed.from).toBe(10);
    reads[0]!.answer([numbered(1), numbered(2)]);
    await until('the log is read again', () => reads.length === 2);
    expect(reads[1]!.from).toBe(10);
    reads[1]!.answer([numbered(11)]);
    await until('it came', () => reported === 1);
    expect(feed.take()).toMatchObject([{ seq: 11 }]);
    expect(feed.take()).toEqual([]);
    feed.close();
    await tail.close();
  });

  test('should start where it stands while others follow, whatever the head', async () => {
    const { reads, after } = openReader();
    const tail = createTail({ reader: { after }, partition: PARTITION, outage });
    const first = tail.open(topic, 3, noted);
    const second = tail.open(topic, 9, noted);
    expect([first.from, second.from]).toEqual([3, 3]);
    await until('the log is read', () => reads.length === 1);
    reads[0]!.answer([numbered(4)]);
    await until('both have it', () => reported === 2);
    expect(first.take()).toEqual(second.take());
    tail.onNumbered(5);
    await until('the log is read again', () => reads.length === 2);
    reads[1]!.answer([]);
    await tail.close();
    expect(first.take()).toBe('closed');
  });

  test('should read again for a number that it does not have, and for no other', async () => {
    const { reads, after } = openReader();
    const tail = createTail({ reader: { after }, partition: PARTITION, outage });
    const feed = tail.open(topic, 0, noted);
    await until('the log is read', () => reads.length === 1);
    // Received while it is being read.
    tail.onNumbered(1);
    tail.onNumbered(2);
    reads[0]!.answer([numbered(1), numbered(2)]);
    await until('both came', () => reported === 2);
    tail.onNumbered(2);
    await delay(100);
    expect(reads).toHaveLength(1);
    tail.onNumbered(3);
    await until('the log is read again', () => reads.length === 2);
    reads[1]!.answer([]);
    feed.close();
    await tail.close();
  });

  test('should let go of a feed that holds more than the limit', async () => {
    const { reads, after } = openReader();
    const tail = createTail({ reader: { after }, partition: PARTITION, outage, queueLimit: 2 });
    const feed = tail.open(topic, 0, noted);
    await until('the log is read', () => reads.length === 1);
    reads[0]!.answer([numbered(1), numbered(2), numbered(3)]);
    // Waits for the feed to be gone: nobody follows, so nothing is read any more.
    await until('it lags', () => feed.take() === 'lagged');
    expect(reads).toHaveLength(1);
    await tail.close();
  });
});

test('a follower ahead of the tail should get no event twice', async () => {
  const cursors = createCursors([TEST_KEY]);
  const streams = createStreams({
    cursors,
    log: quiet,
    clock: () => new Date(),
    reader: { head: async () => 5, newest: async () => 5, between: async () => [] },
    tail: {
      open: () => ({
        from: 3,
        take: () => [numbered(4), numbered(5), numbered(6)],
        close: () => undefined,
      }),
    },
  });
  const after = cursors.encode('acme/sandbox', { seq: 5, keptUntil: new Date(Date.now() + 60_000) });
  const followed = await streams.follow({ ...topic, after, signal: new AbortController().signal });
  if (!followed.ok) {
    throw new Error('refused');
  }
  expect((await followed.value.next()).value).toMatchObject({ entityId: 'op6' });
  await followed.value.return?.();
});

test('a follower that ends while the head is read should open no feed, and one that is closed later leaves none', async () => {
  let heads = 0;
  let answer = (_head: number) => {};
  const feeds: string[] = [];
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
      open: () => {
        feeds.push('opened');
        return { from: 0, take: () => [], close: () => void feeds.push('closed') };
      },
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
  expect(feeds).toEqual([]);
  const late = await follow();
  const waiting = late.next();
  answer(0);
  await until('it waits for what comes', () => feeds.length === 1);
  streams.close();
  expect((await waiting).done).toBe(true);
  expect([feeds, streams.active()]).toEqual([['opened', 'closed'], 0]);
});
