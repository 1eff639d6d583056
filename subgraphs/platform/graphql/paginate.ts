import type { Model, QueryFilter } from 'mongoose';
import { graphqlError } from './authorize.ts';
import type { Connection } from './connection.ts';

const DEFAULT_SIZE = 20;
const LARGEST = 100;

/** Relay's paging arguments. */
export interface Page {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** What every listed document has: a time to sort by and an id to break ties. */
interface Listed {
  _id: string;
  createdAt: Date;
}

/**
 * One page, newest first, by keyset on (createdAt, _id): stable while records are added. The filter must name the
 * tenant; the caller declares the index (…filter, createdAt, _id).
 * @throws GraphQLError BAD_USER_INPUT for sizes out of 1 to 100 or first with last, INVALID_CURSOR for a bad cursor
 */
export async function paginate<Document extends Listed, Node>(
  model: Model<Document>,
  filter: QueryFilter<Document> & { tenantId: string },
  page: Page,
  present: (document: Document) => Node,
): Promise<Connection<Node>> {
  const { size, backward } = readSize(page);
  const bounds = [keyset(page.after, '$lt'), keyset(page.before, '$gt')].filter(
    (bound) => bound !== undefined,
  );
  const direction = backward ? 1 : -1;
  const query = { $and: [filter, ...bounds] } as QueryFilter<Document>;
  const found = (await model
    .find(query)
    .sort({ createdAt: direction, _id: direction })
    .limit(size + 1)
    .lean()) as Document[];
  const hasMore = found.length > size;
  const documents = backward ? found.slice(0, size).reverse() : found.slice(0, size);
  const edges = documents.map((document) => ({ cursor: toCursor(document), node: present(document) }));
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      hasNextPage: backward ? Boolean(page.before) : hasMore,
      hasPreviousPage: backward ? hasMore : Boolean(page.after),
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    count: () => model.countDocuments(filter).exec(),
  };
}

function readSize({ first, last }: Page): { size: number; backward: boolean } {
  if (first != null && last != null) {
    throw graphqlError('BAD_USER_INPUT', 'Give first or last, not both.');
  }
  const size = first ?? last ?? DEFAULT_SIZE;
  if (size < 1 || size > LARGEST) {
    throw graphqlError('BAD_USER_INPUT', `first and last take 1 to ${LARGEST}.`);
  }
  return { size, backward: last != null };
}

function keyset(cursor: string | null | undefined, operator: '$lt' | '$gt'): object | undefined {
  if (cursor == null) {
    return undefined;
  }
  const { createdAt, id } = fromCursor(cursor);
  return { $or: [{ createdAt: { [operator]: createdAt } }, { createdAt, _id: { [operator]: id } }] };
}

function toCursor({ createdAt, _id }: Listed): string {
  return Buffer.from(`${createdAt.getTime()}:${_id}`).toString('base64url');
}

function fromCursor(cursor: string): { createdAt: Date; id: string } {
  const [, time, id] = /^(\d{1,15}):(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) {
    throw graphqlError('INVALID_CURSOR');
  }
  return { createdAt: new Date(Number(time)), id };
}
