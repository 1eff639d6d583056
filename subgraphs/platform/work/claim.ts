import { randomUUID } from 'node:crypto';
import type { Model, QueryFilter } from 'mongoose';

/** What a document needs that workers take turns at. */
export interface Claimable {
  _id: string;
  /**
   * When it is due. A claim moves it to the end of the lease, so that a document whose worker died is due again by
   * itself and no step has to collect it.
   */
  nextAttemptAt: Date;
  /** Claims since the last recorded outcome: what a crashing worker leaves behind. */
  claims: number;
  /** Of the worker that has it; an outcome is recorded only under the token that it was claimed with. */
  leaseToken?: string;
}

/** A document that this process alone may work at until `leaseUntil`; it holds one slot. */
export interface Claimed<Document extends Claimable> {
  readonly document: Document;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
  /** When it was due before the claim. */
  readonly dueAt: Date;
}

/** Takes documents to work at, as many as slots allow. Two processes never get the same one while its lease lasts. */
export interface Claims<Document extends Claimable> {
  /**
   * Claims due documents of a lane, longest due first.
   * `more`: there may be others that lacked a slot; ask again when one is free. `lost`: other processes were quicker with
   * some, whose slots are free again: ask again at once.
   */
  claimLane(lane: number): Promise<{ claimed: Claimed<Document>[]; more: boolean; lost: boolean }>;
  /** Claims these documents as far as they are due; `left` are the lanes of those that lacked a slot. */
  claimIds(ids: readonly string[]): Promise<{ claimed: Claimed<Document>[]; left: number[] }>;
}

/** A queue of documents in a collection, divided into lanes, and the bounds of work at them. */
export interface ClaimDeps<Document extends Claimable, User> {
  model: Model<Document>;
  /** Which documents are still to be worked at: with the lane and `nextAttemptAt`, what an index serves. */
  open: QueryFilter<Document>;
  /** The fields of a document that make a {@link User}. */
  userFields: readonly (keyof User & keyof Document & string)[];
  /** The condition of a lane. */
  inLane(lane: number): QueryFilter<Document>;
  laneOf(user: User): number;
  /** Leaves out those of a lane whose share of slots is taken; undefined when nobody's is. */
  withoutSaturated(lane: number): QueryFilter<Document> | undefined;
  slots: { free(): number; take(user: User): boolean; give(user: User): void };
  clock: () => Date;
  /** How long a claim lasts, milliseconds: longer than a piece of work and the writing of its outcome. */
  leaseMs: number;
}

type Candidate<User> = User & Pick<Claimable, '_id' | 'nextAttemptAt'>;

export function createClaims<Document extends Claimable, User extends object>(
  deps: ClaimDeps<Document, User>,
): Claims<Document> {
  return {
    claimLane: (lane) => claimLane(deps, lane),
    claimIds: (ids) => claimIds(deps, ids),
  };
}

async function claimLane<Document extends Claimable, User extends object>(
  deps: ClaimDeps<Document, User>,
  lane: number,
): Promise<{ claimed: Claimed<Document>[]; more: boolean; lost: boolean }> {
  const limit = deps.slots.free();
  if (limit === 0) {
    return { claimed: [], more: true, lost: false };
  }
  const without = deps.withoutSaturated(lane);
  const found = (await deps.model
    .find({ ...deps.inLane(lane), ...due(deps), ...without })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .select(projection(deps))
    .lean()) as unknown as Candidate<User>[];
  const fitting = found.filter(deps.slots.take);
  const more = found.length === limit || fitting.length < found.length || without !== undefined;
  const claimed = await lease(deps, fitting);
  return { claimed, more, lost: claimed.length < fitting.length };
}

async function claimIds<Document extends Claimable, User extends object>(
  deps: ClaimDeps<Document, User>,
  ids: readonly string[],
): Promise<{ claimed: Claimed<Document>[]; left: number[] }> {
  const found = (await deps.model
    .find({ ...byIds<Document>(ids), ...due(deps) })
    .select(projection(deps))
    .lean()) as unknown as Candidate<User>[];
  const taken = new Set(found.filter(deps.slots.take));
  const left = found.filter((candidate) => !taken.has(candidate)).map(deps.laneOf);
  return { claimed: await lease(deps, [...taken]), left };
}

function projection<Document extends Claimable, User>({ userFields }: ClaimDeps<Document, User>) {
  return [...userFields, 'nextAttemptAt'];
}

function byIds<Document extends Claimable>(ids: readonly string[]): QueryFilter<Document> {
  return { _id: { $in: ids } } as QueryFilter<Document>;
}

function due<Document extends Claimable, User>({
  open,
  clock,
}: ClaimDeps<Document, User>): QueryFilter<Document> {
  return { ...open, nextAttemptAt: { $lte: clock() } };
}

/** Three round trips for a batch. Each document's predicate is checked again by its update, so one claimer wins it. */
async function lease<Document extends Claimable, User extends object>(
  deps: ClaimDeps<Document, User>,
  candidates: readonly Candidate<User>[],
): Promise<Claimed<Document>[]> {
  if (candidates.length === 0) {
    return [];
  }
  const byId = new Map(candidates.map((candidate) => [candidate._id, candidate]));
  const these = byIds<Document>([...byId.keys()]);
  const leaseToken = randomUUID();
  const leaseUntil = new Date(deps.clock().getTime() + deps.leaseMs);
  try {
    await deps.model.updateMany({ ...these, ...due(deps) }, {
      $set: { leaseToken, nextAttemptAt: leaseUntil },
      $inc: { claims: 1 },
    } as object);
    const won = (await deps.model.find({ ...these, leaseToken }).lean()) as Document[];
    return won.flatMap((document) => {
      const candidate = byId.get(document._id);
      byId.delete(document._id);
      return candidate ? [{ document, leaseToken, leaseUntil, dueAt: candidate.nextAttemptAt }] : [];
    });
  } finally {
    for (const notWon of byId.values()) {
      deps.slots.give(notWon);
    }
  }
}
