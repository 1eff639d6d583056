import { randomUUID } from 'node:crypto';
import type { Model, QueryFilter } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import { atOrBefore } from '../../kernel/database/time-bounds.ts';
import { updateEach } from '../../kernel/database/update-each.ts';

/** The fields of a document that workers claim. */
export interface Claimable {
  _id: string;
  /** Whose it is: every write names it, which routes it on a sharded cluster. */
  accountId: AccountId;
  /**
   * When it is due. A claim moves it to the end of the lease. So a document whose worker died is due again by itself, and no
   * cleanup is needed.
   */
  nextAttemptAt: Date;
  /** The wait that the last failure has set `nextAttemptAt` by, milliseconds; absent before the first one. */
  waitMs?: number;
  /** Claims since the last recorded outcome; a crashing worker leaves them. */
  claims: number;
  /** The token of the worker that has it; an outcome is only written under the token of its claim. */
  leaseToken?: string;
}

/** Thrown when another worker has the document now: this one's outcome is not written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** A document that only this process may work at until `leaseUntil`. */
export interface Claimed<Document extends Claimable> {
  readonly document: Document;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
  /** When it was due before the claim. */
  readonly dueAt: Date;
}

interface ClaimedIds<Document extends Claimable> {
  readonly claimed: Claimed<Document>[];
  readonly left: number[];
  readonly soon: { readonly id: string; readonly inMs: number }[];
}

/** Claims documents, as many as the limiter allows. Two processes never get the same document while its lease lasts. */
export interface Claims<Document extends Claimable> {
  /**
   * Claims due documents of a partition, longest due first. `more`: others did not fit; claim again when work has ended.
   * `lost`: other processes were faster with some, so there is room again; claim again at once.
   */
  claimPartition(partition: number): Promise<{ claimed: Claimed<Document>[]; more: boolean; lost: boolean }>;
  /**
   * Claims those of these documents that are due. `left`: the partitions of documents that did not fit. `soon`: documents
   * that are due in a moment, such as those stored by a machine whose clock is ahead.
   */
  claimIds(ids: readonly string[]): Promise<ClaimedIds<Document>>;
  /**
   * Makes a lease for a new document, to be stored with it; it counts as its first claim. Undefined when the limiter has no
   * room, and while the machine's clock is wrong; otherwise the limiter's `release` gives the room back.
   */
  leaseNew(document: Document): Claimed<Document> | undefined;
  /**
   * Gives a document back: it is due as before the claim, and the claim does not count. @param gone fields that it has no more
   * @throws LeaseLostError
   */
  release(claimed: Claimed<Document>, gone?: readonly string[]): Promise<void>;
}

/** A due document, with the fields that the limiter needs. */
export type Candidate<Item> = Item & Pick<Claimable, '_id' | 'accountId' | 'nextAttemptAt'>;

/** A queue of documents in a collection, and the limits of work at them. */
export interface LeaseDeps<Document extends Claimable, Item> {
  model: Model<Document>;
  /** The condition of documents that are not finished. */
  open: QueryFilter<Document>;
  /** The fields of a document that the limiter needs. */
  itemFields: readonly (keyof Item & keyof Document & string)[];
  limiter: { free(): number; acquire(item: Item): boolean; release(item: Item): void };
  clock: () => Date;
  /** Whether the machine's clock is right. While it is not, nothing is claimed. */
  isClockRight: () => boolean;
  /**
   * Writes a claim of several documents, as far as they meet the condition. Default: each by itself, in one command; a
   * transaction has one commit for all of them.
   */
  writeAll?: (
    documents: readonly Pick<Claimable, '_id' | 'accountId'>[],
    condition: QueryFilter<Document>,
    update: object,
  ) => Promise<unknown>;
  /** How long a claim lasts, milliseconds: longer than a piece of work and the writing of its outcome. */
  leaseMs: number;
}

