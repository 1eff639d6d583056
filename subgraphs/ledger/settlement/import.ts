import { createHash, type Hash } from 'node:crypto';
import type { AccountId } from '../../kernel/account.ts';
import { pagesByTime } from '../../kernel/database/pages-by-time.ts';
import { type RunTransaction, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { addDays, dayFormat, startOfDay } from '../statements/periods.ts';
import { compareRows, gone, type KeyedRow, movementsOf, openMissing, type RunningImport } from './compare.ts';
import type { Mapping, SettlementRow } from './mapping.ts';
import type { Movement } from './match.ts';
import type { SettlementFileDocument } from './model.ts';

/** Rows, or movements, of a transaction. */
const AT_ONCE = 200;
/** Journal entries that are read in one command: some servers read the whole period for each. */
const READ_AT_ONCE = 2_000;

export interface ImportDeps extends Pick<RunningImport, 'entries' | 'models' | 'box' | 'accountClock'> {
  readonly transaction: RunTransaction;
  /** Raises the event about discrepancies that an import has opened, in the transaction that ends it. */
  readonly raise: (file: SettlementFileDocument, unit: UnitOfWork) => Promise<void>;
}

/** A file to import. */
export interface SettlementInput {
  readonly accountId: AccountId;
  readonly mapping: Mapping;
  /** Reads the file from its beginning, gives its bytes to the hash, and its rows to the caller. @throws OperatorError for a wrong file */
  readonly readRows: (hash: Hash) => AsyncIterable<SettlementRow>;
  /**
   * The days, `YYYY-MM-DD` in the mapping's zone, both included, all of whose movements the file must have. Absent: no movement is
   * reported as missing with the provider.
   */
  readonly period?: { readonly from: string; readonly to: string } | undefined;
}

/** Gets how far an import is; `of` only for rows that are compared, whose number is known. */
export type OnProgress = (step: 'check' | 'rows' | 'movements', done: number, of?: number) => void;

/**
 * Imports a provider's file: reads it once to check every row, then compares its rows, and those of earlier files that had no movement,
 * with the journal in transactions of 200, and ends with the movements of the period that no row has. Rows that have a movement from
 * an earlier import are skipped: an interrupted import goes on, and the same file again changes nothing.
 * @returns the import's record, with its counts
 * @throws OperatorError with what is wrong with file, mapping or period; then nothing is imported
 */
export async function importSettlement(
  deps: ImportDeps,
  { accountId, mapping, readRows, period }: SettlementInput,
  onProgress: OnProgress,
): Promise<{ readonly file: SettlementFileDocument; readonly isRepeated: boolean }> {
  const { models, accountClock, transaction } = deps;
  const days = dayFormat(mapping.timeZone);
  if (period && (period.from > period.to || period.to >= days.format(accountClock(accountId)))) {
    throw new OperatorError('The period must end before today, and not before it begins');
  }
  const hash = createHash('sha256');
  let rows = 0;
  for await (const _ of readRows(hash)) {
    rows += 1;
    onProgress('check', rows);
  }
  const fileId = hash.digest('hex');
  const _id = `${accountId}|${fileId}|${digestOf([mapping, period ?? null])}`;
  const made = { accountId, provider: mapping.provider, fileId, rows, matched: 0, opened: {} };
  const $setOnInsert = { ...made, createdAt: accountClock(accountId) };
  await retryOnConflict(() => models.files.updateOne({ _id }, { $setOnInsert }, { upsert: true }));
  const file = await models.files.findById(_id).orFail(gone).lean<SettlementFileDocument>();
  if (file.finishedAt) {
    return { file, isRepeated: true };
  }
  const run: RunningImport['run'] = (work) => retryOnConflict(() => transaction(work));
  const running = { ...deps, accountId, mapping, fileId, _id, days, run };
  for await (const batch of batchesOf(earlierRows(running))) {
    await run((unit) => compareRows(running, batch, unit));
  }
  const again = createHash('sha256');
  let done = 0;
  for await (const batch of batchesOf(keyedRows(running, readRows(again)))) {
    await run((unit) => compareRows(running, batch, unit));
    done += batch.length;
    onProgress('rows', done, rows);
  }
  if (again.digest('hex') !== fileId) {
    throw new OperatorError('The file has changed while it was imported: import it again');
  }
  if (period) {
    await findMissing(running, period, (entries) => onProgress('movements', entries));
  }
  return { file: await finish(deps, running), isRepeated: false };
}

/** The rows of the provider's earlier files that had no movement. */
async function* earlierRows({ models, accountId, mapping }: RunningImport): AsyncGenerator<KeyedRow> {
  const filter = { accountId, provider: mapping.provider, row: { $exists: true } };
  for await (const one of models.discrepancies.find(filter).lean().cursor({ batchSize: AT_ONCE })) {
    const { row: _id = '', line = 0, providerAmount: amount = '', providerDay: day = '' } = one;
    const { fileId, reference, currency } = one;
    yield { _id, fileId, line, reference, amount, currency, day };
  }
}

/** Rows with their ids: equal rows of a file are numbered, and the same row of a corrected file has the same id. */
async function* keyedRows(
  { accountId, fileId, mapping: { provider } }: RunningImport,
  rows: AsyncIterable<SettlementRow>,
): AsyncGenerator<KeyedRow> {
  const seen = new Map<string, number>();
  for await (const row of rows) {
    const digest = digestOf([provider, row.reference, row.amount, row.currency, row.day]);
    const before = seen.get(digest) ?? 0;
    seen.set(digest, before + 1);
    yield { ...row, fileId, _id: `${accountId}|${digest}|${before}` };
  }
}

async function* batchesOf(rows: AsyncIterable<KeyedRow>): AsyncGenerator<KeyedRow[]> {
  let batch: KeyedRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === AT_ONCE) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 24);
}

