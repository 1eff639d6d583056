import type { Model } from 'mongoose';
import { graphqlError } from '../../graph/authorize.ts';
import type { Connection } from '../../graph/connection.ts';
import { type Page, readSize } from '../../graph/paginate.ts';
import { accountsOf } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import type { TenantDocument } from '../../partners/tenants/model.ts';
import { NO_ENDPOINTS, NO_WEBHOOKS, type TenantFigures } from './tenant-figures.ts';

/** A partner, as operators see it in a list. Nothing of it is secret. */
export interface TenantView {
  readonly id: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly features: readonly string[];
  /** In how many environments it has a documented receiver, `webhookUrl`. */
  readonly webhookUrls: number;
  readonly createdAt: Date;
}

/** Which partners. */
export interface TenantPage extends Pick<Page, 'first' | 'after'> {
  /** Part of the name or the id, in any case of letters; absent: all. */
  readonly search?: string | null | undefined;
}

/** How partners are ordered: by id, or those with most trouble first. */
export type TenantOrder = 'id' | 'trouble';

const LONGEST_SEARCH = 100;
const CURSOR_PREFIX = 'tenant:';
const RANK_PREFIX = 'rank:';
/** Partners that are ranked; those after them, by id, are not listed. */
const MOST_RANKED = 1_000;
const SHOWN = { tenantId: 1, name: 1, country: 1, features: 1, createdAt: 1 } as const;
/** A partner is in both environments; it is listed by this one. */
const LISTED = { environment: 'live' } as const;

/**
 * One page of the partners, by id. There are few of them: a search reads all.
 * @throws GraphQLError BAD_USER_INPUT for a size out of 1 to 100 or a longer search, INVALID_CURSOR for a bad cursor
 */
export async function listTenants(
  model: Model<TenantDocument>,
  { first, after, search }: TenantPage,
): Promise<Connection<TenantView>> {
  const { size } = readSize({ first: first ?? null });
  const filter = matching(search);
  const bounds = after == null ? [] : [{ _id: { $gt: fromCursor(after, CURSOR_PREFIX) } }];
  const query = bounds.length === 0 ? filter : toDocument({ $and: [...bounds, filter] });
  const found = await model
    .find(query, SHOWN)
    .sort({ _id: 1 })
    .limit(size + 1)
    .lean();
  const shown = found.slice(0, size);
  const receivers = await countReceivers(model, shown);
  const edges = shown.map((tenant) => ({
    cursor: toCursor(CURSOR_PREFIX, tenant._id),
    node: present(tenant, receivers.get(tenant.tenantId) ?? 0),
  }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: found.length > size,
      hasPreviousPage: after != null,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    count: () => model.countDocuments(filter).exec(),
  };
}

/** The figures by which partners are ranked. */
export type TroubleFigures = Pick<TenantFigures, 'endpoints' | 'remittances' | 'webhooks'>;

/**
 * One page of the partners, ordered by their number of stuck remittances, the highest first; among equals by failing endpoints, then by
 * webhooks that used up their attempts, then by webhooks that are not sent. A figure that takes too long to count does not rank. A cursor
 * is a place in this order, which can change between two pages.
 * @throws GraphQLError as {@link listTenants}
 */
export async function listTroubled(
  model: Model<TenantDocument>,
  figures: TroubleFigures,
  { first, after, search }: TenantPage,
): Promise<Connection<TenantView>> {
  const { size } = readSize({ first: first ?? null });
  const filter = matching(search);
  const from = after == null ? 0 : Number(fromCursor(after, RANK_PREFIX));
  if (!Number.isSafeInteger(from)) {
    throw graphqlError('INVALID_CURSOR');
  }
  const found = await model.find(filter, SHOWN).sort({ _id: 1 }).limit(MOST_RANKED).lean();
  const ranked = await rank(figures, found);
  const shown = ranked.slice(from, from + size);
  const receivers = await countReceivers(model, shown);
  const edges = shown.map((tenant, index) => ({
    cursor: toCursor(RANK_PREFIX, String(from + index + 1)),
    node: present(tenant, receivers.get(tenant.tenantId) ?? 0),
  }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: ranked.length > from + size,
      hasPreviousPage: from > 0,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    count: () => model.countDocuments(filter).exec(),
  };
}

async function rank(figures: TroubleFigures, tenants: readonly Shown[]): Promise<Shown[]> {
  const ids = tenants.map(({ tenantId }) => tenantId);
  const [remittances, endpoints, webhooks] = await Promise.all([
    figures.remittances(ids),
    figures.endpoints(ids),
    figures.webhooks(ids),
  ]);
  const troubleOf = ({ tenantId }: Shown): number[] => {
    const { open, halfOpen } = endpoints?.get(tenantId) ?? NO_ENDPOINTS;
    const { deadLettered, pending } = webhooks?.get(tenantId) ?? NO_WEBHOOKS;
    return [remittances?.get(tenantId)?.stuck ?? 0, open + halfOpen, deadLettered, pending];
  };
  return tenants
    .map((tenant) => ({ tenant, trouble: troubleOf(tenant) }))
    .toSorted((one, other) => firstDifference(other.trouble, one.trouble))
    .map(({ tenant }) => tenant);
}

/** Of the first numbers that differ; 0 if none do, so that equals keep their order. */
function firstDifference(one: readonly number[], other: readonly number[]): number {
  return one.map((number, index) => number - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function toCursor(prefix: string, place: string): string {
  return Buffer.from(`${prefix}${place}`).toString('base64url');
}

function matching(search: string | null | undefined): object {
  // A pattern has no NUL; no name has one either.
  const text = search?.replaceAll('\0', '').trim() ?? '';
  if (text.length > LONGEST_SEARCH) {
    throw graphqlError('BAD_USER_INPUT', `search takes at most ${LONGEST_SEARCH} characters.`);
  }
  if (text === '') {
    return LISTED;
  }
  const pattern = { $regex: text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&'), $options: 'i' };
  return { ...LISTED, $or: [{ tenantId: pattern }, { name: pattern }] };
}

function fromCursor(cursor: string, prefix: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(prefix)) {
    throw graphqlError('INVALID_CURSOR');
  }
  return text.slice(prefix.length);
}

type Shown = Pick<TenantDocument, '_id' | keyof typeof SHOWN>;

/** In how many environments each of the partners has a `webhookUrl`. */
async function countReceivers(
  model: Model<TenantDocument>,
  tenants: readonly Pick<TenantDocument, 'tenantId'>[],
): Promise<Map<string, number>> {
  const _id = { $in: accountsOf(tenants.map(({ tenantId }) => tenantId)) };
  const found = await model.find({ _id, webhookUrl: { $exists: true } }, { tenantId: 1 }).lean();
  const counts = new Map<string, number>();
  for (const { tenantId } of found) {
    counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
  }
  return counts;
}

function present(
  { tenantId: id, name, country, features, createdAt }: Shown,
  webhookUrls: number,
): TenantView {
  return {
    id,
    name,
    country: country ?? null,
    features,
    webhookUrls,
    createdAt,
  };
}
