import type { AccountId } from '../../kernel/account.ts';
import { hashEntry } from '../chain.ts';
import { readChain } from '../export.ts';
import type { LedgerModels } from '../store/model.ts';
import type { ChainPosition, ClosingDocument } from './model.ts';
import { closingOf, createMovementSums, type Movement } from './movements.ts';

/** The number of the last entry that counts before a time; undefined when a reset has removed the journal. */
export async function lastNumberBefore(
  { entries, heads }: LedgerModels,
  accountId: AccountId,
  after: number,
  time: Date,
): Promise<number | undefined> {
  const head = await heads.findById(accountId).lean();
  let [last, behind] = [after, (head?.number ?? 0) + 1];
  // `bookedAt` never goes back along the chain.
  while (behind - last > 1) {
    const number = Math.floor((last + behind) / 2);
    const entry = await entries.findOne({ accountId, number }).select({ bookedAt: 1 }).lean();
    if (entry?.bookedAt === undefined) {
      return undefined;
    }
    if (entry.bookedAt < time) {
      last = number;
    } else {
      behind = number;
    }
  }
  return behind > last ? last : undefined;
}

/** The entries of a day: their sums, and the end of the chain behind them. */
export interface ReadDay {
  readonly end: ChainPosition;
  readonly movements: readonly Movement[];
}

/**
 * Reads the entries of a day one after the other, in batches.
 * @returns undefined when a stop has interrupted it, and without one of the entries: a reset removes them; otherwise an audit names it
 * @throws for an entry that is not as it was sealed
 */
export async function readDay(
  models: LedgerModels,
  last: ClosingDocument,
  number: number,
  signal: AbortSignal,
): Promise<ReadDay | undefined> {
  const sums = createMovementSums();
  let end: Pick<ChainPosition, 'number' | 'hash'> = last;
  for await (const entry of readChain(models, last.accountId, last.number, number)) {
    if (signal.aborted || entry.number !== end.number + 1) {
      return undefined;
    }
    if (hashEntry(end.hash, entry) !== entry.hash) {
      throw new Error(
        `Somebody has changed entry ${entry.number} of ${entry.accountId}: no statement is issued`,
      );
    }
    sums.addEntry(entry);
    end = entry;
  }
  const movements = sums.all();
  const balances = closingOf(last.balances, movements);
  return end.number === number ? { end: { number, hash: end.hash, balances }, movements } : undefined;
}
