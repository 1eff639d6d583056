import { z } from 'zod';
import { type Result, succeed } from '../platform/errors/refusal.ts';
import { atOrAfter } from '../platform/graphql/paginate.ts';
import { text } from '../platform/json/schemas.ts';
import { isDate } from '../platform/person/checks.ts';
import type { Principal } from '../platform/principal.ts';
import { readBody } from './body.ts';
import type { LinksDeps } from './deps.ts';
import type { Link } from './link-repository.ts';
import { LinkVisibility, toStoredFilter } from './listing.ts';
import { LinkStatus } from './type.ts';
import { expireLinks } from './worker.ts';

const DEFAULT_SIZE = 20;
const LARGEST = 100;
const DAY_MS = 86_400_000;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;
const ZONE = /(Z|[+-]\d{2}:\d{2})$/;

/** A query parameter as it was sent; null or undefined when it was not. */
type Parameter = string | null | undefined;

/** The query of `GET /partner/links` (document 3; names by decisions, section 4). */
export interface LinkPageQuery {
  page?: Parameter;
  limit?: Parameter;
  createdFrom?: Parameter;
  createdTo?: Parameter;
  visibility?: Parameter;
  status?: Parameter;
  referenceId?: Parameter;
}

/** A page by number. */
export interface NumberedPage<Item> {
  items: Item[];
  page: number;
  limit: number;
  total: number;
  totalPages: number;
}

const whole = (most: number, message: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(1, message).max(most, message));

const moment = z.string().transform((value, context): Moment => {
  const read = readMoment(value);
  if (read) {
    return read;
  }
  context.issues.push({ code: 'custom', message: 'must be an ISO 8601 date or date-time', input: value });
  return z.NEVER;
});

const querySchema = z.object({
  page: whole(Number.MAX_SAFE_INTEGER, 'must be an integer of at least 1').default(1),
  limit: whole(LARGEST, `must be an integer of 1 to ${LARGEST}`).default(DEFAULT_SIZE),
  createdFrom: moment.optional(),
  createdTo: moment.optional(),
  visibility: z.enum(LinkVisibility, 'must be one of active, expired').optional(),
  status: z.enum(LinkStatus, 'must be one of created, opened, revoked').optional(),
  referenceId: text.optional(),
});

/** A date, which is a whole day in UTC, or an instant. */
interface Moment {
  readonly at: Date;
  readonly isDay: boolean;
}

/** A date-time without a zone is in UTC. */
function readMoment(value: string): Moment | undefined {
  if (isDate(value)) {
    return { at: new Date(`${value}T00:00:00Z`), isDay: true };
  }
  const day = DATE_TIME.exec(value)?.[1];
  const at = new Date(ZONE.test(value) ? value : `${value}Z`);
  return day !== undefined && isDate(day) && !Number.isNaN(at.getTime()) ? { at, isDay: false } : undefined;
}

/**
 * A page of the tenant's links by number, newest first; past the end it is empty. Refusal: INVALID_REQUEST, one for each
 * bad value.
 */
export async function pageLinks(
  deps: Pick<LinksDeps, 'links' | 'clock'>,
  { tenantId }: Principal,
  query: LinkPageQuery,
): Promise<Result<NumberedPage<Link>>> {
  const sent = Object.fromEntries(Object.entries(query).filter(([, value]) => value != null));
  const read = readBody(querySchema, sent);
  if (!read.ok) {
    return read;
  }
  const { page, limit, createdFrom, createdTo, status, ...rest } = read.value;
  if (rest.visibility !== undefined) {
    await expireLinks(deps);
  }
  const filter = toStoredFilter({
    ...rest,
    status: status === undefined ? undefined : [status],
    createdAt: createdBetween(createdFrom, createdTo),
  });
  const { items, total } = await deps.links.page(tenantId, filter, { skip: (page - 1) * limit, limit });
  return succeed({ items, page, limit, total, totalPages: Math.ceil(total / limit) });
}

/** Both ends belong to it; a day is meant from its first to its last instant. */
function createdBetween(
  from: Moment | undefined,
  to: Moment | undefined,
): { $gt?: Date; $lt?: Date } | undefined {
  const end = to && new Date(to.at.getTime() + (to.isDay ? DAY_MS : 1));
  const range = { ...(from && atOrAfter(from.at)), ...(end && { $lt: end }) };
  return Object.keys(range).length === 0 ? undefined : range;
}
