import { isDuplicateKey, type RunTransaction } from '../database/transaction.ts';
import type { Batches, PendingEvent } from './batch.ts';
import { EVENT_HEAD, type EventHeadDocument, type EventModels } from './model.ts';

/**
 * What one turn did: how many events got numbers and which was the last; or that a later holder of the lease has
 * numbered, so that this one must stop.
 */
export type Numbered =
  | { readonly kind: 'numbered'; readonly count: number; readonly lastSeq: number; readonly more: boolean }
  | { readonly kind: 'fenced' };

export interface Numbering {
  /**
   * Numbers the next batch under the lease term, in one transaction.
   * @throws errors of the database; what was numbered then, if anything, is read from the database in the next turn
   */
  next(term: number): Promise<Numbered>;
}

interface NumberingDeps {
  models: EventModels;
  batches: Batches;
  runTransaction: RunTransaction;
  clock(): Date;
  /** How long the log is kept, in milliseconds. */
  retentionMs: number;
}

/**
 * Gives numbers so that no reader can pass one that is still to appear. The head document and the events change in one
 * transaction, and every such transaction changes the head from the very state that it read: of two at once one fails
 * whole. So the visible numbers are at any time 1 to `lastSeq` without a gap, whoever crashes where, and whether or not
 * the lease did its work; the lease and its term only keep two processes from trying at once.
 */
export function createNumbering(deps: NumberingDeps): Numbering {
  let head: EventHeadDocument | undefined;
  return {
    next: async (term) => {
      const from = head?.term === term ? head : await claim(deps, term);
      // Known again only after success: a transaction whose outcome is unknown may have moved the head.
      head = undefined;
      if (from === undefined) {
        return { kind: 'fenced' };
      }
      const { events, full } = await deps.batches.next();
      if (events.length === 0) {
        head = from;
        return { kind: 'numbered', count: 0, lastSeq: from.lastSeq, more: false };
      }
      const to = advance(deps, from, events.length);
      if (!(await commit(deps, from, to, events))) {
        return { kind: 'fenced' };
      }
      head = to;
      deps.batches.numbered(events);
      return { kind: 'numbered', count: events.length, lastSeq: to.lastSeq, more: full };
    },
  };
}

/** Marks the head with the term, which shuts out all earlier ones, and reads how far the log is numbered. */
async function claim({ models }: NumberingDeps, term: number): Promise<EventHeadDocument | undefined> {
  try {
    const claimed = await models.head
      .findOneAndUpdate(
        { _id: EVENT_HEAD, term: { $lte: term } },
        { $set: { term }, $setOnInsert: { lastSeq: 0, keptUntil: new Date(0) } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean();
    return claimed ?? undefined;
  } catch (error) {
    // A head of a later term does not match, so the upsert tries to insert a second one.
    if (isDuplicateKey(error)) {
      return undefined;
    }
    throw error;
  }
}

function advance(
  { clock, retentionMs }: NumberingDeps,
  from: EventHeadDocument,
  count: number,
): EventHeadDocument {
  // Never back, whatever the clocks of the processes say: what is later in the log is removed later.
  const keptUntil = new Date(Math.max(clock().getTime() + retentionMs, from.keptUntil.getTime()));
  return { ...from, lastSeq: from.lastSeq + count, keptUntil };
}

/** @returns false, with nothing written, when the head is no longer what `from` says */
function commit(
  { models, runTransaction }: NumberingDeps,
  from: EventHeadDocument,
  to: EventHeadDocument,
  events: readonly PendingEvent[],
): Promise<boolean> {
  const ids = events.map(({ _id }) => _id);
  return runTransaction(async (session) => {
    const { term, lastSeq, keptUntil } = to;
    const moved = await models.head.updateOne(
      { _id: EVENT_HEAD, term, lastSeq: from.lastSeq },
      { $set: { lastSeq, keptUntil } },
      { session },
    );
    if (moved.modifiedCount !== 1) {
      return false;
    }
    const place = { $indexOfArray: [{ $literal: ids }, '$_id'] };
    const numbered = await models.events.updateMany(
      { _id: { $in: ids }, pending: true },
      [{ $set: { seq: { $add: [from.lastSeq + 1, place] }, keptUntil } }, { $unset: 'pending' }],
      { session, updatePipeline: true },
    );
    if (numbered.modifiedCount !== events.length) {
      throw new Error(
        `Of ${events.length} unnumbered events only ${numbered.modifiedCount} were left to number`,
      );
    }
    return true;
  });
}
