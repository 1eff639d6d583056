import { LRUCache } from 'lru-cache';
import type { Model, QueryFilter } from 'mongoose';
import { type AccountId, environmentOf } from '../account.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { mapAtOnce } from '../map-at-once.ts';
import { isRecord } from '../objects.ts';
import { atOrAfter } from './time-bounds.ts';
import {
  MOST_TOTALS,
  mergeTotals,
  readTotals,
  type Total,
  type TotalsDivision,
  type TotalsFields,
} from './totals.ts';

const DAY_MS = 86_400_000;
/** Days of one span of older documents. */
const SPAN_DAYS = 32;
/** Spans of older documents; what is older still is one span more. */
const MOST_SPANS = 24;
/** So many days before today have a span each: documents of these still change. */
const SINGLE_DAYS = 14;
/**
 * A change shows in the database at most this long after its `updatedAt`: a transaction lives for a minute, and clocks of
 * processes differ by seconds.
 */
const SETTLING_MS = 120_000;
/** A kept total is read again after this time, whatever `updatedAt` says: an import may set it to the past. */
const KEPT_MS = 3_600_000;
/** Totals of all partners that a process keeps, some 200 bytes each. */
const MOST_KEPT = 100_000;
/** Up to so many documents are summed as quickly as changes of them are looked for. */
const FEW = 2_000;
/** Most documents that may have changed since the last look. With more, it is as quick to sum all again. */
const MOST_CHANGED = 1_000;
/** Spans that are read at once. */
const READS_AT_ONCE = 4;

/** The fields of a document that totals need: an index serves `{ accountId, updatedAt }`, and each change sets `updatedAt`. */
interface Dated {
  readonly accountId: AccountId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Which documents. Totals by other conditions than status and a span of time are not kept. */
type TotalsFilter<T> = QueryFilter<T> & { readonly accountId: AccountId };

/** Sums documents like {@link readTotals}. */
export type ReadTotals<T> = (
  filter: TotalsFilter<T>,
  division: TotalsDivision,
) => Promise<Total[] | undefined>;

/** A span of `createdAt`: from the first time, before the second. Milliseconds. */
type Span = readonly [from: number, before: number];

/** The totals of a span as they were read. */
interface Kept {
  readonly span: Span;
  readonly totals: readonly Total[];
  /** All changes that showed by this time are in them. */
  asOf: number;
  /** A document of the account that was there then: only the reset of a sandbox removes documents, and it removes all. */
  readonly witness: string | undefined;
}

/** A span, and the key of its totals. */
interface Keyed {
  readonly span: Span;
  readonly key: string;
}

interface Deps<T> {
  readonly model: Model<T>;
  readonly fields: TotalsFields;
  readonly clock: () => Date;
  readonly kept: LRUCache<string, Kept>;
  /** The id of a document of each sandbox. */
  readonly witnesses: LRUCache<string, string>;
}

/**
 * Totals that stay fast as documents become many: those of past days are kept in memory, and read again when one of their
 * documents has changed since. Today's are always read. Every answer is as exact as a sum of all documents at its time. A
 * tenant of few documents, and a filter by more than status and time, is summed by the database alone.
 */
export function createTotalsReader<T extends Dated>({
  few = FEW,
  clock = () => new Date(),
  ...given
}: {
  readonly model: Model<T>;
  readonly fields: TotalsFields;
  /** Default: {@link FEW}. */
  readonly few?: number;
  readonly clock?: () => Date;
}): ReadTotals<T> {
  const kept = new LRUCache<string, Kept>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ totals }) => 1 + totals.length,
    ttl: KEPT_MS,
  });
  const deps = { ...given, clock, kept, witnesses: createBoundedCache<string>(MOST_KEPT, KEPT_MS) };
  const tenantsOfMany = createBoundedCache<true>(MOST_KEPT, KEPT_MS);
  return async (filter, division) => {
    const span = tenantsOfMany.has(filter.accountId) ? spanOf(filter) : undefined;
    if (span) {
      return readWithKept(deps, filter, span, division);
    }
    const totals = await readTotals(deps.model, filter, deps.fields, division);
    if (totals === undefined || totals.reduce((sum, { count }) => sum + count, 0) > few) {
      tenantsOfMany.set(filter.accountId, true);
    }
    return totals;
  };
}

/** The span of time that a filter is of; undefined for one by more than status and time. */
function spanOf(filter: Readonly<Record<string, unknown>>): Span | undefined {
  const { accountId, status, createdAt = {}, ...others } = filter;
  if (!isRecord(createdAt)) {
    return undefined;
  }
  const { $gt, $lt, ...more } = createdAt;
  const isPlain = [$gt, $lt].every((bound) => bound === undefined || bound instanceof Date);
  if (!isPlain || Object.keys(others).length + Object.keys(more).length > 0) {
    return undefined;
  }
  return [
    $gt instanceof Date ? $gt.getTime() + 1 : -Infinity,
    $lt instanceof Date ? $lt.getTime() : Infinity,
  ];
}

async function readWithKept<T extends Dated>(
  deps: Deps<T>,
  filter: TotalsFilter<T>,
  whole: Span,
  division: TotalsDivision,
): Promise<Total[] | undefined> {
  const closed = closedSpans(whole, deps.clock().getTime()).map((span) => ({
    span,
    key: JSON.stringify([filter.accountId, filter.status, division, ...span.map(String)]),
  }));
  const witness = await findWitness(deps, filter.accountId);
  const isWorthIt = await dropChanged(deps, filter.accountId, closed, witness);
  if (!isWorthIt) {
    return readTotals(deps.model, filter, deps.fields, division);
  }
  const read = (span: Span) => readTotals(deps.model, within(filter, span), deps.fields, division);
  const parts = await mapAtOnce(
    READS_AT_ONCE,
    [
      ...openSpans(
        whole,
        closed.map(({ span }) => span),
      ).map((span) => () => read(span)),
      ...closed.map((one) => () => readKept(deps, one, { read, witness })),
    ],
    (part) => part(),
  );
  return parts.includes(undefined) ? undefined : atMost(mergeTotals(parts.flatMap((part) => part ?? [])));
}

