import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { unlessAborted } from './abort.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('work that ends first gives its value and leaves no listener', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, async () => 5)).toEqual({ aborted: false, value: 5 });
  expect(listeners(signal)).toBe(0);
});

test('work under a signal that is aborted already is not begun', async () => {
  let begun = 0;
  const result = await unlessAborted(AbortSignal.abort(), async () => {
    begun += 1;
  });
  expect([result, begun]).toEqual([{ aborted: true }, 0]);
});

test('work that never ends is left at the abort, without a listener', async () => {
  const stop = new AbortController();
  const result = unlessAborted(stop.signal, () => new Promise(() => undefined));
  expect(listeners(stop.signal)).toBe(1);
  stop.abort();
  expect(await result).toEqual({ aborted: true });
  expect(listeners(stop.signal)).toBe(0);
});

test('an abort by the work itself also calls the listeners', async () => {
  const stop = new AbortController();
  const result = await unlessAborted(stop.signal, async () => {
    stop.abort();
    await new Promise(() => undefined);
  });
  expect(result).toEqual({ aborted: true });
});

test.each([
  ['rejects', () => Promise.reject(new Error('broken'))],
  [
    'throws at once',
    () => {
      throw new Error('broken');
    },
  ],
])('work that %s is received, and leaves no listener', async (_how, start) => {
  const { signal } = new AbortController();
  await expect(unlessAborted(signal, start)).rejects.toThrow('broken');
  expect(listeners(signal)).toBe(0);
});

test('a failure after the abort rejects no other promise', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const stop = new AbortController();
  let fail: ((error: Error) => void) | undefined;
  const result = unlessAborted(
    stop.signal,
    () =>
      new Promise((_resolve, reject) => {
        fail = reject;
      }),
  );
  stop.abort();
  expect(await result).toEqual({ aborted: true });
  fail?.(new Error('late'));
  await delay(5);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
