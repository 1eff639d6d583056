import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import { groupItems } from '../../../subgraphs/kernel/objects.ts';
import { createSettlementModels } from '../../../subgraphs/ledger/settlement/model.ts';
import { runCommand } from './commands.ts';
import { fromUnits } from './money.ts';
import type { ProviderMovement, Recomputed } from './recompute.ts';

/** A settlement file with faults, and the discrepancies that it must open: `kind reference currency`. */
interface SeededFile {
  readonly accountId: AccountId;
  readonly from: string;
  readonly to: string;
  readonly rows: readonly string[];
  readonly faults: readonly string[];
}

/** The outcome of an import. */
export interface Imported {
  readonly accountId: AccountId;
  readonly rows: number;
  readonly faults: number;
  readonly seconds: number;
  readonly residentMiB: number;
  readonly problems: readonly string[];
}

/** A file ends with the day that makes it this long. */
const ROWS_OF_A_FILE = 90_000;
/** Rows from a fault of a kind to the next one of the same kind. */
const FAULT_EVERY = 100;

/**
 * Writes a provider's files from the events, with faults of each kind in 1 % of the rows, imports them, and compares the
 * discrepancies. The first file is imported a second time, which must change nothing.
 */
export async function importSeeded(
  connection: Connection,
  all: readonly Recomputed[],
  env: Readonly<Record<string, string>>,
  { today, folder }: { readonly today: string; readonly folder: string },
): Promise<Imported[]> {
  const done: Imported[] = [];
  for (const [index, file] of all.flatMap((one) => seededFiles(one, today)).entries()) {
    done.push(await importOne(connection, file, env, join(folder, `settlement-${index}`), index === 0));
  }
  return done;
}

function seededFiles({ accountId, movements }: Recomputed, today: string): SeededFile[] {
  const byDay = groupItems(
    movements.filter(({ day }) => day < today),
    ({ day }) => day,
  );
  const files: SeededFile[] = [];
  let open: { from: string; to: string; rows: string[]; faults: string[] } | undefined;
  for (const [day, some] of [...byDay].sort(([one], [other]) => (one < other ? -1 : 1))) {
    open ??= { from: day, to: day, rows: [], faults: [] };
    open.to = day;
    addRows(open, some);
    if (open.rows.length >= ROWS_OF_A_FILE) {
      files.push({ accountId, ...open });
      open = undefined;
    }
  }
  return open ? [...files, { accountId, ...open }] : files;
}

function addRows(file: { rows: string[]; faults: string[] }, movements: readonly ProviderMovement[]): void {
  for (const { reference, currency, amount, day } of movements) {
    const row = (other: { reference?: string; amount?: bigint } = {}) =>
      [other.reference ?? reference, fromUnits(other.amount ?? amount), day, currency].join(',');
    const place = file.rows.length % FAULT_EVERY;
    const fault = (kind: string, of = reference) => file.faults.push(`${kind} ${of} ${currency}`);
    if (place === 10) {
      fault('MISSING_WITH_THEM');
      // In its place, so that the next row is another one's.
      file.rows.push(row({ reference: `none-${reference}` }));
      fault('MISSING_WITH_US', `none-${reference}`);
    } else if (place === 30) {
      fault('AMOUNT_DIFFERS');
      file.rows.push(row({ amount: amount + 1_000n }));
    } else {
      file.rows.push(row());
      if (place === 50) {
        fault('DUPLICATE');
        file.rows.push(row());
      }
    }
  }
}

async function importOne(
  connection: Connection,
  { accountId, from, to, rows, faults }: SeededFile,
  env: Readonly<Record<string, string>>,
  path: string,
  isRepeated: boolean,
): Promise<Imported> {
  const [file, mapping] = [`${path}.csv`, `${path}.json`];
  writeFileSync(file, ['reference,amount,day,currency', ...rows, ''].join('\n'));
  writeFileSync(
    mapping,
    JSON.stringify({
      provider: 'acquirer',
      columns: { reference: 'reference', amount: 'amount', date: 'day', currency: 'currency' },
      ...{
        currencies: ['USD', 'MXN', 'JPY', 'BHD'],
        dateFormat: 'YYYY-MM-DD',
        decimalSign: '.',
        amounts: 'signed',
      },
    }),
  );
  const tenant = accountId.split('/')[0] ?? '';
  const args = ['import', '--file', file, '--mapping', mapping, '--tenant', tenant, '--sandbox', '--json'];
  const { discrepancies } = createSettlementModels(connection);
  const read = async () => {
    const found = await discrepancies.find({ accountId }).lean();
    return found.map(({ _id, kind, reference, currency }) => ({
      _id,
      text: `${kind} ${reference} ${currency}`,
    }));
  };
  const before = new Set((await read()).map(({ _id }) => _id));
  const { seconds, residentMiB } = await runCommand('ledger', [...args, '--from', from, '--to', to], env);
  const opened = (await read()).filter(({ _id }) => !before.has(_id)).map(({ text }) => text);
  const problems = differences(faults, opened).map((text) => `${accountId}, ${from} to ${to}: ${text}`);
  if (isRepeated) {
    const count = await discrepancies.countDocuments({});
    await runCommand('ledger', [...args, '--from', from, '--to', to], env);
    const after = await discrepancies.countDocuments({});
    problems.push(...(after === count ? [] : [`The same file again opened ${after - count} discrepancies`]));
  }
  return { accountId, rows: rows.length, faults: faults.length, seconds, residentMiB, problems };
}

/** The texts that only one of two lists has, or that one has more often. */
function differences(expected: readonly string[], found: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of expected) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const text of found) {
    counts.set(text, (counts.get(text) ?? 0) - 1);
  }
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([text, count]) => (count > 0 ? `was not found: ${text}` : `was invented: ${text}`));
}
