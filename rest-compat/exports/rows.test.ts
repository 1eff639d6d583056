import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ListPage } from './columns.ts';
import { createRows } from './rows.ts';

const PAGE = 100;
const list = { columns: { number: 'number', note: 'more.note' } };
const more = { note: 'x'.repeat(1_000) };

/** A list of this many numbers, which records its reads. */
function listOf(count: number) {
  const reads: string[] = [];
  const pageFrom = (start: number): ListPage => {
    const numbers = Array.from({ length: Math.min(PAGE, count - start) }, (_, index) => start + index);
    const last = start + numbers.length;
    return {
      edges: numbers.map((number) => ({ node: { number, more }, cursor: `c${number}` })),
      pageInfo: { hasNextPage: last < count, endCursor: numbers.length > 0 ? `c${last - 1}` : null },
    };
  };
  return {
    reads,
    rows: (limit: number, fail?: string) =>
      createRows({
        list,
        limit,
        first: pageFrom(0),
        readPage: async (after) => {
          reads.push(after);
          if (after === fail) {
            throw new Error('The graph is away');
          }
          return pageFrom(Number(after.slice(1)) + 1);
        },
      }),
  };
}

const numbersOf = (csv: string) => csv.split('\r\n').map((line) => line.split(',')[0]?.replaceAll('"', ''));

afterEach(() => void jest.useRealTimers());

describe('The rows of an export', () => {
  test('are those of all pages, each once, below their names', async () => {
    const { rows, reads } = listOf(250);
    const csv = await text(rows(100_000));
    expect(numbersOf(csv)).toEqual([
      'number',
      ...Array.from({ length: 250 }, (_, index) => String(index)),
      '',
    ]);
    expect(csv.split('\r\n')[0]).toBe('"number","note","cursor"');
    expect(csv).toMatch(/\r\n"249","x+","c249"\r\n$/);
    expect(reads).toEqual(['c99', 'c199']);
  });

  test.each([1, 100, 101])('end after the requested number: %p', async (limit) => {
    const { rows, reads } = listOf(250);
    expect(numbersOf(await text(rows(limit)))).toHaveLength(limit + 2);
    expect(reads).toHaveLength(limit > 100 ? 1 : 0);
  });

  test('are only the names when there are no records', async () => {
    expect(await text(listOf(0).rows(10))).toBe('"number","note","cursor"\r\n');
  });

  test('are not read ahead of their reader', async () => {
    const { rows, reads } = listOf(100_000);
    const body = rows(100_000);
    await once(body, 'readable');
    for (let count = 0; count < 200; count += 1) {
      await turn();
    }
    expect(reads.length).toBeLessThanOrEqual(1);
    body.destroy();
  });

  test('are no longer read when their reader has gone', async () => {
    const { rows, reads } = listOf(100_000);
    const body = rows(100_000);
    for await (const _part of body) {
      if (reads.length >= 3) {
        break;
      }
    }
    const read = reads.length;
    for (let count = 0; count < 50; count += 1) {
      await turn();
    }
    expect(body.destroyed).toBe(true);
    expect(reads.length).toBeLessThanOrEqual(read + 1);
  });

  test('end when their reader takes nothing for a minute, and not before', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const { rows, reads } = listOf(100_000);
    const body = rows(100_000);
    const failed = jest.fn();
    body.on('error', failed);
    await once(body, 'readable');
    for (let pages = 0; pages < 10; pages += 1) {
      body.read();
      jest.advanceTimersByTime(59_000);
      await turn();
    }
    expect(reads.length).toBeGreaterThan(5);
    expect(body.destroyed).toBe(false);
    jest.advanceTimersByTime(60_000);
    await turn();
    expect([body.destroyed, failed.mock.calls]).toEqual([
      true,
      [[new Error('The reader of the export takes nothing')]],
    ]);
  });

  test('end with an error when a page cannot be read', async () => {
    await expect(text(listOf(250).rows(100_000, 'c199'))).rejects.toThrow('The graph is away');
  });
});
