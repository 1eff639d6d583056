import {
  type Conditions,
  type Filter,
  flatten,
  implies,
  isSame,
  readConditions,
} from './query-conditions.ts';

/** A read or a filtered write, as sent to the database. */
export interface StoreQuery {
  readonly collection: string;
  /** The command, such as `find`; `updateMany` and `deleteMany` for writes of all documents that match. */
  readonly method: string;
  readonly filter: Filter;
  /** Fields and directions, in order. */
  readonly sort: readonly (readonly [field: string, direction: number])[];
  /** Whether the database stops after a number of documents. */
  readonly isLimited?: boolean;
  /** Fields that the result is made of, besides those of the filter; absent: whole documents. */
  readonly fields?: readonly string[];
}

/** An index as a schema declares it: its keys in order, and its options. */
export type DeclaredIndex = readonly [
  keys: Readonly<Record<string, unknown>>,
  options: {
    readonly unique?: boolean;
    readonly sparse?: boolean;
    readonly partialFilterExpression?: Filter;
  },
];

/** Fields whose values leave so few documents of a collection that the database may look through them; none: it has few. */
export interface Bound {
  readonly by: readonly string[];
  /** The fields of the one filter that it holds for; absent: it holds for every query. */
  readonly only?: readonly string[];
  readonly why: string;
}

/** The index that serves a query, such as `accountId, createdAt-`, and how. */
export interface Served {
  readonly index: string;
  readonly remark: string;
}

type Verdict = Served | { readonly unserved: string };

type Shape = Pick<StoreQuery, 'filter' | 'sort' | 'isLimited' | 'fields'>;

/** The number of ranges of one index that MongoDB merges for an order (`internalQueryMaxScansToExplode`). */
const MOST_RANGES = 200;

/**
 * Judges a query as MongoDB's planner serves it, from its documented rules. An index counts when the query bounds its first
 * field, or when it gives the order of a query with a limit; a partial one only when the query implies its condition. `$or` needs
 * an index for each branch. A sort that no index gives, and conditions that only documents answer, need a {@link Bound}.
 */
export function judge(query: Shape, indexes: readonly DeclaredIndex[], bounds: readonly Bound[]): Verdict {
  const conditions = readConditions(query.filter);
  const { points, ranges, named, alternatives } = conditions;
  const holding = bounds.filter(
    ({ only }) => only === undefined || isSame([...only].sort(), [...named].sort()),
  );
  const all: readonly DeclaredIndex[] = [[{ _id: 1 }, { unique: true }], ...indexes];
  const [best] = all
    .flatMap((index) => judgeIndex(query, conditions, index, holding) ?? [])
    .sort((one, other) => other.rank - one.rank);
  if (best) {
    return best.served;
  }
  const ofBranches = alternatives.map((group) => judgeBranches(query, group, indexes, bounds));
  const few = holding.find(({ by }) => by.length === 0);
  const served = ofBranches.find((one) => one !== undefined) ?? (few && { index: '', remark: few.why });
  if (served) {
    return served;
  }
  const isOfFirst = named.size === 0 && query.sort.length === 0 && query.isLimited === true;
  const order = query.sort.map(([field, direction]) => `${field} ${direction}`).join(', ');
  return isOfFirst
    ? { index: '', remark: 'the first documents' }
    : {
        unserved: `no index serves equal [${[...points.keys()]}] ranges [${[...ranges]}] sort [${order}]`,
      };
}

/** `$or`: MongoDB uses an index for each branch, or none at all. */
function judgeBranches(
  query: Shape,
  group: readonly Filter[],
  indexes: readonly DeclaredIndex[],
  bounds: readonly Bound[],
): Served | undefined {
  const shared = flatten(query.filter)
    .filter(([, condition]) => condition !== group)
    .map((entry) => Object.fromEntries([entry]));
  const verdicts = group.map((branch) =>
    judge({ ...query, filter: { $and: [...shared, branch] } }, indexes, bounds),
  );
  const served = verdicts.flatMap((one) => ('unserved' in one ? [] : [one]));
  const names = new Set(served.map(({ index }) => index));
  return served.length < verdicts.length
    ? undefined
    : { index: [...names].join('; '), remark: 'each branch by its index' };
}

interface Ranked {
  readonly served: Served;
  readonly rank: number;
}

/** The part of a query that an index answers. */
interface Match {
  readonly isUnique: boolean;
  /** Fields that bound the part of the index that is read. */
  readonly bounded: ReadonlySet<string>;
  /** Conditions that all entries meet. */
  readonly implied: ReadonlySet<string>;
  /** The fields of all other conditions. */
  readonly others: readonly string[];
  /** How the index gives the order; undefined when the database has to sort. */
  readonly order: string | undefined;
  readonly isCovered: boolean;
}

