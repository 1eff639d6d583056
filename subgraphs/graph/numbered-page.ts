import type { Model, QueryFilter } from 'mongoose';
import { z } from 'zod';
import type { AccountId } from '../kernel/account.ts';
import { atOrAfter } from '../kernel/database/time-bounds.ts';
import type { Result } from '../kernel/errors/result.ts';
import { readBody } from '../kernel/json/read-body.ts';
import { isDate } from '../kernel/person/checks.ts';

const DEFAULT_SIZE = 20;
const LARGEST = 100;
const DAY_MS = 86_400_000;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;
const ZONE = /(Z|[+-]\d{2}:\d{2})$/;
/** A fraction of a second that milliseconds do not hold. */
const WITHIN_MS = /\.\d{3}\d*[1-9]/;

/** A query parameter as it was sent; null or undefined when it was not. */
export type Parameter = string | null | undefined;

/** The query parameters that every list of document 3 takes ("Pagination wrapper"; names by decisions, section 4). */
export interface NumberedPageQuery {
  page?: Parameter;
  limit?: Parameter;
  createdFrom?: Parameter;
  createdTo?: Parameter;
}

/** A page by number. */
export interface NumberedPage<Item> {
  items: Item[];
  page: number;
  limit: number;
  total: number;
  totalPages: number;
}

/** The number of a page, from 1, and its size. */
export interface PageNumber {
  page: number;
  limit: number;
}

/** A date, which is a whole day in UTC, or an instant. */
interface Moment {
  /** Rounded down to a millisecond. */
  readonly at: Date;
  readonly isDay: boolean;
  /** Whether the instant lies within the millisecond, after its start. */
  readonly isWithin: boolean;
}

/** An integer of any length. Integers beyond all numbers count as the largest number. */
const whole = (most: number, message: string) =>
  z
    .string()
    .regex(/^\d+$/, message)
    .transform((digits) => Math.min(Number(digits), Number.MAX_VALUE))
    .pipe(z.number().min(1, message).max(most, message));

const moment = z.string().transform((value, context): Moment => {
  const read = readMoment(value);
  if (read) {
    return read;
  }
  context.issues.push({ code: 'custom', message: 'must be an ISO 8601 date or date-time', input: value });
  return z.NEVER;
});

/** Schemas of the parameters of {@link NumberedPageQuery}; a list adds its own. */
export const pageParameters = {
  page: whole(Number.MAX_VALUE, 'must be an integer of at least 1').default(1),
  limit: whole(LARGEST, `must be an integer of 1 to ${LARGEST}`).default(DEFAULT_SIZE),
  createdFrom: moment.optional(),
  createdTo: moment.optional(),
};

/** One of a few values, as a query parameter. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** Reads the parameters of a list. Failure: INVALID_REQUEST, one for each bad value. */
export function readPageQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: object,
): Result<z.output<Schema>> {
  return readBody(schema, Object.fromEntries(Object.entries(query).filter(([, value]) => value != null)));
}

/** A date-time without a zone is in UTC. */
function readMoment(value: string): Moment | undefined {
  if (isDate(value)) {
    return { at: new Date(`${value}T00:00:00Z`), isDay: true, isWithin: false };
  }
  const day = DATE_TIME.exec(value)?.[1];
  const at = new Date(ZONE.test(value) ? value : `${value}Z`);
  return day !== undefined && isDate(day) && !Number.isNaN(at.getTime())
    ? { at, isDay: false, isWithin: WITHIN_MS.test(value) }
    : undefined;
}

/**
 * A condition on the time of creation; undefined when neither end is given. Both ends belong to it; a day is meant from
 * its first to its last instant.
 */
export function createdBetween({
  createdFrom: from,
  createdTo: to,
}: {
  createdFrom?: Moment | undefined;
  createdTo?: Moment | undefined;
}): { $gt?: Date; $lt?: Date } | undefined {
  const end = to && new Date(to.at.getTime() + (to.isDay ? DAY_MS : 1));
  const start = from && (from.isWithin ? { $gt: from.at } : atOrAfter(from.at));
  const range = { ...start, ...(end && { $lt: end }) };
  return Object.keys(range).length === 0 ? undefined : range;
}

/**
 * Reads a page, newest first; past the end it is empty. The filter must name the account; the caller declares the index
 * (…filter, createdAt, _id).
 */
export async function readPage<Document extends { _id: string; createdAt: Date }, Item>(
  model: Model<Document>,
  filter: QueryFilter<Document> & { accountId: AccountId },
  { page, limit }: PageNumber,
  present: (document: Document) => Item,
): Promise<NumberedPage<Item>> {
  const total = await model.countDocuments(filter);
  const skip = (page - 1) * limit;
  const found =
    skip < total
      ? await model.find(filter).sort({ createdAt: -1, _id: -1 }).skip(skip).limit(limit).lean<Document[]>()
      : [];
  return { items: found.map(present), page, limit, total, totalPages: Math.ceil(total / limit) };
}

/** An empty page, for a query that can match nothing. */
export function emptyPage({ page, limit }: PageNumber): NumberedPage<never> {
  return { items: [], page, limit, total: 0, totalPages: 0 };
}
