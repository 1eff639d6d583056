import type { Model, Types } from 'mongoose';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import type { EventDocument } from './model.ts';

/** A turn of the product numbers at most so many events. */
export const BATCH_SIZE = 500;

/** The fields of an unnumbered event that the sequencer reads. */
export type PendingEvent = Pick<
  EventDocument,
  | '_id'
  | 'accountId'
  | 'entity'
  | 'entityId'
  | 'version'
  | 'occurredAt'
  | 'previousStatus'
  | 'status'
  | 'figure'
>;

interface Batch {
  /** The events, in the order in which they are numbered. */
  readonly events: readonly PendingEvent[];
  /** Whether there may be more. */
  readonly full: boolean;
  /** Whether events wait for an earlier version of their entity. */
  readonly holds: boolean;
}

export interface Batches {
  /** The next unnumbered events: about the oldest first, each entity's in version order without leaving one out. */
  next(): Promise<Batch>;
  /** Call it with the events that were numbered and committed: the versions after them need no look into the log then. */
  numbered(events: readonly PendingEvent[]): void;
  /** Whether {@link numbered} was called with this event lately. */
  isNumbered(id: Types.ObjectId): boolean;
}

interface BatchesDeps {
  model: Model<EventDocument>;
  partition: number;
  memory: NumberedMemory;
  /** Events in a batch, roughly: versions that belong before a chosen one come along. */
  size: number;
  /** How long an event waits for the version before it when the log has none. */
  holdMs: number;
  /** The present time in milliseconds. */
  now(): number;
  /** Called with an event that was let through without the version before it. */
  onOrphan(event: PendingEvent): void;
}

/**
 * More waiting events than these mean that a writer leaves out versions. Then they are let through, so that they do not pile
 * up.
 */
const MOST_HELD = 1_000;
/** Most places in one query: with more, SecantusDB takes longer for each. */
const PLACES_AT_ONCE = 50;
/** Most entities whose last numbered version is remembered. */
const MOST_REMEMBERED = 50_000;
/** Most numbered events that are remembered: those of many turns. */
const MOST_IDS = 10_000;
const READ = {
  accountId: 1,
  entity: 1,
  entityId: 1,
  version: 1,
  occurredAt: 1,
  previousStatus: 1,
  status: 1,
  figure: 1,
} as const;

/**
 * Chooses what is numbered next. An event of version n > 1 goes only after version n - 1: numbered already, or earlier in
 * the same batch (it is fetched when it was not chosen). Version n - 1 is looked up after n was read, so one that was
 * committed before n, as it must be, is seen. If the log has none nevertheless, it was removed by retention (a money request may
 * sleep for 30 days), or two transactions wrote versions without one waiting for the other. The log cannot see
 * which, so such an event waits for `holdMs`, long for a transaction and short for a sleeper, and is then let through.
 */
export function createBatches(deps: BatchesDeps): Batches {
  let heldSince = new Map<string, number>();
  const { lastVersion, ids } = deps.memory;
  return {
    isNumbered: (id) => ids.has(id.toHexString()),
    numbered: (events) => {
      for (const event of events) {
        lastVersion.set(entityOf(event), event.version);
        ids.set(event._id.toHexString(), true);
      }
    },
    next: async () => {
      const limit = deps.size + heldSince.size;
      const chosen = await deps.model
        .find({ pending: true, partition: deps.partition }, READ)
        .sort({ occurredAt: 1, _id: 1 })
        .limit(limit)
        .batchSize(limit)
        .lean<PendingEvent[]>();
      const full = chosen.length === limit;
      const { candidates, orphans } = await withPredecessors(deps.model, chosen, lastVersion);
      const { held, since } = hold(deps, orphans, heldSince);
      heldSince = since;
      const events = inOrder(candidates.filter((event) => !isHeld(event, held)));
      return { events, full, holds: since.size > 0 };
    },
  };
}

/** The events that this process has numbered lately, of all partitions. */
interface NumberedMemory {
  /**
   * The version of each entity that was numbered last here. Its versions have been committed with a number, by whichever
   * holder of the partition, and that never changes: so it may be old, but it is never wrong.
   */
  readonly lastVersion: BoundedCache<number>;
  readonly ids: BoundedCache<true>;
}
type BoundedCache<Value extends number | true> = ReturnType<typeof createBoundedCache<Value>>;

