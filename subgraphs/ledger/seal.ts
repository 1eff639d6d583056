import type { AccountId } from '../kernel/account.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { withAnyOf } from '../kernel/database/any-of.ts';
import { isDuplicateKey, type RunTransaction } from '../kernel/database/transaction.ts';
import type { ReadChanges } from '../runtime/events/index.ts';
import { addToChain, NO_ENTRIES, sealEnd } from './chain.ts';
import type { DayDocument, EntryDocument, HeadDocument, LedgerModels, SealedEntry } from './store/model.ts';

/** The kind of entity whose changes post entries. */
const POSTING = 'operation';
/** Most events of a turn. */
const MOST_EVENTS = 500;

interface SealerDeps {
  readonly models: LedgerModels;
  readonly changes: ReadChanges;
  /** Seals the ends of chains. */
  readonly box: Box;
  readonly transaction: RunTransaction;
}

/**
 * Gives entries their places in the chains of their accounts, in the order of the event log, until none is left or the signal
 * aborts. Several processes may do it at once, and be killed: a turn is one transaction, which is conditional on the end of the
 * chain. Entries whose event has no number yet wait for it. @returns how many entries
 */
export async function sealEntries(deps: SealerDeps, signal: AbortSignal): Promise<number> {
  let sealed = 0;
  const accountIds: AccountId[] = await deps.models.entries.distinct('accountId', { pending: true });
  for (const accountId of accountIds) {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const turn = await sealSome(deps, accountId);
      sealed += turn.sealed;
      hasMore = turn.hasMore;
    }
  }
  return sealed;
}

async function sealSome(
  deps: SealerDeps,
  accountId: AccountId,
): Promise<{ readonly sealed: number; readonly hasMore: boolean }> {
  const { models, changes, box } = deps;
  const found = await models.heads.findById(accountId).lean();
  const from = found ?? { ...NO_ENTRIES, bookedAt: new Date(0), seq: 0 };
  const events = await changes(accountId, POSTING, from.seq, MOST_EVENTS);
  const seq = events.at(-1)?.seq;
  if (seq === undefined) {
    return { sealed: 0, hasMore: false };
  }
  let end: Parameters<typeof addToChain>[0] = from;
  const sealed: SealedEntry[] = [];
  const days = new Map<string, DayDocument>();
  for (const pending of await readEntries(models, accountId, events)) {
    const added = addToChain(end, pending);
    sealed.push(added.entry);
    end = added.end;
    const { day } = added.entry;
    const { bookedAt: _, ...chainEnd } = end;
    const closing = { _id: `${accountId}|${day}`, accountId, day, ...chainEnd };
    days.set(day, { ...closing, seal: sealEnd(box, closing) });
  }
  const { number, hash, bookedAt, balances } = end;
  const next = { _id: accountId, accountId, number, hash, bookedAt, balances, seq };
  const head = { ...next, seal: sealEnd(box, next) };
  const isSaved = await save(deps, found ?? undefined, head, sealed, [...days.values()]);
  return isSaved
    ? { sealed: sealed.length, hasMore: events.length === MOST_EVENTS }
    : { sealed: 0, hasMore: false };
}

/** The unsealed entries of events, in the order of the events. They were committed with them, so all of them are there. */
async function readEntries(
  { entries }: LedgerModels,
  accountId: AccountId,
  events: readonly { readonly entityId: string; readonly version: number }[],
): Promise<EntryDocument[]> {
  const ids = [...new Set(events.map(({ entityId }) => entityId))];
  const found = await entries
    .find(withAnyOf(entries, { accountId }, 'entityId', ids))
    .lean<EntryDocument[]>();
  const byVersion = new Map(
    found
      .filter(({ entity, pending }) => entity === POSTING && pending === true)
      .map((entry) => [`${entry.version} ${entry.entityId}`, entry]),
  );
  return events.flatMap(({ entityId, version }) => byVersion.get(`${version} ${entityId}`) ?? []);
}

/** Another process has sealed these entries, or a reset has removed them: nothing is written. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/** @returns false, with nothing written, when the chain no longer ends at `found` */
async function save(
  { models, transaction }: SealerDeps,
  found: HeadDocument | undefined,
  head: HeadDocument,
  sealed: readonly SealedEntry[],
  days: readonly DayDocument[],
): Promise<boolean> {
  const otherwise = () => new OvertakenError();
  const { _id, accountId } = head;
  const ids = sealed.map((entry) => entry._id);
  const place = { $indexOfArray: [{ $literal: ids }, '$_id'] };
  const placed = (values: readonly unknown[]) => ({ $arrayElemAt: [{ $literal: values }, place] });
  try {
    await transaction((unit) => {
      if (found) {
        const filter = { _id, number: found.number, seq: found.seq };
        unit.update(models.heads, { filter, update: { $set: head }, otherwise });
      } else {
        unit.insert(models.heads, [head]);
      }
      if (ids.length > 0) {
        const $set = {
          number: placed(sealed.map(({ number }) => number)),
          bookedAt: placed(sealed.map(({ bookedAt }) => bookedAt)),
          day: placed(sealed.map(({ day }) => day)),
          hash: placed(sealed.map(({ hash }) => hash)),
        };
        unit.updateMany(models.entries, {
          filter: { _id: { $in: ids }, accountId, pending: true },
          update: [{ $set }, { $unset: ['pending'] }],
          expected: ids.length,
          otherwise,
        });
      }
      for (const { _id: id, ...day } of days) {
        unit.upsert(models.days, { filter: { _id: id }, update: { $set: day } });
      }
    });
    return true;
  } catch (error) {
    if (error instanceof OvertakenError || isDuplicateKey(error)) {
      return false;
    }
    throw error;
  }
}
