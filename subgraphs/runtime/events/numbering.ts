import type { Types } from 'mongoose';
import { isDuplicateKey, type RunTransaction } from '../../kernel/database/transaction.ts';
import type { Batches, PendingEvent } from './batch.ts';
import { countEvents } from './figures.ts';
import type { EventHeadDocument, EventModels } from './model.ts';

/**
 * The result of one turn: how many events got numbers, the last number, whether there may be more, and whether events wait for
 * an earlier version; or that a later holder of the partition has numbered, so that this one must stop.
 */
type Numbered =
  | {
      readonly kind: 'numbered';
      readonly count: number;
      readonly lastSeq: number;
      readonly more: boolean;
      readonly holds: boolean;
    }
  | { readonly kind: 'fenced' };

export interface Numbering {
  /**
   * Numbers the partition's next batch under the term of its holder, in one transaction.
   * @throws errors of the database; what was numbered then, if anything, is read from the database in the next turn
   */
  next(term: number): Promise<Numbered>;
  /** Whether an event was numbered here lately. */
  isNumbered(id: Types.ObjectId): boolean;
}

interface NumberingDeps {
  models: Pick<EventModels, 'events' | 'heads' | 'figures'>;
  partition: number;
  batches: Batches;
  runTransaction: RunTransaction;
  clock(): Date;
  /** How long the log is kept, in milliseconds. */
  retentionMs: number;
}

/**
 * Gives numbers so that no reader can pass one that is still to appear. The head document and the events change in one
 * transaction, and every such transaction changes the head from the very state that it read: of two at once one fails
 * whole. So the visible numbers are at any time 1 to `lastSeq` without a gap, whichever process crashes, and whether or not
 * each partition had one holder; the division among processes and its terms only keep two of them from trying at once.
 */
export function createNumbering(deps: NumberingDeps): Numbering {
  let head: EventHeadDocument | undefined;
  return {
    isNumbered: deps.batches.isNumbered,
    next: async (term) => {
      const from = head?.term === term ? head : await claim(deps, term);
      // Set again only after success: a transaction with an unknown outcome may have moved the head.
      head = undefined;
      if (from === undefined) {
        return { kind: 'fenced' };
      }
      const { events, full, holds } = await deps.batches.next();
      if (events.length === 0) {
        head = from;
        return { kind: 'numbered', count: 0, lastSeq: from.lastSeq, more: false, holds };
      }
      const to = advance(deps, from, events.length);
      if (!(await commit(deps, from, to, events))) {
        return { kind: 'fenced' };
      }
      head = to;
      deps.batches.numbered(events);
      return { kind: 'numbered', count: events.length, lastSeq: to.lastSeq, more: full, holds };
    },
  };
}

/** Marks the head with the term, which shuts out all earlier ones, and reads how far the partition is numbered. */
async function claim(
  { models: { heads }, partition }: NumberingDeps,
  term: number,
): Promise<EventHeadDocument | undefined> {
  const mark = () =>
    heads
      .findOneAndUpdate(
        { _id: partition, term: { $lte: term } },
        { $set: { term } },
        { returnDocument: 'after' },
      )
      .lean();
  const marked = await mark();
  if (marked) {
    return marked;
  }
  // The head has a later term, or does not exist yet; then several may create it at once, and none of them is too late.
  await createHead(heads, { _id: partition, term, lastSeq: 0, keptUntil: new Date(0) });
  return (await mark()) ?? undefined;
}

async function createHead(heads: EventModels['heads'], head: EventHeadDocument): Promise<void> {
  try {
    await heads.create(head);
  } catch (error) {
    if (!isDuplicateKey(error)) {
      throw error;
    }
  }
}

function advance(
  { clock, retentionMs }: NumberingDeps,
  from: EventHeadDocument,
  count: number,
): EventHeadDocument & { readonly numberedAt: Date } {
  // It never goes back, whatever the clocks of the processes say: what is later in the log is removed later.
  const numberedAt = clock();
  const keptUntil = new Date(Math.max(numberedAt.getTime() + retentionMs, from.keptUntil.getTime()));
  return { ...from, lastSeq: from.lastSeq + count, keptUntil, numberedAt };
}

/** Another process has numbered since: nothing is written. */
class FencedError extends Error {}

/** @returns false, with nothing written, when the head is no longer what `from` says */
async function commit(
  { models, runTransaction }: NumberingDeps,
  from: EventHeadDocument,
  to: ReturnType<typeof advance>,
  events: readonly PendingEvent[],
): Promise<boolean> {
  const ids = events.map(({ _id }) => _id);
  const { term, lastSeq, keptUntil, numberedAt } = to;
  const place = { $indexOfArray: [{ $literal: ids }, '$_id'] };
  try {
    await runTransaction((unit) => {
      unit.update(models.heads, {
        filter: { _id: to._id, term, lastSeq: from.lastSeq },
        update: { $set: { lastSeq, keptUntil, numberedAt } },
        otherwise: () => new FencedError(),
      });
      unit.updateMany(models.events, {
        filter: { _id: { $in: ids }, pending: true },
        update: [
          { $set: { seq: { $add: [from.lastSeq + 1, place] }, keptUntil } },
          { $unset: ['pending', 'figure'] },
        ],
        expected: events.length,
        otherwise: () => new Error(`Of ${events.length} unnumbered events some were numbered already`),
      });
      // Exactly once: an event is numbered once, by the one process whose term the head has.
      countEvents(models.figures, events, unit);
    });
    return true;
  } catch (error) {
    if (error instanceof FencedError) {
      return false;
    }
    throw error;
  }
}
