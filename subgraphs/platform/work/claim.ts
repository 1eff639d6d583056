import { randomUUID } from 'node:crypto';
import type { Model, QueryFilter } from 'mongoose';
import { toDocument } from '../database/document.ts';
import { updateEach } from '../database/update-each.ts';

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

/** Another worker has the document now: what this one found out is not written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** A document that this process alone may work at until `leaseUntil`. */
export interface Claimed<Document extends Claimable> {
  readonly document: Document;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
  /** When it was due before the claim. */
  readonly dueAt: Date;
}

/** What came of a claim of certain documents. */
export interface ClaimedIds<Document extends Claimable> {
  readonly claimed: Claimed<Document>[];
  readonly left: number[];
  readonly soon: { readonly id: string; readonly inMs: number }[];
}

/** Takes documents to work at, as many as the limiter lets begin. Two processes never get the same one while its lease lasts. */
export interface Claims<Document extends Claimable> {
  /**
   * Claims due documents of a partition, longest due first.
   * `more`: there may be others that did not fit; claim again when something has ended. `lost`: other processes were
   * quicker with some, so that there is room again: claim again at once.
   */
  claimPartition(partition: number): Promise<{ claimed: Claimed<Document>[]; more: boolean; lost: boolean }>;
  /**
   * Claims these documents as far as they are due. `left`: the partitions of those that did not fit. `soon`: those that
   * are due in a moment. A document that was stored by a machine whose clock is ahead of this one's is such.
   */
  claimIds(ids: readonly string[]): Promise<ClaimedIds<Document>>;
  /**
   * A lease for a document that is about to be stored, to be stored with it: it counts as its first claim. Undefined when
   * the limiter has no room for it; else its room is given back by the limiter's `release`.
   */
  leaseNew(document: Document): Claimed<Document> | undefined;
  /** Gives a document back: it is due as it was before the claim, which does not count. @throws LeaseLostError */
  release(claimed: Claimed<Document>): Promise<void>;
}

/** A document that is due, as far as the limiter knows it. */
export type Candidate<Item> = Item & Pick<Claimable, '_id' | 'nextAttemptAt'>;

/** A queue of documents in a collection, and the bounds of work at them. */
export interface LeaseDeps<Document extends Claimable, Item> {
  model: Model<Document>;
  /** Which documents are still to be worked at. */
  open: QueryFilter<Document>;
  /** The fields of a document by which the limiter knows it. */
  itemFields: readonly (keyof Item & keyof Document & string)[];
  limiter: { free(): number; acquire(item: Item): boolean; release(item: Item): void };
  clock: () => Date;
  /**
   * Writes a claim of several documents, as far as they meet the condition. Default: each by itself, in one command; a
   * transaction has one commit for all of them.
   */
  writeAll?: (ids: readonly string[], condition: QueryFilter<Document>, update: object) => Promise<unknown>;
  /** How long a claim lasts, milliseconds: longer than a piece of work and the writing of its outcome. */
  leaseMs: number;
}

/** Says which documents are next. What it takes is leased together. */
export interface CandidateSource<Item> {
  /**
   * Documents of a partition that were due a moment ago and that the limiter has let begin, longest due first.
   * `more`: as {@link Claims.claimPartition} says it.
   */
  take(partition: number): Promise<{ taken: readonly Candidate<Item>[]; more: boolean }>;
  /** Due documents that the limiter has no room for. @returns the partitions that hold them */
  defer(candidates: readonly Candidate<Item>[]): number[];
  /** Documents that other processes have claimed first. */
  lost?(candidates: readonly Candidate<Item>[]): void;
}

/** A queue that an index serves by partition and `nextAttemptAt`. */
export interface ClaimDeps<Document extends Claimable, Item> extends LeaseDeps<Document, Item> {
  /** The condition of a partition. */
  inPartition(partition: number): QueryFilter<Document>;
  partitionOf(item: Item): number;
  /** Leaves out those of a partition whose quota is used up; undefined when nobody's is. */
  withoutSaturated(partition: number): QueryFilter<Document> | undefined;
}

/** As far as the clocks of two machines may be apart. */
const SOON_MS = 5_000;

/** Claims that look into a partition as a whole, longest due first. */
export function createClaims<Document extends Claimable & Item, Item extends object>(
  deps: ClaimDeps<Document, Item>,
): Claims<Document> {
  return createClaimsFrom(deps, {
    take: (partition) => takeFromPartition(deps, partition),
    defer: (candidates) => candidates.map(deps.partitionOf),
  });
}

/** Claims the documents that a source names next. */
export function createClaimsFrom<Document extends Claimable & Item, Item extends object>(
  deps: LeaseDeps<Document, Item>,
  source: CandidateSource<Item>,
): Claims<Document> {
  return {
    claimPartition: async (partition) => {
      if (deps.limiter.free() <= 0) {
        return { claimed: [], more: true, lost: false };
      }
      const { taken, more } = await source.take(partition);
      const claimed = await lease(deps, source, taken);
      return { claimed, more, lost: claimed.length < taken.length };
    },
    claimIds: (ids) => claimIds(deps, source, ids),
    leaseNew: (document) => leaseNew(deps, document),
    release: (claimed) => release(deps, claimed),
  };
}

