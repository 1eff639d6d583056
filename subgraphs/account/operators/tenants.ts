import type { Model } from 'mongoose';
import { graphqlError } from '../../graph/authorize.ts';
import type { Connection } from '../../graph/connection.ts';
import { type Page, readSize } from '../../graph/paginate.ts';
import { accountsOf } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import type { TenantDocument } from '../../partners/tenants/model.ts';

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

const LONGEST_SEARCH = 100;
const CURSOR_PREFIX = 'tenant:';
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
  const bounds = after == null ? [] : [{ _id: { $gt: fromCursor(after) } }];
  const query = bounds.length === 0 ? filter : toDocument({ $and: [...bounds, filter] });
  const found = await model
    .find(query, SHOWN)
    .sort({ _id: 1 })
    .limit(size + 1)
    .lean();
  const shown = found.slice(0, size);
  const receivers = await countReceivers(model, shown);
  const edges = shown.map((tenant) => ({
    cursor: Buffer.from(`${CURSOR_PREFIX}${tenant._id}`).toString('base64url'),
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

function fromCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(CURSOR_PREFIX)) {
    throw graphqlError('INVALID_CURSOR');
  }
  return text.slice(CURSOR_PREFIX.length);
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
