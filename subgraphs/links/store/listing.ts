import type { QueryFilter } from 'mongoose';
import type { Order } from '../../graph/paginate.ts';
import { LINK_STATUSES, LINK_VISIBILITIES, type LinkStatus, type ListedVisibility } from '../lifecycle.ts';
import type { LinkFlow } from '../link.ts';
import type { LinkDocument } from './model.ts';

/** Which links to list; all given conditions must hold. */
export interface LinkFilter {
  readonly createdAt?: { $gt?: Date; $lt?: Date } | undefined;
  readonly visibility?: ListedVisibility | undefined;
  readonly status?: readonly LinkStatus[] | undefined;
  readonly referenceId?: string | undefined;
  readonly flow?: readonly LinkFlow[] | undefined;
  readonly userId?: string | undefined;
  readonly url?: string | undefined;
}

/** A list of links: which, and in what order. Each combination has an index (model.ts). */
export interface Listing {
  readonly filter: LinkFilter;
  readonly order: Order;
}

export type StoredFilter = QueryFilter<LinkDocument>;

/**
 * The query of a filter. Without a user it names all the fields of the index that serves it: one that is not filtered by
 * may have any of its few values. The database then merges as many sorted scans and sorts nothing.
 */
export function toStoredFilter(wanted: LinkFilter): StoredFilter {
  const { createdAt, visibility, referenceId, userId, url, flow, status } = wanted;
  const user = {
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(userId === undefined ? {} : { userId }),
    ...(url === undefined ? {} : { url }),
  };
  const isOfUser = Object.keys(user).length > 0;
  const hasState = visibility !== undefined || status !== undefined || flow !== undefined;
  const anyOf = !isOfUser && hasState;
  return {
    ...user,
    ...(flow === undefined ? {} : { flow: { $in: [...new Set(flow)] } }),
    ...within('visibility', visibility && [visibility], anyOf && LINK_VISIBILITIES),
    ...within('status', status, anyOf && LINK_STATUSES),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}

function within<Value>(
  field: 'visibility' | 'status',
  wanted: readonly Value[] | undefined,
  all: readonly Value[] | false,
): StoredFilter {
  const values = wanted ?? (all || undefined);
  return values === undefined ? {} : { [field]: { $in: [...new Set(values)] } };
}

/** Links that have expired at `now` and are not marked yet. */
export function dueAt(now: Date) {
  return { visibility: 'active', expiresAt: { $lte: now } } as const;
}

/** A query by visibility that is right at `now`, whether or not expired links are marked yet. */
export function withDue(filter: StoredFilter, visibility: ListedVisibility, now: Date): StoredFilter {
  if (visibility === 'active') {
    return { ...filter, expiresAt: { $gt: now } };
  }
  const { visibility: _, ...others } = filter;
  return { ...others, $or: [{ visibility }, dueAt(now)] };
}