function judgeIndex(
  query: Shape,
  conditions: Conditions,
  index: DeclaredIndex,
  bounds: readonly Bound[],
): Ranked | undefined {
  const match = matchOf(query, conditions, index);
  if (!match) {
    return undefined;
  }
  const { isUnique, bounded, implied, others, order, isCovered } = match;
  const name = nameOf(index[0]);
  const read = (remark: string, rank: number): Ranked => ({ served: { index: name, remark }, rank });
  if (isUnique) {
    return read('one document for each value', 1_000);
  }
  const rank =
    10 * bounded.size - others.length + (isCovered ? 5 : 0) + (order === undefined ? 0 : 3) + implied.size;
  if (isServed(query, match, index)) {
    const remarks = [
      isCovered ? 'covered' : '',
      order,
      bounded.size > 0 ? '' : 'in its order, up to the limit',
      others.length > 0 ? `checks ${others.join(', ')} in the index` : '',
    ];
    return read(remarks.filter(Boolean).join('; '), rank + 100);
  }
  const few = bounds.find(
    ({ by }) => by.length > 0 && by.every((field) => isNarrow(field, match, conditions)),
  );
  return few && read(`${few.why}; ${workIn(match)}`, rank);
}

function isServed(
  { sort, isLimited }: Shape,
  { bounded, others, order }: Match,
  [keys]: DeclaredIndex,
): boolean {
  if (order === undefined || others.some((field) => !(field in keys))) {
    return false;
  }
  // Without a limit, all that the first fields leave would be looked at, and few of it taken.
  return bounded.size > 0
    ? others.length === 0 || isLimited === true
    : others.length === 0 && isLimited === true && sort.length > 0;
}

/** Whether a field bounds what is read, by values or on both sides. */
function isNarrow(field: string, { bounded, implied }: Match, { points, spans }: Conditions): boolean {
  return implied.has(field) || (bounded.has(field) && (points.has(field) || spans.has(field)));
}

function workIn({ others, order }: Match): string {
  const parts = [
    ...(others.length > 0 ? [`looks at ${others.join(', ')}`] : []),
    ...(order === undefined ? ['sorts'] : []),
  ];
  return `${parts.join(' and ')} in them`;
}

/** Indexes that find one document at most although they are not unique: claims make the values so (unique-values.ts). */
const CLAIMED: readonly string[] = [
  'accountId,code',
  'accountId,emailKey',
  'accountId,phoneKey',
  'accountId,referenceId',
];

/** The part of a query that an index answers; undefined when the planner does not consider it. */
function matchOf(
  { sort, fields: read }: Shape,
  { points, ranges, named, all }: Conditions,
  [keys, { unique, sparse, partialFilterExpression: partial = {} }]: DeclaredIndex,
): Match | undefined {
  const fields = Object.keys(keys);
  const present = Object.fromEntries(fields.map((field) => [field, { $exists: true }]));
  const isConsidered = Object.entries({ ...partial, ...(sparse ? present : {}) }).every(([field, wanted]) =>
    all.some(([name, condition]) => name === field && implies(condition, wanted)),
  );
  if (!isConsidered) {
    return undefined;
  }
  const end = fields.findIndex((field) => !points.has(field));
  const equal = end === -1 ? fields : fields.slice(0, end);
  const next = fields[equal.length];
  const bounded = new Set([...equal, ...(next !== undefined && ranges.has(next) ? [next] : [])]);
  const implied = new Set(
    Object.entries(partial)
      .filter(([field, wanted]) => all.every(([name, own]) => name !== field || isSame(own, wanted)))
      .map(([field]) => field),
  );
  return {
    isUnique: (unique === true || CLAIMED.includes(fields.join())) && equal.length === fields.length,
    bounded,
    implied,
    others: [...named].filter((field) => !bounded.has(field) && !implied.has(field)).sort(),
    order: orderOf(sort, keys, points),
    // MongoDB looks into the document for a field that only the condition of the index has.
    isCovered: read !== undefined && [...named, ...read].every((one) => fields.includes(one)),
  };
}

function orderOf(
  sort: StoreQuery['sort'],
  keys: DeclaredIndex[0],
  points: ReadonlyMap<string, number>,
): string | undefined {
  const wanted = [...sort];
  const ways = new Set<number>();
  let ranges = 1;
  for (const [field, direction] of Object.entries(keys)) {
    const [first] = wanted;
    if (first?.[0] === field) {
      ways.add(first[1] * Number(direction));
      wanted.shift();
    } else if (first !== undefined) {
      // A field of several values is a range for each, which MongoDB merges; one without a value breaks the order.
      ranges *= points.get(field) ?? Number.POSITIVE_INFINITY;
    }
  }
  if (wanted.length > 0 || ways.size > 1 || ranges > MOST_RANGES) {
    return undefined;
  }
  return sort.length > 0 && ranges > 1 ? 'merges sorted ranges' : '';
}

/** The keys of an index, such as `accountId, createdAt-`. */
export function nameOf(keys: DeclaredIndex[0]): string {
  return Object.entries(keys)
    .map(([field, direction]) => `${field}${direction === -1 ? '-' : ''}`)
    .join(', ');
}
