import type { Model, QueryFilter } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { toDocument } from '../kernel/database/document.ts';
import { atOrAfter, atOrBefore } from '../kernel/database/time-bounds.ts';
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

/** The fields of every listed document: a time to sort by and an id to break ties. */
interface Listed {
  _id: string;
  createdAt: Date;
}

/** Times that documents are listed by. */
export type SortField = 'createdAt' | 'updatedAt';

/** The order of a list; ties are broken by the id, in the same direction. */
export interface Order {
  readonly field: SortField;
  readonly direction: 'asc' | 'desc';
}

const NEWEST_FIRST: Order = { field: 'createdAt', direction: 'desc' };

/**
 * One page by keyset on (the order's field, _id): stable while records are added. The filter must name the account; the
 * caller declares the index (…filter, field, _id).
 * @throws GraphQLError BAD_USER_INPUT for sizes out of 1 to 100 or first with last, INVALID_CURSOR for a bad cursor or
 *   one of another order
 */
export function paginate<Document extends Listed, Node>(
  model: Model<Document>,
  filter: QueryFilter<Document> & { accountId: AccountId },
  page: Page,
  present: (document: Document) => Node,
  order: Order = NEWEST_FIRST,
): Promise<Connection<Node>> {
  return paginateAll<Document, Node>(model, filter, page, present, order);
}

/** The same over all accounts, for the platform's operators only. @throws GraphQLError as {@link paginate} */
export async function paginateAll<Document extends Listed, Node>(
  model: Model<Document>,
  filter: QueryFilter<Document>,
  page: Page,
  present: (document: Document) => Node,
  order: Order = NEWEST_FIRST,
): Promise<Connection<Node>> {
  const { size, backward } = readSize(page);
  const isDescending = order.direction === 'desc';
  const bounds = [
    keyset(page.after, order, isDescending ? '$lt' : '$gt'),
    keyset(page.before, order, isDescending ? '$gt' : '$lt'),
  ].flatMap((bound) => bound ?? []);
  const direction = isDescending === backward ? 1 : -1;
  const query = bounds.length === 0 ? filter : toDocument({ $and: [filter, ...bounds] });
  const found = await model
    .find(query)
    .sort({ [order.field]: direction, _id: direction })
    .limit(size + 1)
    .lean<Document[]>();
  const hasMore = found.length > size;
  const documents = backward ? found.slice(0, size).reverse() : found.slice(0, size);
  const edges = documents.map((document) => ({
    cursor: toCursor(document, order),
    node: present(document),
  }));
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

/** The size of a page, and from which end. @throws GraphQLError BAD_USER_INPUT for sizes out of 1 to 100, or first with last */
export function readSize({ first, last }: Page): { size: number; backward: boolean } {
  if (first != null && last != null) {
    throw graphqlError('BAD_USER_INPUT', 'Give first or last, not both.');
  }
  const size = first ?? last ?? DEFAULT_SIZE;
  if (size < 1 || size > LARGEST) {
    throw graphqlError('BAD_USER_INPUT', `first and last take 1 to ${LARGEST}.`);
  }
  return { size, backward: last != null };
}

/** A range of the index, and within it what lies on the right side of the cursor among records of the same time. */
function keyset(
  cursor: string | null | undefined,
  { field }: Order,
  operator: '$lt' | '$gt',
): object | undefined {
  if (cursor == null) {
    return undefined;
  }
  const { time, id } = fromCursor(cursor, field);
  const reach = operator === '$gt' ? atOrAfter(time) : atOrBefore(time);
  return { [field]: reach, $or: [{ [field]: { [operator]: time } }, { _id: { [operator]: id } }] };
}

function toCursor(document: Listed & { updatedAt?: Date }, { field }: Order): string {
  return Buffer.from(`${field}:${document[field]?.getTime()}:${document._id}`).toString('base64url');
}

function fromCursor(cursor: string, wanted: SortField): { time: Date; id: string } {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, field, time, id] = /^(\w+):(\d{1,15}):(.+)$/s.exec(text) ?? [];
  if (field !== wanted || time === undefined || id === undefined) {
    throw graphqlError('INVALID_CURSOR');
  }
  return { time: new Date(Number(time)), id };
}
