import { describe, expect, test } from '@jest/globals';
import type { Connection } from './connection.ts';
import { mergePages } from './merge-pages.ts';
import type { Page } from './paginate.ts';

interface Row {
  readonly createdAt: Date;
  readonly id: string;
}

const row = (time: number, id: string): Row => ({ createdAt: new Date(time), id });
const nameOf = ({ createdAt, id }: Row) => `${createdAt.getTime()}${id}`;
const newestFirst = (one: Row, other: Row) =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);

const LISTS: readonly (readonly Row[])[] = [
  [row(9, 'a'), row(7, 'a'), row(5, 'a'), row(5, 'c')],
  [row(8, 'b'), row(7, 'b'), row(1, 'b')],
  [],
  [row(7, 'd')],
];
const ALL = LISTS.flat().toSorted(newestFirst).map(nameOf);

/** A page of one list as `paginate` reads it; the cursor is the place. */
function pageOf(list: readonly Row[], { first, after, last, before }: Page): Connection<Row> {
  const places = [...ALL];
  const at = (cursor: string | null | undefined, none: number) => (cursor ? places.indexOf(cursor) : none);
  const within = list
    .toSorted(newestFirst)
    .filter((one) => places.indexOf(nameOf(one)) > at(after, -1))
    .filter((one) => places.indexOf(nameOf(one)) < at(before, places.length));
  const size = first ?? last ?? 20;
  const rows = last == null ? within.slice(0, size) : within.slice(-size);
  const hasMore = within.length > size;
  return {
    edges: rows.map((node) => ({ node, cursor: nameOf(node) })),
    nodes: rows,
    pageInfo: {
      hasNextPage: last == null ? hasMore : Boolean(before),
      hasPreviousPage: last == null ? Boolean(after) : hasMore,
      startCursor: null,
      endCursor: null,
    },
    count: async () => list.length,
  };
}

const merged = (page: Page) =>
  mergePages(
    LISTS.map((list) => pageOf(list, page)),
    page,
    (one) => one,
  );

describe('Pages of several lists', () => {
  test.each([1, 2, 3, 7, 20])('are one list from its start, %i at a time', async (first) => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page: Connection<Row> = merged({ first, after });
      seen.push(...page.nodes.map(nameOf));
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
      expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor);
      ({ endCursor: after, hasNextPage: more } = page.pageInfo);
      expect(await page.count()).toBe(ALL.length);
    }
    expect(seen).toEqual(ALL);
  });

  test.each([1, 3, 5])('are one list from its end, %i at a time', (last) => {
    const seen: string[] = [];
    let before: string | null = null;
    for (let more = true; more; ) {
      const page: Connection<Row> = merged({ last, before });
      seen.unshift(...page.nodes.map(nameOf));
      ({ startCursor: before, hasPreviousPage: more } = page.pageInfo);
    }
    expect(seen).toEqual(ALL);
  });

  test('take the sizes that every list takes', () => {
    expect(() => mergePages([], { first: 101 }, (one: Row) => one)).toThrow('1 to 100');
    expect(mergePages([], { first: 5 }, (one: Row) => one)).toMatchObject({ edges: [], nodes: [] });
  });
});
