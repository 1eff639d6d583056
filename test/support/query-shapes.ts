import type { Connection } from 'mongoose';

/** A read or a filtered write, as sent to the database. */
export interface StoreQuery {
  readonly collection: string;
  readonly method: string;
  readonly filter: Readonly<Record<string, unknown>>;
  /** Fields and directions, in order. */
  readonly sort: readonly (readonly [field: string, direction: number])[];
}

/** An index as a schema declares it: its keys in order, and its options. */
export type DeclaredIndex = readonly [
  keys: Readonly<Record<string, unknown>>,
  options: {
    readonly unique?: boolean;
    readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
  },
];

const FILTERED = new Set([
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'countDocuments',
  'distinct',
  'replaceOne',
]);

type Filter = Readonly<Record<string, unknown>>;

/** Records the queries of the connection's collections from now on. */
export function recordQueries(connection: Connection): readonly StoreQuery[] {
  const queries: StoreQuery[] = [];
  connection.set('debug', (collection: string, method: string, ...args: unknown[]) => {
    queries.push(...queriesOf(method, args).map((query) => ({ collection, method, ...query })));
  });
  return queries;
}

function queriesOf(method: string, args: readonly unknown[]): Pick<StoreQuery, 'filter' | 'sort'>[] {
  if (method === 'aggregate') {
    const stages = args[0] as readonly { $match?: Filter; $sort?: object }[];
    return [{ filter: stages[0]?.$match ?? {}, sort: sortOf(stages.find(({ $sort }) => $sort)?.$sort) }];
  }
  if (method === 'bulkWrite') {
    const writes = args[0] as readonly Readonly<Record<string, { filter?: Filter }>>[];
    return writes
      .flatMap((write) => Object.values(write))
      .flatMap(({ filter }) => (filter === undefined ? [] : [{ filter, sort: [] }]));
  }
  if (!FILTERED.has(method)) {
    return [];
  }
  const filter = (method === 'distinct' ? args[1] : args[0]) as Filter | undefined;
  const options = args.slice(1).find((arg) => typeof arg === 'object' && arg !== null && 'sort' in arg);
  return [{ filter: filter ?? {}, sort: sortOf((options as { sort?: object } | undefined)?.sort) }];
}

function sortOf(sort: object | undefined): [string, number][] {
  const entries = sort instanceof Map ? [...sort.entries()] : Object.entries(sort ?? {});
  return entries.map(([field, direction]) => [String(field), Number(direction)]);
}

/** The conditions of a filter on its fields. */
interface Conditions {
  /** Fields with one value, or one of several. */
  readonly equal: ReadonlySet<string>;
  readonly ranged: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, unknown>;
}

/** Conditions that hold at once; `$or` only narrows what the others found, unless it stands alone. */
function conditionsOf(filter: Filter): Conditions {
  const equal = new Set<string>();
  const ranged = new Set<string>();
  const values = new Map<string, unknown>();
  const read = (part: Filter): void => {
    for (const [field, condition] of Object.entries(part)) {
      if (field === '$and') {
        (condition as Filter[]).forEach(read);
      } else if (!field.startsWith('$')) {
        (isEquality(condition) ? equal : ranged).add(field);
        values.set(field, condition);
      }
    }
  };
  read(filter);
  for (const field of equal) {
    ranged.delete(field);
  }
  return { equal, ranged, values };
}

function isEquality(condition: unknown): boolean {
  const isOperators =
    typeof condition === 'object' &&
    condition !== null &&
    Object.getPrototypeOf(condition) === Object.prototype &&
    Object.keys(condition).some((key) => key.startsWith('$'));
  return !isOperators || '$in' in (condition as object) || '$eq' in (condition as object);
}

/**
 * Looks for queries that no index serves of those that the connection's models declare.
 * @param selective by collection, as {@link whyNotServed} takes them
 * @returns a line for each kind of query
 */
export function findUnserved(
  { models }: Connection,
  queries: readonly StoreQuery[],
  selective: Readonly<Record<string, readonly string[]>>,
): string[] {
  const declared = new Map(
    Object.values(models).map((model) => [model.collection.name, model.schema.indexes()]),
  );
  const unserved = queries.flatMap((query) => {
    const indexes = declared.get(query.collection);
    const reason =
      indexes === undefined || isOfJob(query)
        ? undefined
        : whyNotServed(query, indexes as unknown as readonly DeclaredIndex[], selective[query.collection]);
    return reason === undefined ? [] : `${query.collection}.${query.method}: ${reason}`;
  });
  return [...new Set(unserved)];
}

