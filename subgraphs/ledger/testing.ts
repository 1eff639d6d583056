import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { until } from '../../test/support/until.ts';
import type { AccountId } from '../kernel/account.ts';
import { type Box, createBox } from '../kernel/crypto/box.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import { createTransactions, type RunTransaction } from '../kernel/database/transaction.ts';
import { type EventsBench, newEvent, openEventsBench } from '../runtime/events/testing.ts';
import type { EntryKind, JournalLine } from './chart.ts';
import { type ExportLine, type ExportRange, exportJournal } from './export.ts';
import { createJournal } from './journal.ts';
import { sealEntries } from './seal.ts';
import { createLedgerModels, type LedgerModels } from './store/model.ts';
import { verifyExport } from './verify.ts';

/** The ledger on a real database, beside an event log whose events get their numbers. */
export interface LedgerBench {
  readonly events: EventsBench;
  readonly models: LedgerModels;
  /** Seals the ends of chains. */
  readonly box: Box;
  /** Posts entries with their events, all in one transaction. */
  post(entries: readonly TestEntry[]): Promise<void>;
  /** Waits until each event has a number. */
  numbered(): Promise<void>;
  /** Seals entries. @param beforeCommit done in each transaction, when its writes are sent @returns how many */
  seal(hooks?: { beforeCommit(): Promise<void> }): Promise<number>;
  exported(range?: ExportRange): Promise<ExportLine[]>;
  /** Verifies an export. @param from the day with which it begins @returns each finding as `account place text`, and how many entries */
  verify(lines: readonly ExportLine[], from?: string): Promise<{ entries: number; findings: string[] }>;
  close(): Promise<void>;
}

interface TestEntry {
  readonly accountId?: AccountId;
  readonly entityId: string;
  readonly version?: number;
  readonly amount?: string;
  readonly kind?: EntryKind;
  readonly lines?: readonly JournalLine[];
  readonly createdAt?: Date;
}

export const START = new Date('2026-11-20T08:00:00.000Z');

export async function openLedgerBench(): Promise<LedgerBench> {
  const events = await openEventsBench();
  const { connection } = events.store;
  const models = createLedgerModels(connection);
  await makeIndexes(connection);
  const log = events.open();
  log.sequencer.start();
  const journal = createJournal(models);
  const transaction = createTransactions(connection);
  const box = createBox(randomBytes(32));
  return {
    events,
    models,
    box,
    post: (entries) =>
      transaction((unit) => {
        const posted = entries.map(({ amount = '10.5', ...entry }) => ({
          ...{ entity: 'operation' as const, kind: 'CLAIM' as const, lines: claimOf(amount) },
          ...{ accountId: 'acme/sandbox' as const, version: 1, createdAt: START, ...entry },
        }));
        journal.post(posted, unit);
        const changes = posted.map(({ accountId, entityId, version, createdAt: occurredAt }) =>
          newEvent({ accountId, entityId, version, occurredAt }),
        );
        log.log.append(changes, unit);
      }),
    numbered: () =>
      until(
        'each event has a number',
        async () => (await events.models.events.countDocuments({ pending: true })) === 0,
      ),
    seal: (hooks) => {
      const dying: RunTransaction = (work) =>
        transaction(async (unit) => {
          const done = await work(unit);
          await unit.flush();
          await hooks?.beforeCommit();
          return done;
        });
      const deps = { models, history: log.history, box, transaction: hooks ? dying : transaction };
      return sealEntries(deps, new AbortController().signal);
    },
    exported: async (range = {}) => {
      const lines: ExportLine[] = [];
      for await (const line of exportJournal(models, range)) {
        lines.push(line);
      }
      return lines;
    },
    verify: async (lines, from) => {
      const verified = { entries: 0, findings: [] as string[] };
      for await (const { entries, findings } of verifyExport(Readable.from(lines), box, from)) {
        verified.entries += entries;
        verified.findings.push(...findings.map((one) => `${one.accountId} ${one.place} ${one.text}`));
      }
      return verified;
    },
    close: () => events.close(),
  };
}

/** Lines of an entry that claims an amount from a payer. */
export function claimOf(amount: string): JournalLine[] {
  return [
    { account: 'PAYER_RECEIVABLE', currency: 'USD', amount },
    { account: 'PARTNER_PAYABLE', currency: 'USD', amount: `-${amount}` },
  ];
}