/** The parts of a span before and after the spans that can be kept: they are always read. */
function openSpans(whole: Span, closed: readonly Span[]): Span[] {
  const [first, last] = [closed[0], closed.at(-1)];
  const open: Span[] =
    first && last
      ? [
          [whole[0], first[0]],
          [last[1], whole[1]],
        ]
      : [whole];
  return open.filter(([from, before]) => from < before);
}

async function readKept<T>(
  { kept, clock }: Deps<T>,
  { key, span }: Keyed,
  {
    read,
    witness,
  }: {
    readonly read: (span: Span) => Promise<Total[] | undefined>;
    readonly witness: string | undefined;
  },
): Promise<readonly Total[] | undefined> {
  const found = kept.get(key);
  if (found) {
    return found.totals;
  }
  const asOf = clock().getTime();
  const totals = await read(span);
  if (totals) {
    kept.set(key, { span, totals, asOf, witness });
  }
  return totals;
}

function atMost(totals: Total[]): Total[] | undefined {
  return totals.length > MOST_TOTALS ? undefined : totals;
}

function within<T extends Dated>(filter: TotalsFilter<T>, [from, before]: Span): TotalsFilter<T> {
  const { createdAt: _whole, ...others } = filter;
  const createdAt = {
    ...(from === -Infinity ? {} : atOrAfter(new Date(from))),
    ...(before === Infinity ? {} : { $lt: new Date(before) }),
  };
  return Object.keys(createdAt).length > 0 ? { ...others, createdAt } : others;
}

/**
 * The spans of a time that can be kept, one behind the other, up to the end of the last day that is over: whole days, and
 * before the last {@link SINGLE_DAYS} of them spans of {@link SPAN_DAYS} days. They are the same for every time that holds
 * them, whenever it is read.
 */
export function closedSpans([from, before]: Span, now: number): Span[] {
  const day = (time: number, round: (days: number) => number, days = 1) =>
    round(time / (days * DAY_MS)) * days;
  const end = day(Math.min(before, now - SETTLING_MS), Math.floor);
  const lastLong = day((end - SINGLE_DAYS) * DAY_MS, Math.floor, SPAN_DAYS);
  const spans: Span[] = [];
  const oldest = lastLong - MOST_SPANS * SPAN_DAYS;
  let start = Math.max(oldest, day(from, Math.ceil));
  if (from < oldest * DAY_MS) {
    // Whatever time a client gives, there are not more spans for it.
    spans.push([from, oldest * DAY_MS]);
  }
  while (start < end) {
    const days = start % SPAN_DAYS === 0 && start < lastLong ? SPAN_DAYS : 1;
    spans.push([start * DAY_MS, (start + days) * DAY_MS]);
    start += days;
  }
  return spans;
}

/**
 * The id of a document of a sandbox, the same one as long as it is there: another one means that the sandbox was emptied.
 * Undefined where there is none, or documents are never removed.
 */
async function findWitness<T extends Dated>(
  { model, witnesses }: Deps<T>,
  accountId: AccountId,
): Promise<string | undefined> {
  if (environmentOf(accountId) !== 'sandbox') {
    return undefined;
  }
  const former = witnesses.get(accountId);
  if (former !== undefined && (await model.exists({ _id: former, accountId }))) {
    return former;
  }
  const found = await model.findOne({ accountId }).select('_id').lean<{ readonly _id: unknown }>();
  if (found === null) {
    return undefined;
  }
  const witness = String(found._id);
  witnesses.set(accountId, witness);
  return witness;
}

/**
 * Forgets what is kept of documents that may have changed since it was read; the rest is then as good as read now.
 * @returns false when so many have changed that everything must be read again
 */
async function dropChanged<T extends Dated>(
  { model, clock, kept }: Deps<T>,
  accountId: AccountId,
  spans: readonly Keyed[],
  witness: string | undefined,
): Promise<boolean> {
  const found = spans.flatMap(({ key }) => {
    const one = kept.get(key);
    if (one && one.witness !== witness) {
      kept.delete(key);
      return [];
    }
    return one ? [{ key, one }] : [];
  });
  if (found.length === 0) {
    return true;
  }
  const now = clock().getTime();
  const since = Math.min(...found.map(({ one }) => one.asOf)) - SETTLING_MS;
  const changed = await model
    .find({ accountId, updatedAt: { $gt: new Date(since) } })
    .select({ createdAt: 1, updatedAt: 1 })
    .limit(MOST_CHANGED + 1)
    .lean<Pick<Dated, 'createdAt' | 'updatedAt'>[]>();
  if (changed.length > MOST_CHANGED) {
    return false;
  }
  for (const { key, one } of found) {
    const isChanged = changed.some(
      ({ createdAt, updatedAt }) =>
        updatedAt.getTime() > one.asOf - SETTLING_MS && isIn(one.span, createdAt.getTime()),
    );
    if (isChanged) {
      kept.delete(key);
    } else {
      one.asOf = Math.max(one.asOf, now);
    }
  }
  return true;
}

function isIn([from, before]: Span, time: number): boolean {
  return time >= from && time < before;
}
