import type { AccountId } from '../kernel/account.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { withAnyOf } from '../kernel/database/any-of.ts';
import { isDuplicateKey, type RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { workThrough } from '../kernel/work-through.ts';
import type { EventHistory } from '../runtime/events/index.ts';
import { addToChain, isSealed, NO_ENTRIES, sealEnd } from './chain.ts';
import type {
  ChainEnd,
  DayDocument,
  EntryDocument,
  HeadDocument,
  LedgerModels,
  SealedEntry,
} from './store/model.ts';

/** The kind of entity whose changes post entries. */
const POSTING = 'operation';
/** Most events of a turn. */
const MOST_EVENTS = 500;

export interface SealerDeps {
  readonly models: LedgerModels;
  readonly history: Pick<EventHistory, 'changesAfter'>;
  /** Seals the ends of chains. */
  readonly box: Box;
  readonly transaction: RunTransaction;
}

/**
 * Gives entries their places in the chains of their accounts, in the order of the event log, until none is left or the signal
 * aborts. Several processes may do it at once, and be killed: a turn is one transaction, which is conditional on the end of the
 * chain, and on its seal. Entries whose event has no number yet wait for it. @returns how many entries
 * @throws the first error, after the accounts without one
 */
export async function sealEntries(deps: SealerDeps, signal: AbortSignal): Promise<number> {
  let sealed = 0;
  await workThrough(await deps.models.entries.distinct('accountId', { pending: true }), async (accountId) => {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const turn = await sealSome(deps, accountId);
      sealed += turn.sealed;
      hasMore = turn.hasMore;
    }
  });
  return sealed;
}

interface Turn {
  readonly sealed: number;
  readonly hasMore: boolean;
}

const NOTHING: Turn = { sealed: 0, hasMore: false };

async function sealSome(deps: SealerDeps, accountId: AccountId): Promise<Turn> {
  try {
    return await deps.transaction((unit) => sealInTransaction(deps, accountId, unit));
  } catch (error) {
    if (error instanceof OvertakenError || isDuplicateKey(error)) {
      return NOTHING;
    }
    throw error;
  }
}

/** Another process has sealed these entries, or a reset has removed them: nothing is written. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/** Reads and writes in one snapshot: an event that is seen has its entry, on a sharded cluster too. */
async function sealInTransaction(
  { models, history, box }: SealerDeps,
  accountId: AccountId,
  unit: UnitOfWork,
): Promise<Turn> {
  const found = await models.heads.findById(accountId).session(unit.session).lean();
  const isWhole = found
    ? isSealed(box, found)
    : (await models.entries.exists({ accountId, number: 1 }).session(unit.session)) === null;
  if (!isWhole) {
    throw new Error(`Somebody has changed the end of the journal of ${accountId}: nothing is added to it`);
  }
  const from = found ?? { ...NO_ENTRIES, seq: 0 };
  const events = await history.changesAfter(accountId, POSTING, from.seq, MOST_EVENTS, unit.session);
  const seq = events.at(-1)?.seq;
  if (seq === undefined) {
    return NOTHING;
  }
  let end: ChainEnd = from;
  const sealed: SealedEntry[] = [];
  const days = new Map<string, DayDocument>();
  for (const pending of await readEntries(models, accountId, events, unit)) {
    const added = addToChain(end, pending);
    sealed.push(added.entry);
    end = added.end;
    const { day } = added.entry;
    const closing = { _id: `${accountId}|${day}`, accountId, day, ...end };
    days.set(day, { ...closing, seal: sealEnd(box, closing) });
  }
  const { number, hash, bookedAt, balances } = end;
  const next = { _id: accountId, accountId, number, hash, bookedAt, balances, seq };
  const head = { ...next, seal: sealEnd(box, next) };
  save(models, found ?? undefined, { head, sealed, days: [...days.values()] }, unit);
  return { sealed: sealed.length, hasMore: events.length === MOST_EVENTS };
}

/** The unsealed entries of events, in the order of the events. */
async function readEntries(
  { entries }: LedgerModels,
  accountId: AccountId,
  events: readonly { readonly entityId: string; readonly version: number }[],
  { session }: UnitOfWork,
): Promise<EntryDocument[]> {
  const ids = [...new Set(events.map(({ entityId }) => entityId))];
  const found = await entries
    .find(withAnyOf(entries, { accountId }, 'entityId', ids))
    .session(session)
    .lean<EntryDocument[]>();
  const byVersion = new Map(
    found
      .filter(({ entity, pending }) => entity === POSTING && pending === true)
      .map((entry) => [`${entry.version} ${entry.entityId}`, entry]),
  );
  return events.flatMap(({ entityId, version }) => byVersion.get(`${version} ${entityId}`) ?? []);
}

/** Writes places and ends, only if the chain still ends at `found`. */
function save(
  models: LedgerModels,
  found: HeadDocument | undefined,
  turn: {
    readonly head: HeadDocument;
    readonly sealed: readonly SealedEntry[];
    readonly days: readonly DayDocument[];
  },
  unit: UnitOfWork,
): void {
  const { head, sealed, days } = turn;
  const otherwise = () => new OvertakenError();
  const { _id, accountId } = head;
  if (found) {
    // Its time too: the end of a day that statements have closed is later.
    const filter = { _id, number: found.number, seq: found.seq, bookedAt: found.bookedAt };
    unit.update(models.heads, { filter, update: { $set: head }, otherwise });
  } else {
    unit.insert(models.heads, [head]);
  }
  const ids = sealed.map((entry) => entry._id);
  if (ids.length > 0) {
    const place = { $indexOfArray: [{ $literal: ids }, '$_id'] };
    const placed = (values: readonly unknown[]) => ({ $arrayElemAt: [{ $literal: values }, place] });
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
}
