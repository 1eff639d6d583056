import { expect } from '@jest/globals';
import { type JournalLine, sumLines } from '../chart.ts';
import type { LedgerModels } from '../store/model.ts';
import type { StatementDocument } from './model.ts';

/** The sums of the journal's lines in a period, read from its entries alone. */
async function recompute(
  { entries }: Pick<LedgerModels, 'entries'>,
  { accountId, to, currency }: StatementDocument,
  since: Date,
): Promise<JournalLine[]> {
  const found = await entries.find({ accountId, bookedAt: { $gte: since, $lt: to } }).lean();
  return sumLines(found.flatMap(({ lines }) => lines).filter((line) => line.currency === currency));
}

const inCurrency = ({ currency }: StatementDocument, amounts: StatementDocument['closing']) =>
  amounts.map((amount) => ({ ...amount, currency }));

/** Each statement agrees with the journal, and begins where the one before it ended; later only after an end without balances. */
export async function expectRightStatements(
  models: Pick<LedgerModels, 'entries'>,
  statements: readonly StatementDocument[],
): Promise<void> {
  const before = new Map<string, StatementDocument>();
  for (const statement of statements) {
    const { opening, movements, closing, currency, hash, lastEntry } = statement;
    const moved = movements.flatMap(({ amounts }) => inCurrency(statement, amounts));
    expect(sumLines(moved)).toEqual(await recompute(models, statement, statement.from));
    expect(inCurrency(statement, closing)).toEqual(await recompute(models, statement, new Date(0)));
    expect(sumLines([...inCurrency(statement, opening), ...moved])).toEqual(inCurrency(statement, closing));
    if (lastEntry > 0) {
      const last = await models.entries.findOne({ accountId: statement.accountId, number: lastEntry }).lean();
      expect(last?.hash).toBe(hash);
    }
    const former = before.get(currency);
    if (former) {
      const begin = former.closing.length > 0 ? former.to : expect.any(Date);
      expect([statement.from, opening, statement.entriesAfter, statement.hashBefore]).toEqual([
        begin,
        former.closing,
        former.lastEntry,
        former.hash,
      ]);
    }
    before.set(currency, statement);
  }
}