async function takeFromPartition<Document extends Claimable, Item extends object>(
  deps: ClaimDeps<Document, Item>,
  partition: number,
): Promise<{ taken: Candidate<Item>[]; more: boolean }> {
  const limit = deps.limiter.free();
  const without = deps.withoutSaturated(partition);
  const found = await findCandidates<Document, Item>(
    deps,
    { ...deps.inPartition(partition), ...without },
    limit,
  );
  const taken = found.filter(deps.limiter.acquire);
  return { taken, more: found.length === limit || taken.length < found.length || without !== undefined };
}

/** Due documents that meet a condition, longest due first. */
export async function findCandidates<Document extends Claimable, Item>(
  deps: Pick<LeaseDeps<Document, Item>, 'model' | 'open' | 'itemFields' | 'clock'>,
  condition: QueryFilter<Document>,
  limit: number,
  sort: Readonly<Record<string, 1>> = { nextAttemptAt: 1 },
): Promise<Candidate<Item>[]> {
  return deps.model
    .find({ ...condition, ...due(deps) })
    .sort(sort)
    .limit(limit)
    .select(projection(deps))
    .lean<Candidate<Item>[]>();
}

async function claimIds<Document extends Claimable, Item extends object>(
  deps: LeaseDeps<Document, Item>,
  source: CandidateSource<Item>,
  ids: readonly string[],
): Promise<ClaimedIds<Document>> {
  const found = await deps.model
    .find({ ...byIds<Document>(ids), ...due(deps, SOON_MS) })
    .select(projection(deps))
    .lean<Candidate<Item>[]>();
  const now = deps.clock().getTime();
  const inMs = ({ nextAttemptAt }: Candidate<Item>) => nextAttemptAt.getTime() - now;
  const ready = found.filter((candidate) => inMs(candidate) <= 0);
  const soon = found.filter((candidate) => inMs(candidate) > 0);
  const taken = new Set(ready.filter(deps.limiter.acquire));
  const left = source.defer(ready.filter((candidate) => !taken.has(candidate)));
  return {
    claimed: await lease(deps, source, [...taken]),
    left,
    soon: soon.map((candidate) => ({ id: candidate._id, inMs: inMs(candidate) })),
  };
}

function projection({ itemFields }: { readonly itemFields: readonly string[] }): string[] {
  return [...itemFields, 'nextAttemptAt'];
}

function byIds<Document extends Claimable>(ids: readonly string[]): QueryFilter<Document> {
  return toDocument({ _id: { $in: ids } });
}

function due<Document extends Claimable, Item>(
  { open, clock }: Pick<LeaseDeps<Document, Item>, 'open' | 'clock'>,
  withinMs = 0,
): QueryFilter<Document> {
  return { ...open, nextAttemptAt: { $lte: new Date(clock().getTime() + withinMs) } };
}

/** Two round trips for a batch. Each document's predicate is checked again by its update, so one claimer wins it. */
async function lease<Document extends Claimable, Item extends object>(
  deps: LeaseDeps<Document, Item>,
  source: CandidateSource<Item>,
  candidates: readonly Candidate<Item>[],
): Promise<Claimed<Document>[]> {
  if (candidates.length === 0) {
    return [];
  }
  const byId = new Map(candidates.map((candidate) => [candidate._id, candidate]));
  const ids = [...byId.keys()];
  const leaseToken = randomUUID();
  const leaseUntil = new Date(deps.clock().getTime() + deps.leaseMs);
  try {
    const update = { $set: { leaseToken, nextAttemptAt: leaseUntil }, $inc: { claims: 1 } };
    if (deps.writeAll && ids.length > 1) {
      await deps.writeAll(ids, due(deps), update);
    } else {
      await updateEach(deps.model, ids, due(deps), update);
    }
    const won = await deps.model.find({ ...byIds<Document>(ids), leaseToken }).lean<Document[]>();
    return won.flatMap((document) => {
      const candidate = byId.get(document._id);
      byId.delete(document._id);
      return candidate ? [{ document, leaseToken, leaseUntil, dueAt: candidate.nextAttemptAt }] : [];
    });
  } finally {
    const notWon = [...byId.values()];
    for (const candidate of notWon) {
      deps.limiter.release(candidate);
    }
    if (notWon.length > 0) {
      source.lost?.(notWon);
    }
  }
}

function leaseNew<Document extends Claimable & Item, Item extends object>(
  { limiter, clock, leaseMs }: LeaseDeps<Document, Item>,
  document: Document,
): Claimed<Document> | undefined {
  if (!limiter.acquire(document)) {
    return undefined;
  }
  const leaseToken = randomUUID();
  const leaseUntil = new Date(clock().getTime() + leaseMs);
  const leased = { ...document, leaseToken, nextAttemptAt: leaseUntil, claims: document.claims + 1 };
  return { document: leased, leaseToken, leaseUntil, dueAt: document.nextAttemptAt };
}

async function release<Document extends Claimable, Item>(
  { model }: Pick<LeaseDeps<Document, Item>, 'model'>,
  { document, leaseToken, dueAt }: Claimed<Document>,
): Promise<void> {
  const released = await model.updateOne(
    toDocument({ _id: document._id, leaseToken }),
    // The cast: the types of mongoose cannot tell the fields of a document whose type is a parameter.
    {
      $set: { nextAttemptAt: dueAt, claims: Math.max(document.claims - 1, 0) },
      $unset: { leaseToken: 1 },
    } as object,
  );
  if (released.matchedCount === 0) {
    throw new LeaseLostError();
  }
}
