import { expect, jest, test } from '@jest/globals';
import { keepRecent } from './recent.ts';

test('callers share a read while it runs and for as long as it is fresh', async () => {
  jest.useFakeTimers({ advanceTimers: false });
  try {
    let reads = 0;
    const read = keepRecent(1_000, async () => {
      reads += 1;
      return reads;
    });
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    jest.advanceTimersByTime(1_000);
    expect(await read()).toBe(1);
    jest.advanceTimersByTime(1);
    expect(await read()).toBe(2);
  } finally {
    jest.useRealTimers();
  }
});

test('a failed read fails for all callers that wait for it, and is not kept', async () => {
  let reads = 0;
  const read = keepRecent(60_000, async () => {
    reads += 1;
    if (reads === 1) {
      throw new Error('away');
    }
    return reads;
  });
  const [one, other] = await Promise.allSettled([read(), read()]);
  expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
  expect(await read()).toBe(2);
});
