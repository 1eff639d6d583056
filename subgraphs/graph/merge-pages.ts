import type { Connection } from './connection.ts';
import { type Page, readSize } from './paginate.ts';

/** The place of a record in a list, newest first; ties are broken by the id, as {@link paginate} does. */
interface Place {
  readonly createdAt: Date;
  /** The `_id` of the document. */
  readonly id: string;
}

/**
 * A page of several lists as one list, newest first. Each part is the same page of its own list, in this order: the cursors of
 * one list hold for the others too, as they are times and ids.
 */
export function mergePages<Node>(
  parts: readonly Connection<Node>[],
  page: Page,
  placeOf: (node: Node) => Place,
): Connection<Node> {
  const { size, backward } = readSize(page);
  const all = parts
    .flatMap(({ edges }) => edges)
    .toSorted((one, other) => newestFirst(placeOf(one.node), placeOf(other.node)));
  const edges = backward ? all.slice(-size) : all.slice(0, size);
  const hasMore = (name: 'hasNextPage' | 'hasPreviousPage') =>
    all.length > size || parts.some(({ pageInfo }) => pageInfo[name]);
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: backward ? Boolean(page.before) : hasMore('hasNextPage'),
      hasPreviousPage: backward ? hasMore('hasPreviousPage') : Boolean(page.after),
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    count: async () =>
      (await Promise.all(parts.map(({ count }) => count()))).reduce((sum, one) => sum + one, 0),
  };
}

/** Ids are compared by their bytes, as the database compares them. */
function newestFirst(one: Place, other: Place): number {
  return (
    other.createdAt.getTime() - one.createdAt.getTime() ||
    Buffer.compare(Buffer.from(other.id), Buffer.from(one.id))
  );
}
