import { expect, jest, test } from '@jest/globals';
import { Ending } from './ending.ts';

test('its listeners hear the first reason once, and the signal has it', () => {
  const ending = new Ending();
  const heard = jest.fn();
  ending.onAbort(heard);
  const { signal } = ending;
  ending.abort('first');
  ending.abort('second');
  expect(heard.mock.calls).toEqual([['first']]);
  expect([signal.aborted, signal.reason]).toEqual([true, 'first']);
  expect(() => ending.throwIfAborted()).toThrow('first');
});

test('who no longer listens hears nothing, and others do', () => {
  const ending = new Ending();
  const [gone, there] = [jest.fn(), jest.fn()];
  const stop = ending.onAbort(gone);
  ending.onAbort(there);
  stop();
  ending.abort('end');
  expect([gone.mock.calls, there.mock.calls]).toEqual([[], [['end']]]);
});

test('who comes after the end hears of it in a step of its own, and the signal is aborted from the start', async () => {
  const ending = new Ending();
  ending.abort('end');
  const heard = jest.fn();
  ending.onAbort(heard);
  expect(heard).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(heard.mock.calls).toEqual([['end']]);
  expect(ending.signal.reason).toBe('end');
});

test('work that goes on throws nothing', () => {
  const ending = new Ending();
  expect(() => ending.throwIfAborted()).not.toThrow();
  expect(ending.signal.aborted).toBe(false);
});
