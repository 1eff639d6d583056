import { describe, expect, test } from '@jest/globals';
import { createOperationCache } from './operation-cache.ts';

type Key = readonly [document: string, operationName: string | null, variant?: string | undefined];

test('distinguishes operations with similar documents and names', async () => {
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

describe('many different operations', () => {
  const OPERATIONS = 10_000;
  const MEGABYTE = 1024 * 1024;

  test('are forgotten, except the last', async () => {
    let made = 0;
    const cache = createOperationCache<{ readonly id: number }>({
      entries: 100,
      bytes: MEGABYTE,
      sizeOf: () => 0,
    });
    const get = async (id: number) => {
      await cache.get(`{ a${id}: user { id } }`, null, async () => {
        made += 1;
        return { id };
      });
    };
    for (let id = 0; id < OPERATIONS; id++) {
      await get(id);
    }
    expect(made).toBe(OPERATIONS);
    for (let id = OPERATIONS - 100; id < OPERATIONS; id++) {
      await get(id);
    }
    expect(made).toBe(OPERATIONS);
    await get(OPERATIONS - 101);
    expect(made).toBe(OPERATIONS + 1);
  });

  test('are also dropped by their memory; an operation that is larger than the limit is not kept', async () => {
    let made = 0;
    const cache = createOperationCache<object>({ entries: 1_000, bytes: 20_000, sizeOf: () => 100 });
    const get = async (text: string) => {
      await cache.get(text, null, async () => {
        made += 1;
        return {};
      });
    };
    const long = (id: number) => `# ${id} ${'x'.repeat(1_000)}`;
    for (let id = 0; id < 20; id++) {
      await get(long(id));
    }
    await get(long(19));
    expect(made).toBe(20);
    await get(long(0));
    expect(made).toBe(21);
    await get('y'.repeat(20_000));
    await get('y'.repeat(20_000));
    expect(made).toBe(23);
  });
});
