import { createHash } from 'node:crypto';
import type { AccountId } from '../../kernel/account.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { groupItems } from '../../kernel/objects.ts';
import type { EntryDocument, LedgerModels } from '../store/model.ts';
import { changeOf } from './discrepancies.ts';
import type { Mapping, SettlementRow } from './mapping.ts';
import { judge, type Movement } from './match.ts';
import { type DiscrepancyDocument, type SettlementModels, UNSETTLED } from './model.ts';

/** An import while it runs. */
export interface RunningImport {
  readonly entries: LedgerModels['entries'];
  readonly models: SettlementModels;
  /** Seals logs of discrepancies. */
  readonly box: Box;
  readonly accountClock: (accountId: AccountId) => Date;
  readonly accountId: AccountId;
  readonly mapping: Mapping;
  /** SHA-256 of the file in hexadecimal. */
  readonly fileId: string;
  /** The id of its document in `settlementFiles`. */
  readonly _id: string;
  /** Formats days in the mapping's zone. */
  readonly days: Intl.DateTimeFormat;
  /** Does the work in a transaction, again after a conflict. */
  readonly run: (work: (unit: UnitOfWork) => Promise<void>) => Promise<void>;
}

/** A row with its id, by which it counts once. */
export interface KeyedRow extends SettlementRow {
  readonly _id: string;
  /** SHA-256 of the file that has it. */
  readonly fileId: string;
}

/** A discrepancy as an import finds it. */
type Found = Omit<
  DiscrepancyDocument,
  'accountId' | 'state' | 'unsettled' | 'provider' | 'version' | 'createdAt'
>;

/** The error of an import whose record is gone. */
export const gone = () => new OperatorError('The sandbox was reset meanwhile: import the file again');

/** Matches rows in one transaction: new ones, and again those without a movement, which may have been posted since. */
export async function compareRows(
  running: RunningImport,
  rows: readonly KeyedRow[],
  unit: UnitOfWork,
): Promise<void> {
  const { accountId, mapping, models } = running;
  const { session } = unit;
  const $in = rows.map(({ _id }) => _id);
  const stored = await findPlain(models.rows, { _id: { $in } }, { session, projection: { movement: 1 } });
  const known = new Map(stored.map(({ _id, movement }) => [_id, movement]));
  const open = rows.filter(({ _id }) => known.get(_id) === undefined);
  if (open.length === 0) {
    return;
  }
  const movements = await readMovements(running, open, unit);
  const earlier = await readRowsOf(running, [...movements.values()].flat(), unit);
  const matched = new Set(earlier.flatMap(({ movement = '', isMatch }) => (isMatch ? movement : [])));
  const judged = open.map((row) => {
    const { result, movement } = judge(row, movements.get(row.reference) ?? [], mapping.windowDays, matched);
    const isMatch = result === 'MATCHED';
    if (isMatch) {
      matched.add(movement.id);
    }
    return { row, result, movement, isMatch, isKnown: known.has(row._id) };
  });
  const changed = judged.filter(({ isKnown, movement }) => !isKnown || movement);
  for (const { row, movement, isMatch, isKnown } of changed) {
    const comparison = { isMatch, ...(movement && { movement: movement.id }) };
    if (isKnown) {
      unit.update(models.rows, { filter: { _id: row._id, accountId }, update: { $set: comparison } });
    } else {
      unit.insert(models.rows, [{ _id: row._id, accountId, ...comparison }]);
    }
  }
  await resolveFound(running, changed, unit);
  const found = changed.flatMap(({ row, result: kind, movement, isKnown }): Found | [] => {
    const { _id, fileId, line, reference, currency, amount: providerAmount, day: providerDay } = row;
    const ours = movement ? { ourAmount: movement.amount, ourDay: movement.day } : { row: _id };
    const both = { fileId, line, reference, currency, providerAmount, providerDay, ...ours };
    return kind === 'MATCHED' ? [] : { _id: idOf(isKnown ? `${_id}|again` : _id), kind, ...both };
  });
  store(running, found, changed.filter(({ isMatch, isKnown }) => isMatch && !isKnown).length, unit);
}

/** Opens a discrepancy for each of these movements that no row of any file has, once, in one transaction. */
export async function openMissing(
  running: RunningImport,
  movements: readonly Movement[],
  unit: UnitOfWork,
): Promise<void> {
  const { fileId } = running;
  const rows = await readRowsOf(running, movements, unit);
  const ids = movements.map(({ id }) => missingIdOf(running, id));
  const opened = await readDiscrepancies(running, ids, unit);
  const known = new Set([...rows.map(({ movement }) => movement), ...opened.map(({ _id }) => _id)]);
  const found = movements.flatMap(({ id, reference, currency, amount, day }): Found | [] => {
    const _id = missingIdOf(running, id);
    const ours = { fileId, reference, currency, ourAmount: amount, ourDay: day };
    return known.has(id) || known.has(_id) ? [] : { _id, kind: 'MISSING_WITH_THEM', ...ours };
  });
  store(running, found, 0, unit);
}

