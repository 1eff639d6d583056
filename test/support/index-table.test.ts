import { describe, expect, test } from '@jest/globals';
import { readServed } from './index-table.ts';
import { BOUNDS } from './query-bounds.ts';
import { nameOf } from './query-planner.ts';
import { productIndexes, unusedIndexes } from './record-served.ts';

describe('INDEXES.md', () => {
  test('names a query for each index, but for unique ones and those that expire documents', () => {
    expect(unusedIndexes()).toEqual([]);
  });

  test('names only indexes that the models declare', () => {
    const declared = new Set(
      [...productIndexes()].flatMap(([collection, indexes]) =>
        [{ _id: 1 }, ...indexes.map(([keys]) => keys)].map((keys) => `${collection}: ${nameOf(keys)}`),
      ),
    );
    const named = readServed().flatMap(({ collection, index }) =>
      index === '' ? [] : index.split('; ').map((one) => `${collection}: ${one}`),
    );
    expect(named.length).toBeGreaterThan(200);
    expect([...new Set(named)].filter((one) => !declared.has(one))).toEqual([]);
  });

  test('has bounds of fields that an index of the collection begins with, each with a reason', () => {
    const indexes = productIndexes();
    const issues = Object.entries(BOUNDS).flatMap(([collection, bounds]) =>
      bounds
        .filter(({ by, why }) => {
          const served = indexes.get(collection)?.some(([keys]) => {
            const first = Object.keys(keys).slice(0, by.length);
            return by.every((field) => first.includes(field));
          });
          return why.length < 10 || !(served || (by.length === 0 && indexes.has(collection)));
        })
        .map(({ by }) => `${collection}: ${by.join()}`),
    );
    expect(issues).toEqual([]);
  });
});
