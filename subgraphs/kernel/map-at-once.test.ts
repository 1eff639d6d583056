import { describe, expect, test } from '@jest/globals';
import { mapAtOnce } from './map-at-once.ts';

describe('Work on several values', () => {
  test('is never under way for more of them than it may, and gives results in their order', async () => {
    let underWay = 0;
    const seen: number[] = [];
    const results = await mapAtOnce(2, [30, 10, 20, 5, 1], async (value) => {
      underWay += 1;
      seen.push(underWay);
      await new Promise((resolve) => setTimeout(resolve, value));
      underWay -= 1;
      return value * 2;
    });
    expect(results).toEqual([60, 20, 40, 10, 2]);
    expect(Math.max(...seen)).toBe(2);
  });

  test('fails with the first failure', async () => {
    const work = (value: number) => (value > 1 ? Promise.reject(new Error(`${value}`)) : Promise.resolve(1));
    await expect(mapAtOnce(1, [1, 2, 3], work)).rejects.toThrow('2');
  });

  test('is done at once for no values', async () => {
    expect(await mapAtOnce(3, [], () => Promise.reject(new Error('never')))).toEqual([]);
  });
});
