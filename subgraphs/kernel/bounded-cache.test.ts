import { describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import { createBoundedCache } from './bounded-cache.ts';

describe('A bounded cache', () => {
  test('keeps the entries that were used last, and no more than it may', () => {
    const cache = createBoundedCache<number>(3);
    for (const [index, key] of ['a', 'b', 'c'].entries()) {
      cache.set(key, index);
    }
    expect(cache.get('a')).toBe(0);
    cache.set('d', 3);
    cache.set('c', 4);
    expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
    expect(cache.get('c')).toBe(4);
  });

  test('forgets an entry after its time', async () => {
    const cache = createBoundedCache<number>(3, 10);
    cache.set('a', 1);
    expect(cache.get('a')).toBe(1);
    await until('the end of its time', () => !cache.has('a'));
    expect(cache.get('a')).toBeUndefined();
  });
});