export function createNumberedMemory(): NumberedMemory {
  return {
    lastVersion: createBoundedCache<number>(MOST_REMEMBERED),
    ids: createBoundedCache<true>(MOST_IDS),
  };
}

/** Adds unnumbered predecessors until none is missing that the log has. */
async function withPredecessors(
  model: Model<EventDocument>,
  chosen: readonly PendingEvent[],
  lastVersion: NumberedMemory['lastVersion'],
): Promise<{ candidates: PendingEvent[]; orphans: PendingEvent[] }> {
  const candidates = new Map(chosen.map((event) => [placeOf(event), event]));
  const orphans: PendingEvent[] = [];
  let unchecked: readonly PendingEvent[] = chosen;
  while (unchecked.length > 0) {
    const checked = unchecked.filter(
      (event) =>
        event.version > 1 &&
        lastVersion.get(entityOf(event)) !== event.version - 1 &&
        !candidates.has(placeOf(event, event.version - 1)),
    );
    const found = await findPredecessors(model, checked);
    const added: PendingEvent[] = [];
    for (const event of checked) {
      const predecessor = found.get(placeOf(event, event.version - 1));
      if (predecessor === undefined) {
        orphans.push(event);
      } else if (predecessor.pending === true) {
        added.push(predecessor);
        candidates.set(placeOf(predecessor), predecessor);
      }
    }
    unchecked = added;
  }
  return { candidates: [...candidates.values()], orphans };
}

type Predecessor = PendingEvent & Pick<EventDocument, 'pending'>;

/**
 * Queries exact places: each is one look into the unique index, in MongoDB too, which has no other index for such a branch.
 * (Lists of values for each field would query every combination of them, for which SecantusDB reads the whole log of an
 * account.)
 */
async function findPredecessors(
  model: Model<EventDocument>,
  events: readonly PendingEvent[],
): Promise<Map<string, Predecessor>> {
  const places = events.map(({ accountId, entity, entityId, version }) => ({
    accountId,
    entity,
    entityId,
    version: version - 1,
  }));
  const found = new Map<string, Predecessor>();
  for (let from = 0; from < places.length; from += PLACES_AT_ONCE) {
    const $or = places.slice(from, from + PLACES_AT_ONCE);
    for (const event of await model.find({ $or }, { ...READ, pending: 1 }).lean<Predecessor[]>()) {
      found.set(placeOf(event), event);
    }
  }
  return found;
}

/** The versions that wait, by entity, and since when. */
function hold(
  { now, holdMs, onOrphan }: BatchesDeps,
  orphans: readonly PendingEvent[],
  before: ReadonlyMap<string, number>,
): { held: Map<string, number>; since: Map<string, number> } {
  const held = new Map<string, number>();
  const since = new Map<string, number>();
  for (const event of [...orphans].sort((a, b) => a.version - b.version)) {
    const entity = entityOf(event);
    const first = before.get(placeOf(event)) ?? now();
    if (!held.has(entity) && (now() - first >= holdMs || since.size >= MOST_HELD)) {
      onOrphan(event);
      continue;
    }
    since.set(placeOf(event), first);
    held.set(entity, held.get(entity) ?? event.version);
  }
  return { held, since };
}

/** A held version holds all later ones of its entity. */
function isHeld(event: PendingEvent, held: ReadonlyMap<string, number>): boolean {
  return event.version >= (held.get(entityOf(event)) ?? Number.POSITIVE_INFINITY);
}

/**
 * Sorts by time. Where the times of an entity disagree with its versions, the versions keep their order within the entity's
 * places.
 */
function inOrder(events: readonly PendingEvent[]): PendingEvent[] {
  const byTime = [...events].sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
  const versions = new Map<string, PendingEvent[]>();
  for (const event of [...byTime].sort((a, b) => b.version - a.version)) {
    const ofEntity = versions.get(entityOf(event));
    if (ofEntity === undefined) {
      versions.set(entityOf(event), [event]);
    } else {
      ofEntity.push(event);
    }
  }
  return byTime.map((event) => versions.get(entityOf(event))?.pop() ?? event);
}

function entityOf({ accountId, entity, entityId }: PendingEvent): string {
  return JSON.stringify([accountId, entity, entityId]);
}

function placeOf(event: PendingEvent, version: number = event.version): string {
  return `${entityOf(event)}${version}`;
}
