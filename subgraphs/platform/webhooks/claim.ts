import { randomUUID } from 'node:crypto';
import type { QueryFilter } from 'mongoose';
import type { DeliveryDocument, WebhookModels } from './model.ts';
import type { Slots } from './slots.ts';

/** A delivery that this process alone may try until `leaseUntil`; it holds one slot. */
export interface Claimed {
  readonly document: DeliveryDocument;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
  /** When it was due before the claim. */
  readonly dueAt: Date;
}

interface ClaimDeps {
  models: Pick<WebhookModels, 'deliveries'>;
  slots: Slots;
  clock: () => Date;
  /** How long a claim lasts, milliseconds: longer than an attempt and the writing of its outcome. */
  leaseMs: number;
}

type Candidate = Pick<DeliveryDocument, '_id' | 'tenantId' | 'endpoint' | 'shard' | 'nextAttemptAt'>;

const CANDIDATE = { tenantId: 1, endpoint: 1, shard: 1, nextAttemptAt: 1 } as const;

/** Takes deliveries to try, as many as slots allow. Two processes never get the same one while its lease lasts. */
export interface Claims {
  /**
   * Claims due deliveries of a shard, longest due first.
   * `more`: there may be others that lacked a slot; ask again when one is free.
   */
  claimShard(shard: number): Promise<{ claimed: Claimed[]; more: boolean }>;
  /** Claims these deliveries as far as they are due; `left` are the shards of those that lacked a slot. */
  claimIds(ids: readonly string[]): Promise<{ claimed: Claimed[]; left: number[] }>;
}

export function createClaims(deps: ClaimDeps): Claims {
  return {
    claimShard: (shard) => claimShard(deps, shard),
    claimIds: (ids) => claimIds(deps, ids),
  };
}

async function claimShard(deps: ClaimDeps, shard: number): Promise<{ claimed: Claimed[]; more: boolean }> {
  const { models, slots, clock } = deps;
  const limit = slots.free();
  if (limit === 0) {
    return { claimed: [], more: true };
  }
  const { endpoints, tenants } = slots.saturated(shard);
  const found: Candidate[] = await models.deliveries
    .find({
      shard,
      ...due(clock()),
      ...(endpoints.length > 0 ? { endpoint: { $nin: endpoints } } : {}),
      ...(tenants.length > 0 ? { tenantId: { $nin: tenants } } : {}),
    })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .select(CANDIDATE)
    .lean();
  const fitting = found.filter(slots.take);
  const leftOut = found.length === limit || fitting.length < found.length;
  const more = leftOut || endpoints.length > 0 || tenants.length > 0;
  return { claimed: await lease(deps, fitting), more };
}

async function claimIds(
  deps: ClaimDeps,
  ids: readonly string[],
): Promise<{ claimed: Claimed[]; left: number[] }> {
  const found: Candidate[] = await deps.models.deliveries
    .find({ _id: { $in: ids }, ...due(deps.clock()) })
    .select(CANDIDATE)
    .lean();
  const taken = new Set(found.filter(deps.slots.take));
  const left = found.filter((candidate) => !taken.has(candidate)).map(({ shard }) => shard);
  return { claimed: await lease(deps, [...taken]), left };
}

function due(now: Date): QueryFilter<DeliveryDocument> {
  return { status: 'PENDING', nextAttemptAt: { $lte: now } };
}

/** Three round trips for a batch. Each document's predicate is checked again by its update, so one claimer wins it. */
async function lease(
  { models: { deliveries }, slots, clock, leaseMs }: ClaimDeps,
  candidates: readonly Candidate[],
): Promise<Claimed[]> {
  if (candidates.length === 0) {
    return [];
  }
  const byId = new Map(candidates.map((candidate) => [candidate._id, candidate]));
  const _id = { $in: [...byId.keys()] };
  const leaseToken = randomUUID();
  const now = clock();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  try {
    await deliveries.updateMany(
      { _id, ...due(now) },
      { $set: { leaseToken, nextAttemptAt: leaseUntil }, $inc: { claims: 1 } },
    );
    const won: DeliveryDocument[] = await deliveries.find({ _id, leaseToken }).lean();
    return won.flatMap((document) => {
      const candidate = byId.get(document._id);
      byId.delete(document._id);
      return candidate ? [{ document, leaseToken, leaseUntil, dueAt: candidate.nextAttemptAt }] : [];
    });
  } finally {
    for (const notWon of byId.values()) {
      slots.give(notWon);
    }
  }
}
