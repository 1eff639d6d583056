import { expect, test } from '@jest/globals';
import { createQueue } from './queue.ts';
import { settle } from './testing/fake-sockets.ts';

const FOREVER = new AbortController().signal;

test('values come in order, to readers that wait and to those that come later', async () => {
  const queue = createQueue<number>(2);
  const early = [queue.next(), queue.next()];
  expect([1, 2, 3, 4, 5].map((value) => queue.put(value))).toEqual([true, true, true, true, false]);
  const results = await Promise.all([...early, queue.next(), queue.next()]);
  expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4]);
});

test('after the end come the waiting values, then the failure, once', async () => {
  const queue = createQueue<number>(2);
  queue.put(1);
  queue.end({ error: new Error('over') });
  queue.end();
  expect(queue.put(2)).toBe(false);
  expect(await queue.next()).toEqual({ value: 1, done: false });
  await expect(queue.next()).rejects.toThrow('over');
  expect(await queue.next()).toEqual({ value: undefined, done: true });
});

test('of several waiting readers, the first gets the failure', async () => {
  const queue = createQueue<number>(1);
  const readers = [queue.next(), queue.next()];
  queue.end({ error: new Error('over') });
  const results = await Promise.allSettled(readers);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('there is room when half of it is read, or the signal is aborted', async () => {
  const queue = createQueue<number>(4);
  [1, 2, 3, 4].forEach(queue.put);
  const end: string[] = [];
  const ending = new AbortController();
  void queue.room(FOREVER).then(() => end.push('room'));
  await queue.next();
  await settle();
  expect(end).toEqual([]);
  await queue.next();
  await settle();
  expect(end).toEqual(['room']);
  [5, 6].forEach(queue.put);
  void queue.room(ending.signal).then(() => end.push('ended'));
  await settle();
  expect(end).toEqual(['room']);
  ending.abort();
  await settle();
  expect(end).toEqual(['room', 'ended']);
});
