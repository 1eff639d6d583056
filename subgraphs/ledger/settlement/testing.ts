import { type Hash, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import { createBox } from '../../kernel/crypto/box.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import { createLedgerModels, type EntryDocument } from '../store/model.ts';
import { createDiscrepancies } from './discrepancies.ts';
import { type ImportDeps, importSettlement, type SettlementInput } from './import.ts';
import { mappingSchema } from './mapping.ts';
import { createSettlementModels, type SettlementFileDocument } from './model.ts';

export const ACME = 'acme/sandbox';
export const NOW = new Date('2026-12-01T12:00:00.000Z');
export const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const MAPPING = mappingSchema.parse({
  provider: 'acquirer',
  columns: { reference: 'ref', amount: 'amount', date: 'day', currency: 'ccy' },
  ...{ currencies: ['USD', 'JPY'], dateFormat: 'YYYY-MM-DD', decimalSign: '.' },
  ...{ amounts: 'signed', windowDays: 1 },
});

/** Money at the provider in a journal entry, and a row of a file. */
export interface Money {
  readonly reference: string;
  readonly amount: string;
  readonly currency?: string;
  /** `YYYY-MM-DD` */
  readonly day?: string;
}

/** A movement, and its row. */
export const op = (index: number): Money => ({ reference: `op_${index}`, amount: `${index + 1}.25` });
export const ops = (count: number): Money[] => Array.from({ length: count }, (_, index) => op(index));

interface ImportOptions {
  readonly period?: SettlementInput['period'];
  readonly mapping?: Partial<typeof MAPPING>;
  /** Instead of the real one. */
  readonly transaction?: RunTransaction;
  readonly accountId?: AccountId;
  /** Thrown behind the rows. */
  readonly fault?: Error;
  /** The rows of the second read, when they are others. */
  readonly second?: readonly Money[];
}

const DAY = '2026-11-20';
/** Entries that are stored in one command. */
const STORED_AT_ONCE = 1_000;

/** Imports on a real database. */
export async function openSettlementBench() {
  const store = await openTestDatabase();
  const { connection } = store;
  const { entries } = createLedgerModels(connection);
  const models = createSettlementModels(connection);
  await makeIndexes(connection);
  const raised: SettlementFileDocument[] = [];
  const transaction = createTransactions(connection);
  const deps: ImportDeps = {
    ...{ entries, models, transaction, box: createBox(randomBytes(32)), accountClock: () => NOW },
    raise: async (file, unit) => {
      unit.onEnd((isCommitted) => {
        if (isCommitted) {
          raised.push(file);
        }
      });
    },
  };
  let posted = 0;
  /** Imports a file with these rows. */
  const importRows = (
    rows: readonly Money[],
    { accountId = ACME, period, ...options }: ImportOptions = {},
  ) => {
    const mapping = { ...MAPPING, ...options.mapping };
    const reads = [rows, options.second ?? rows];
    const readRows: SettlementInput['readRows'] = (hash) =>
      readRowsOf(reads.shift() ?? [], hash, options.fault);
    return importSettlement(
      { ...deps, transaction: options.transaction ?? transaction },
      { accountId, mapping, readRows, period },
      () => undefined,
    );
  };
  return {
    ...{ connection, models, raised, transaction },
    discrepancies: createDiscrepancies({ ...deps, model: models.discrepancies }),
    /** Stores entries that move money at the provider. */
    post: async (movements: readonly Money[], accountId: AccountId = ACME) => {
      const made = movements.map((movement): EntryDocument => {
        posted += 1;
        return { ...entryOf(movement), _id: `je_${posted}`, accountId, version: posted };
      });
      for (let from = 0; from < made.length; from += STORED_AT_ONCE) {
        await entries.insertMany(made.slice(from, from + STORED_AT_ONCE));
      }
    },
    import: importRows,
    /** Imports a file by processes that are killed: each gets one transaction farther. @returns how many were killed */
    importKilled: async (rows: readonly Money[], options: ImportOptions) => {
      const killed = { ...options, transaction: dying(transaction) };
      for (let kills = 0; ; kills += 1) {
        try {
          await importRows(rows, killed);
          return kills;
        } catch (error) {
          expect(error).toEqual(new Error('killed'));
        }
      }
    },
    /** Kind, reference and state of each discrepancy, sorted. */
    found: async (accountId: AccountId = ACME) => {
      const all = await models.discrepancies.find({ accountId }).lean();
      return all.map(({ kind, reference, state }) => `${kind} ${reference} ${state}`).sort();
    },
    close: store.close,
  };
}

export type SettlementBench = Awaited<ReturnType<typeof openSettlementBench>>;

/** Fails transactions before their commit, as a process that is killed there: each life is one transaction longer. */
function dying(transaction: RunTransaction): RunTransaction {
  let [life, left] = [0, 0];
  return (work) =>
    transaction(async (unit) => {
      const done = await work(unit);
      await unit.flush();
      left -= 1;
      if (left < 0) {
        life += 1;
        left = life;
        throw new Error('killed');
      }
      return done;
    });
}

function entryOf({ reference, amount, currency = 'USD', day = DAY }: Money) {
  const isPayout = amount.startsWith('-');
  const other = isPayout ? amount.slice(1) : `-${amount}`;
  return {
    entity: 'operation',
    entityId: reference,
    kind: isPayout ? 'PAYOUT' : 'FUNDING',
    lines: [
      { account: 'PARTNER_PAYABLE', currency, amount: other },
      { account: 'PROVIDER_CLEARING', currency, amount },
    ],
    createdAt: new Date(`${day}T10:00:00.000Z`),
  } as const;
}

async function* readRowsOf(rows: readonly Money[], hash: Hash, fault: Error | undefined) {
  for (const [index, { reference, amount, currency = 'USD', day = DAY }] of rows.entries()) {
    const row = { line: index + 2, reference, amount, currency, day };
    hash.update(JSON.stringify(row));
    yield row;
  }
  if (fault) {
    throw fault;
  }
}