/**
 * Jobs in the background step through the endpoints that have webhooks due, a page of each, or due too far ahead, in the order
 * of the index of claims.
 */
function isOfJob({ collection, filter, sort }: StoreQuery): boolean {
  const order = sort.map(([field]) => field).join();
  // The due deliveries of one endpoint, of first attempts and later ones, longest due first.
  const isOfEndpoint = 'endpoint' in filter && order === 'nextAttemptAt';
  return collection === 'webhookDeliveries' && (order === 'endpoint,attempt,nextAttemptAt' || isOfEndpoint);
}

/** Indexes that find one document at most although they are not unique: claims make the values so (unique-values.ts). */
const CLAIMED: readonly string[] = [
  'accountId,code',
  'accountId,emailKey',
  'accountId,operationId',
  'accountId,phoneKey',
  'accountId,referenceId',
];

/** Why no index serves a query; undefined when one does. `selective` fields leave so little that the rest may be looked through. */
export function whyNotServed(
  { filter, sort }: Pick<StoreQuery, 'filter' | 'sort'>,
  indexes: readonly DeclaredIndex[],
  selective: readonly string[] = [],
): string | undefined {
  const { $or } = filter;
  if (Array.isArray($or) && Object.keys(filter).length === 1) {
    const reasons = $or.map((branch) => whyNotServed({ filter: branch as Filter, sort }, indexes, selective));
    return reasons.find((reason) => reason !== undefined);
  }
  const conditions = conditionsOf(filter);
  const all: readonly DeclaredIndex[] = [[{ _id: 1 }, { unique: true }], ...indexes];
  return all.some((index) => serves(index, conditions, sort, selective))
    ? undefined
    : `no index serves ${JSON.stringify([...conditions.equal])} ranges ${JSON.stringify([...conditions.ranged])} sort ${JSON.stringify(sort)}`;
}

function serves(
  [keys, { unique, partialFilterExpression }]: DeclaredIndex,
  { equal, ranged, values }: Conditions,
  sort: StoreQuery['sort'],
  selective: readonly string[],
): boolean {
  const implied = Object.entries(partialFilterExpression ?? {});
  if (!implied.every(([field, value]) => implies(values.get(field), value))) {
    return false;
  }
  const fields = Object.keys(keys);
  const findsOne = unique === true || CLAIMED.includes(fields.join());
  if (findsOne && fields.every((field) => equal.has(field))) {
    return true;
  }
  const covered = new Set(implied.map(([field]) => field));
  const rest = [...fields];
  while (rest[0] !== undefined && equal.has(rest[0]) && rest[0] !== sort[0]?.[0]) {
    covered.add(rest.shift() as string);
  }
  if (!sortsBy(rest, keys, sort)) {
    return false;
  }
  const [next] = rest;
  if (next !== undefined && (ranged.has(next) || equal.has(next))) {
    covered.add(next);
  }
  const residual = [...equal, ...ranged].filter((field) => !covered.has(field));
  return covered.size > 0 && (residual.length === 0 || selective.some((field) => covered.has(field)));
}

/** Whether the condition of a query on a field meets that of a partial index. */
function implies(condition: unknown, expected: unknown): boolean {
  const wanted = JSON.stringify(expected);
  return wanted === '{"$exists":true}'
    ? condition !== undefined && condition !== null && (isEquality(condition) || isComparison(condition))
    : JSON.stringify(condition) === wanted;
}

/** Whether only what has the field meets it. */
function isComparison(condition: unknown): boolean {
  return ['$gt', '$gte', '$lt', '$lte'].some((operator) => operator in (condition as object));
}

/** Whether the index, read one way or the other, is in the wanted order. */
function sortsBy(
  rest: readonly string[],
  keys: Readonly<Record<string, unknown>>,
  sort: StoreQuery['sort'],
): boolean {
  const ways = sort.map(
    ([field, direction], index) => rest[index] === field && direction * Number(keys[field]),
  );
  return ways.every((way) => way !== false && way === ways[0]);
}