/** Chooses the next documents. They are leased together. */
export interface CandidateSource<Item> {
  /**
   * Documents of a partition that are due and for which the limiter has room, longest due first. `more`: see {@link
   * Claims.claimPartition}.
   */
  take(partition: number): Promise<{ taken: readonly Candidate<Item>[]; more: boolean }>;
  /** Takes back due documents that the limiter has no room for. @returns their partitions */
  defer(candidates: readonly Candidate<Item>[]): number[];
  /** Called with documents that other processes have claimed first. */
  lost?(candidates: readonly Candidate<Item>[]): void;
}

/** A queue that an index serves by partition and `nextAttemptAt`. */
interface ClaimDeps<Document extends Claimable, Item> extends LeaseDeps<Document, Item> {
  /** The condition of a partition. */
  inPartition(partition: number): QueryFilter<Document>;
  partitionOf(item: Item): number;
  /** Excludes documents of a partition whose quota is used up; undefined without any. */
  withoutSaturated(partition: number): QueryFilter<Document> | undefined;
}

/** The largest difference between the clocks of two machines. */
const SOON_MS = 5_000;

/** Claims that look at a whole partition, longest due first. */
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
  const { isClockRight } = deps;
  return {
    claimPartition: async (partition) => {
      if (!isClockRight()) {
        return { claimed: [], more: false, lost: false };
      }
      if (deps.limiter.free() <= 0) {
        return { claimed: [], more: true, lost: false };
      }
      const { taken, more } = await source.take(partition);
      const claimed = await lease(deps, source, taken);
      return { claimed, more, lost: claimed.length < taken.length };
    },
    claimIds: async (ids) =>
      isClockRight() ? claimIds(deps, source, ids) : { claimed: [], left: [], soon: [] },
    leaseNew: (document) => (isClockRight() ? leaseNew(deps, document) : undefined),
    release: (claimed, gone) => release(deps, claimed, gone),
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
  return [...new Set([...itemFields, 'accountId', 'nextAttemptAt'])];
}

/** The cast: the types of mongoose cannot express the fields of a document whose type is a parameter. */
function toPlace<Document extends Claimable>(place: Pick<Claimable, '_id' | 'accountId'>) {
  return place as Partial<Document> & { _id: string };
}

function byIds<Document extends Claimable>(ids: readonly string[]): QueryFilter<Document> {
  return toDocument({ _id: { $in: ids } });
}

function due<Document extends Claimable, Item>(
  { open, clock }: Pick<LeaseDeps<Document, Item>, 'open' | 'clock'>,
  withinMs = 0,
): QueryFilter<Document> {
  return { ...open, nextAttemptAt: atOrBefore(new Date(clock().getTime() + withinMs)) };
}

/** Leases a batch in two round trips. Each update checks its document's condition again, so one claimer wins it. */
async function lease<Document extends Claimable, Item extends object>(
  deps: LeaseDeps<Document, Item>,
  source: CandidateSource<Item>,
  candidates: readonly Candidate<Item>[],
): Promise<Claimed<Document>[]> {
  if (candidates.length === 0) {
    return [];
  }
  const byId = new Map(candidates.map((candidate) => [candidate._id, candidate]));
  const places = [...byId.values()].map(({ _id, accountId }) => ({ _id, accountId }));
  const leaseToken = randomUUID();
  const leaseUntil = new Date(deps.clock().getTime() + deps.leaseMs);
  try {
    const update = { $set: { leaseToken, nextAttemptAt: leaseUntil }, $inc: { claims: 1 } };
    if (deps.writeAll && places.length > 1) {
      await deps.writeAll(places, due(deps), update);
    } else {
      await updateEach(deps.model, places.map(toPlace<Document>), due(deps), update);
    }
    const won = await deps.model
      .find({ ...byIds<Document>([...byId.keys()]), leaseToken })
      .lean<Document[]>();
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
  gone: readonly string[] = [],
): Promise<void> {
  const released = await model.updateOne(
    toDocument({ _id: document._id, accountId: document.accountId, leaseToken }),
    // The cast: the types of mongoose cannot express the fields of a document whose type is a parameter.
    {
      $set: { nextAttemptAt: dueAt, claims: Math.max(document.claims - 1, 0) },
      $unset: Object.fromEntries(['leaseToken', ...gone].map((field) => [field, 1])),
    } as object,
  );
  if (released.matchedCount === 0) {
    throw new LeaseLostError();
  }
}
