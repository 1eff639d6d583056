import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { outsideCalls } from './outside-calls.ts';

test('work outside of calls has no value of the call that starts it, however long it goes on', async () => {
  const calls = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  await calls.run('call-1', async () => {
    await outsideCalls(async () => {
      seen.push(calls.getStore());
      await delay(1);
      seen.push(calls.getStore());
    });
    seen.push(calls.getStore());
  });
  expect(seen).toEqual([undefined, undefined, 'call-1']);
});