/** The movements of the operations that rows name, by operationId. */
async function readMovements(running: RunningImport, rows: readonly KeyedRow[], { session }: UnitOfWork) {
  const { entries, accountId } = running;
  const references = [...new Set(rows.map(({ reference }) => reference))];
  const filter = withAnyOf(entries, { accountId }, 'entityId', references);
  const found = references.length === 0 ? [] : await findPlain(entries, filter, { session });
  return groupItems(
    found.flatMap((entry) => movementsOf(running, entry)),
    ({ reference }) => reference,
  );
}

/** The movements of an entry: its lines at the provider. */
export function movementsOf({ days }: Pick<RunningImport, 'days'>, entry: EntryDocument): Movement[] {
  const { _id, entity, entityId: reference, lines, createdAt } = entry;
  const day = days.format(createdAt);
  return lines
    .filter(({ account }) => entity === 'operation' && account === 'PROVIDER_CLEARING')
    .map(({ currency, amount }) => ({ id: `${_id}|${currency}`, reference, currency, amount, day }));
}

/** The rows, of all files, that were compared with one of these movements. */
async function readRowsOf(running: RunningImport, movements: readonly Movement[], { session }: UnitOfWork) {
  const {
    accountId,
    models: { rows },
  } = running;
  const filter = withAnyOf(
    rows,
    { accountId },
    'movement',
    movements.map(({ id }) => id),
  );
  return movements.length === 0 ? [] : await findPlain(rows, filter, { session });
}

/** Resolves the discrepancies of movements that had no row, and of rows that had no movement, and have one now. */
async function resolveFound(
  running: RunningImport,
  compared: readonly { row: KeyedRow; movement?: Movement | undefined; isKnown: boolean }[],
  unit: UnitOfWork,
): Promise<void> {
  const { accountId, box, accountClock, models } = running;
  const notes = new Map<string, string>();
  for (const { row, movement, isKnown } of compared) {
    if (movement) {
      notes.set(missingIdOf(running, movement.id), `The file ${row.fileId} has it.`);
    }
    if (movement && isKnown) {
      notes.set(idOf(row._id), 'The journal has a movement for it now.');
    }
  }
  const found = await readDiscrepancies(running, [...notes.keys()], unit);
  for (const one of found.filter(({ state }) => UNSETTLED.includes(state))) {
    const { _id, version } = one;
    const decision = { by: null, state: 'RESOLVED', note: notes.get(_id) ?? null } as const;
    const { $set } = changeOf(box, one, { ...decision, at: accountClock(accountId) });
    unit.update(models.discrepancies, {
      filter: { _id, accountId, version },
      update: { $set, $unset: { unsettled: 1, row: 1 } },
      otherwise: () => new Error(`Discrepancy ${_id} changed within the transaction that read it`),
    });
  }
}

function readDiscrepancies({ models }: RunningImport, ids: readonly string[], { session }: UnitOfWork) {
  return findPlain(models.discrepancies, { _id: { $in: [...ids] } }, { session });
}

function missingIdOf({ accountId }: RunningImport, movementId: string): string {
  return idOf(`${accountId}|${movementId}`);
}

/** The id of the discrepancy about a row or a movement, by its key, which begins with the account: it is opened once. */
function idOf(key: string): string {
  return `dis_${createHash('sha256').update(key).digest('base64url').slice(0, 20)}`;
}

/** Opens discrepancies and counts them and matched rows, in the account's turn. */
function store(running: RunningImport, found: readonly Found[], matched: number, unit: UnitOfWork): void {
  const { _id, accountId, models, mapping, accountClock } = running;
  const { provider } = mapping;
  const same = { accountId, state: 'OPEN', unsettled: true, provider, version: 0 } as const;
  const createdAt = accountClock(accountId);
  unit.insert(
    models.discrepancies,
    found.map((one) => ({ ...one, ...same, createdAt })),
  );
  const opened = [...groupItems(found, ({ kind }) => kind)].map(([kind, some]) => [
    `opened.${kind}`,
    some.length,
  ]);
  unit.update(models.files, {
    filter: { _id },
    update: { $inc: { matched, ...Object.fromEntries(opened) } },
    otherwise: gone,
  });
  unit.upsert(models.turns, { filter: { _id: accountId, accountId }, update: { $inc: { transactions: 1 } } });
}
