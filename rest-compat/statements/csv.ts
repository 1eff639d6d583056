import { csvRecord } from '../exports/csv.ts';
import type { Statement } from './presenters.ts';

const COLUMNS = ['statement', 'from', 'to', 'currency', 'section', 'entries', 'account', 'debit', 'credit'];

/**
 * A statement as a CSV file: a row for each amount of its sections `OPENING`, then those of the kinds of entries, then `CLOSING`. No
 * amount is below 0, which a spreadsheet could take for a formula: debits and credits have columns of their own.
 */
export function toCsv({ id, from, to, currency, opening, movements, closing }: Statement): string {
  const rowsOf = (section: string, entries: string, amounts: Statement['opening']) =>
    amounts.map(({ account, amount }) => {
      const sides = amount.startsWith('-') ? [null, amount.slice(1)] : [amount, null];
      return csvRecord([id, from, to, currency, section, entries, account, ...sides]);
    });
  return [
    csvRecord(COLUMNS),
    ...rowsOf('OPENING', '', opening),
    ...movements.flatMap(({ kind, entries, amounts }) => rowsOf(kind, String(entries), amounts)),
    ...rowsOf('CLOSING', '', closing),
  ].join('');
}
