import { expect, jest, test } from '@jest/globals';
import { Ending } from './ending.ts';

test('its listeners are called once with the first reason, which the signal has, too', () => {
  const ending = new Ending();
  const received = jest.fn();
  ending.onAbort(received);
  const { signal } = ending;
  ending.abort('first');
  ending.abort('second');
  expect(received.mock.calls).toEqual([['first']]);
  expect([signal.aborted, signal.reason]).toEqual([true, 'first']);
  expect(() => ending.throwIfAborted()).toThrow('first');
});

test('a removed listener is not called, and others are', () => {
  const ending = new Ending();
  const [gone, there] = [jest.fn(), jest.fn()];
  const stop = ending.onAbort(gone);
  ending.onAbort(there);
  stop();
  ending.abort('end');
  expect([gone.mock.calls, there.mock.calls]).toEqual([[], [['end']]]);
});

test('a listener that is added after the end is called in its own microtask, and its signal is already aborted', async () => {
  const ending = new Ending();
  ending.abort('end');
  const received = jest.fn();
  ending.onAbort(received);
  expect(received).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(received.mock.calls).toEqual([['end']]);
  expect(ending.signal.reason).toBe('end');
});

test('work that goes on throws nothing', () => {
  const ending = new Ending();
  expect(() => ending.throwIfAborted()).not.toThrow();
  expect(ending.signal.aborted).toBe(false);
});