/** Opens a discrepancy for each movement of the period, in the currencies and the direction of the mapping, that no row has. */
async function findMissing(
  running: RunningImport,
  { from, to }: NonNullable<SettlementInput['period']>,
  onProgress: (done: number) => void,
): Promise<void> {
  const { entries, accountId, mapping, run } = running;
  const pages = pagesByTime(entries, {
    ...{ filter: { accountId }, time: 'createdAt', limit: READ_AT_ONCE },
    ...{ from: startOfDay(from, mapping.timeZone), before: startOfDay(addDays(to, 1), mapping.timeZone) },
  });
  let done = 0;
  for await (const page of pages) {
    const covered = page
      .flatMap((entry) => movementsOf(running, entry))
      .filter((one) => isCovered(mapping, one));
    for (let at = 0; at < covered.length; at += AT_ONCE) {
      await run((unit) => openMissing(running, covered.slice(at, at + AT_ONCE), unit));
    }
    done += page.length;
    onProgress(done);
  }
}

/** Whether the file must have a movement. */
function isCovered({ currencies, amounts }: Mapping, { currency, amount }: Movement): boolean {
  const others = { collections: '-', payouts: '+', signed: '', reversed: '' }[amounts];
  return currencies.includes(currency) && (amount.startsWith('-') ? '-' : '+') !== others;
}

function finish(
  { models: { files }, transaction, accountClock, raise }: ImportDeps,
  { _id, accountId }: RunningImport,
) {
  return transaction(async (unit): Promise<SettlementFileDocument> => {
    const found = await files.findById(_id).session(unit.session).orFail(gone).lean<SettlementFileDocument>();
    if (found.finishedAt) {
      return found;
    }
    const file = { ...found, finishedAt: accountClock(accountId) };
    const { finishedAt } = file;
    unit.update(files, { filter: { _id }, update: { $set: { finishedAt } } });
    if (Object.keys(file.opened).length > 0) {
      await raise(file, unit);
    }
    return file;
  });
}
