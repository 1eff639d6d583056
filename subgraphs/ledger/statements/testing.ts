import { expect } from '@jest/globals';
import type { AccountId } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { NewDelivery } from '../../webhooks/queue.ts';
import { type JournalLine, sumLines } from '../chart.ts';
import type { LedgerModels } from '../store/model.ts';
import { type LedgerBench, openLedgerBench } from '../testing.ts';
import { issueStatements, type StatementsDeps } from './issue.ts';
import { createStatementModels, type StatementDocument, type StatementModels } from './model.ts';

export const ACME: AccountId = 'acme/sandbox';

type Posted = Partial<Parameters<LedgerBench['post']>[0][number]>;

/** The job that issues statements, on a ledger of its own. */
export interface StatementsBench {
  readonly bench: LedgerBench;
  readonly models: StatementModels;
  readonly deps: StatementsDeps;
  /** The webhooks of committed statements. */
  readonly deliveries: NewDelivery[];
  /** The partners' time zone, and the time of their accounts' clocks. */
  timeZone: string;
  now: Date;
  /** Runs the job. @returns how many statements were issued */
  run(more?: Partial<StatementsDeps>): Promise<number>;
  runAt(time: string, more?: Partial<StatementsDeps>): Promise<number>;
  /** The statements of a day, in order. */
  read(filter?: object): Promise<StatementDocument[]>;
  /** Posts entries, and seals them. */
  post(createdAt: string, more?: Posted): Promise<void>;
  postAll(moments: readonly string[], more?: Posted): Promise<void>;
}

export async function openStatementsBench(): Promise<StatementsBench> {
  const bench = await openLedgerBench();
  const { connection } = bench.events.store;
  const models = createStatementModels(connection);
  await makeIndexes(connection);
  let posted = 0;
  const deliveries: NewDelivery[] = [];
  const on: StatementsBench = {
    ...{ bench, models, deliveries, timeZone: 'UTC', now: new Date(0) },
    deps: {
      models: { ...bench.models, ...models },
      tenants: {
        find: async (accountId) =>
          ({
            ...{ accountId, webhookUrl: 'https://hooks.acme.test/in', webhookEvents: ['statement.ready'] },
            operationalEvents: { emails: [], timeZone: on.timeZone },
          }) as unknown as Tenant,
      },
      queue: {
        enqueue: (added, unit) => {
          unit.onEnd((committed) => deliveries.push(...(committed ? added : [])));
          return [];
        },
      },
      accountClock: () => on.now,
      transaction: createTransactions(connection),
      box: bench.box,
    },
    run: (more) => issueStatements({ ...on.deps, ...more }, new AbortController().signal),
    runAt: (time, more) => {
      on.now = new Date(time);
      return on.run(more);
    },
    read: (filter = {}) =>
      models.statements
        .find({ accountId: ACME, period: 'day', ...filter })
        .sort({ to: 1, _id: 1 })
        .lean<StatementDocument[]>(),
    post: (createdAt, more) => on.postAll([createdAt], more),
    postAll: async (moments, more) => {
      await bench.post(
        moments.map((createdAt) => ({
          entityId: `op-${++posted}`,
          createdAt: new Date(createdAt),
          ...more,
        })),
      );
      await bench.numbered();
      await bench.seal();
    },
  };
  return on;
}

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
