import { expect, test } from '@jest/globals';
import { createLiveIterator, type Waiting } from './live-iterator.ts';
import { settle } from './testing/fake-sockets.ts';

const FOREVER = new AbortController().signal;

/** An iterator that the test fills and ends. */
async function open(limit: number) {
  let waiting: Waiting<number> | undefined;
  let end = (_error?: Error) => {};
  const stopping = new AbortController();
  const states: string[] = [];
  const items = createLiveIterator<number>({
    limit,
    signals: [stopping.signal],
    onState: ({ name }) => void states.push(name),
    run: (given) => {
      waiting = given;
      return new Promise((resolve, reject) => {
        end = (error) => (error === undefined ? resolve() : reject(error));
      });
    },
  });
  const first = items.next();
  await settle();
  if (waiting === undefined) {
    throw new Error('It does not run');
  }
  const { put, room } = waiting;
  return {
    items,
    first,
    states,
    put,
    room,
    end: (error?: Error) => end(error),
    stop: () => stopping.abort(),
  };
}

const DONE = { value: undefined, done: true };
const itemOf = async (result: Promise<IteratorResult<number, undefined>>) => (await result).value;

test('items come in order, to readers that wait and to those that come later', async () => {
  const { items, first, put } = await open(2);
  const second = items.next();
  expect([1, 2, 3, 4, 5].map(put)).toEqual([true, true, true, true, false]);
  expect(await Promise.all([first, second, items.next(), items.next()].map(itemOf))).toEqual([1, 2, 3, 4]);
});

test('after the end come the waiting items, then the failure, once', async () => {
  const { items, first, put, end, states } = await open(2);
  expect([1, 2].map(put)).toEqual([true, true]);
  end(new Error('over'));
  await settle();
  expect(put(3)).toBe(false);
  expect(await itemOf(first)).toBe(1);
  expect(await itemOf(items.next())).toBe(2);
  await expect(items.next()).rejects.toThrow('over');
  expect(await items.next()).toEqual(DONE);
  expect(states).toEqual(['ended']);
});

test('of several waiting readers, the first gets the failure', async () => {
  const { items, first, end } = await open(1);
  const readers = Promise.allSettled([first, items.next()]);
  end(new Error('over'));
  expect((await readers).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('an aborted signal ends waiting readers at once, and drops the waiting items', async () => {
  const waiting = await open(2);
  waiting.stop();
  expect(await waiting.first).toEqual(DONE);
  const { items, first, put, stop } = await open(2);
  expect([1, 2].map(put)).toEqual([true, true]);
  await first;
  stop();
  expect(put(3)).toBe(false);
  expect(await items.next()).toEqual(DONE);
});

test('there is room when half of it is read, or the signal is aborted', async () => {
  const { items, first, put, room } = await open(4);
  [0, 1, 2, 3, 4].forEach(put);
  await first;
  const end: string[] = [];
  const ending = new AbortController();
  void room(FOREVER).then(() => end.push('room'));
  await items.next();
  await settle();
  expect(end).toEqual([]);
  await items.next();
  await settle();
  expect(end).toEqual(['room']);
  [5, 6].forEach(put);
  void room(ending.signal).then(() => end.push('ended'));
  await settle();
  expect(end).toEqual(['room']);
  ending.abort();
  await settle();
  expect(end).toEqual(['room', 'ended']);
});
