import { expect, test } from '@jest/globals';
import { createOperationCache } from './operation-cache.ts';

type Key = readonly [document: string, operationName: string | null, variant?: string | undefined];

test('keeps operations apart, however their documents and names look', async () => {
  const cache = createOperationCache<Key>({ entries: 100, bytes: 100_000, sizeOf: () => 0 });
  const keys: readonly Key[] = [
    ['query A { a }', null],
    ['query A { a }', 'A'],
    ['A\nquery A { a }', null],
    ['\0"A"\nquery A { a }', null],
    ['\0null\nquery A { a }', null],
    ['query A { a }', 'null'],
    ['query A { a }', null, 'FORBIDDEN 0'],
    ['query A { a }', 'A', 'FORBIDDEN 0'],
    ['query A { a }', 'A', 'FORBIDDEN 0,1'],
    ['A\nB', 'A'],
    ['B', 'A\nA'],
  ];
  const all = (make: (key: Key) => Promise<Key>) =>
    Promise.all(
      keys.map(([document, name, variant]) =>
        cache.get(document, name, () => make([document, name, variant]), variant),
      ),
    );
  const expected = keys.map(([document, name, variant]) => [document, name, variant]);
  expect(await all(async (key) => key)).toEqual(expected);
  expect(await all(async () => ['made again', null])).toEqual(expected);
});
