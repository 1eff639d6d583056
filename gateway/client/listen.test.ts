import { expect, test } from '@jest/globals';
import { listen } from './listen.ts';
import type { LiveIterator } from './live-iterator.ts';
import { settle } from './testing/fake-sockets.ts';

/** An iterator over numbers that a test can end. */
function count(options: { readonly failsAt?: number } = {}) {
  let n = 0;
  let isOver = false;
  let wake: () => void = () => undefined;
  const items: LiveIterator<number> = {
    async next() {
      n += 1;
      if (n === options.failsAt) {
        throw new Error('over');
      }
      if (n > 3 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return isOver ? { value: undefined, done: true } : { value: n, done: false };
    },
    async return() {
      isOver = true;
      wake();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => items,
  };
  return { items, isOver: () => isOver };
}

test('items come one after the other, and stop ends them', async () => {
  const { items, isOver } = count();
  const reported: unknown[] = [];
  let isBusy = false;
  const stop = listen(items, {
    async next(item) {
      reported.push(isBusy ? 'two at once' : item);
      isBusy = true;
      await settle();
      isBusy = false;
    },
    ended: (failure) => void reported.push(failure ?? 'ended'),
  });
  while (reported.length < 3) {
    await settle();
  }
  expect(stop()).toBeUndefined();
  await settle();
  expect([reported, isOver()]).toEqual([[1, 2, 3, 'ended'], true]);
});

test('an item that is on its way when it is stopped is dropped', async () => {
  const { items } = count();
  const reported: unknown[] = [];
  const stop = listen(items, {
    next: (item) => void reported.push(item),
    ended: () => void reported.push('ended'),
  });
  stop();
  await settle();
  expect(reported).toEqual(['ended']);
});

test('the failure of the items, or of the listener, is reported once', async () => {
  const reported: unknown[] = [];
  const ended = (failure?: { readonly error: unknown }) => void reported.push(failure?.error);
  listen(count({ failsAt: 1 }).items, { next: () => undefined, ended });
  const other = count();
  listen(other.items, {
    next: () => {
      throw new Error('no');
    },
    ended,
  });
  await settle();
  expect([reported, other.isOver()]).toEqual([[new Error('over'), new Error('no')], true]);
});
