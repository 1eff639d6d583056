import type { Box } from '../../kernel/crypto/box.ts';
import { hashEntry, isSealed } from '../chain.ts';
import { isSame } from '../chart.ts';
import { findDay, readChain } from '../export.ts';
import type { LedgerModels } from '../store/model.ts';
import type { ChainPosition, ClosingDocument } from './model.ts';
import { closingOf, createMovementSums, type Movement } from './movements.ts';

/** The entries of a day: their sums, and the end of the chain behind them. */
export interface ReadDay {
  readonly end: ChainPosition;
  readonly movements: readonly Movement[];
}

/**
 * Reads the entries behind those of the last closed day one after the other, in batches, as far as a sealed end of the chain. That proves
 * that they are as they were sealed, that the day has all of its own, and that the balances before it were right.
 * @param to the end of the day
 * @returns undefined when a stop has interrupted it, and without one of the entries: a reset removes them; otherwise an audit names it
 * @throws for an entry, an end or balances that somebody has changed
 */
export async function readDay(
  { models, box }: { readonly models: LedgerModels; readonly box: Box },
  last: ClosingDocument,
  to: Date,
  signal: AbortSignal,
): Promise<ReadDay | undefined> {
  const { accountId } = last;
  // The entries behind its end are of a later day in UTC, and so not before `to`.
  const lastDay = new Date(to.getTime() - 1).toISOString().slice(0, 10);
  const dayEnd = await findDay(models, accountId, { $gte: lastDay }, 1);
  const sealed = dayEnd ?? (await models.heads.findById(accountId).lean());
  if (!sealed) {
    return undefined;
  }
  const changed = (name: string) =>
    new Error(`Somebody has changed ${name} of ${accountId}: no statement is issued`);
  if (!isSealed(box, sealed)) {
    throw changed('an end of the journal');
  }
  const [sums, later] = [createMovementSums(), createMovementSums()];
  let end: Pick<ChainPosition, 'number' | 'hash'> = last;
  let place = end;
  for await (const entry of readChain(models, accountId, last.number, sealed.number)) {
    if (signal.aborted || entry.number !== place.number + 1) {
      return undefined;
    }
    if (hashEntry(place.hash, entry) !== entry.hash) {
      throw changed(`entry ${entry.number}`);
    }
    place = entry;
    if (entry.bookedAt < to) {
      sums.addEntry(entry);
      end = entry;
    } else {
      later.addEntry(entry);
    }
  }
  if (place.number < sealed.number) {
    return undefined;
  }
  const movements = sums.all();
  const balances = closingOf(last.balances, movements);
  if (place.hash !== sealed.hash || !isSame(closingOf(balances, later.all()), sealed.balances)) {
    throw changed('the journal, or the end of the statements,');
  }
  return { end: { number: end.number, hash: end.hash, balances }, movements };
}
