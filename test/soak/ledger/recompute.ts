import type { Connection } from 'mongoose';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import { groupItems } from '../../../subgraphs/kernel/objects.ts';
import { createLedgerModels } from '../../../subgraphs/ledger/store/model.ts';
import { createOperationModels } from '../../../subgraphs/operations/store/model.ts';
import { createEventModels } from '../../../subgraphs/runtime/events/model.ts';
import { Balances, entryOf, type Kind, type Line, type Price, type Stage, trimmed } from './money.ts';
import type { Payment } from './payments.ts';

/** A movement of money at the provider, by the events. */
export interface ProviderMovement {
  readonly reference: string;
  readonly currency: string;
  readonly amount: bigint;
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
}

/** The entries of a day, by the events. */
export interface Day {
  /** The balances before it. */
  readonly opening: Balances;
  readonly moved: Balances;
  /** The lines of each kind of entry; how many entries have a currency is under `currency kind`. */
  readonly kinds: Map<Kind, Balances>;
  readonly counts: Map<string, number>;
}

/** An account's journal as its events alone give it. */
export interface Recomputed {
  readonly accountId: AccountId;
  readonly entries: number;
  readonly balances: Balances;
  /** By `YYYY-MM-DD`, in order. */
  readonly days: ReadonlyMap<string, Day>;
  readonly movements: readonly ProviderMovement[];
}

const BATCH = 5_000;

/** Computes the journals of all accounts from the prices of operations and the numbered events, without any entry. */
export async function recomputeAll(connection: Connection): Promise<Recomputed[]> {
  const { operations } = createOperationModels(connection);
  const accountIds = await operations.distinct('accountId');
  const all: Recomputed[] = [];
  for (const accountId of accountIds.sort()) {
    all.push(await recompute(connection, accountId));
  }
  return all;
}

async function recompute(connection: Connection, accountId: AccountId): Promise<Recomputed> {
  const prices = await readPrices(connection, accountId);
  const { events } = createEventModels(connection);
  const stages = new Map<string, Stage>();
  const balances = new Balances();
  const days = new Map<string, Day>();
  const movements: ProviderMovement[] = [];
  let entries = 0;
  let bookedAt = new Date(0);
  const cursor = events.collection
    .find({ accountId, entity: 'operation', seq: { $gt: 0 } })
    .sort({ seq: 1 })
    .project<{ entityId: string; status: string; occurredAt: Date }>({
      ...{ entityId: 1, status: 1, occurredAt: 1 },
    })
    .batchSize(BATCH);
  for await (const { entityId, status, occurredAt } of cursor) {
    const price = prices.get(entityId);
    if (price === undefined) {
      throw new Error(`${accountId} ${entityId} has an event and no price`);
    }
    const { entry, stage } = entryOf(price, stages.get(entityId) ?? 'none', status);
    stages.set(entityId, stage);
    if (entry === undefined) {
      continue;
    }
    entries += 1;
    bookedAt = occurredAt > bookedAt ? occurredAt : bookedAt;
    addToDay(days, dayOf(bookedAt), balances, entry.kind, entry.lines);
    balances.add(entry.lines);
    for (const { account, currency, amount } of entry.lines) {
      if (account === 'PROVIDER_CLEARING') {
        movements.push({ reference: entityId, currency, amount, day: dayOf(occurredAt) });
      }
    }
  }
  return { accountId, entries, balances, days, movements };
}

function addToDay(
  days: Map<string, Day>,
  name: string,
  before: Balances,
  kind: Kind,
  lines: readonly Line[],
): void {
  let day = days.get(name);
  if (day === undefined) {
    day = { opening: before.copy(), moved: new Balances(), kinds: new Map(), counts: new Map() };
    days.set(name, day);
  }
  day.moved.add(lines);
  const ofKind = day.kinds.get(kind) ?? new Balances();
  ofKind.add(lines);
  day.kinds.set(kind, ofKind);
  for (const currency of new Set(lines.map((line) => line.currency))) {
    const key = `${currency} ${kind}`;
    day.counts.set(key, (day.counts.get(key) ?? 0) + 1);
  }
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

async function readPrices(connection: Connection, accountId: AccountId): Promise<Map<string, Price>> {
  const { operations } = createOperationModels(connection);
  const known = new Map<string, Price>();
  const prices = new Map<string, Price>();
  const cursor = operations.collection
    .find({ accountId })
    .project<Price & { operationId: string }>({
      ...{ _id: 0, operationId: 1, amount: 1, senderAmount: 1, senderCurrency: 1, tenantFee: 1 },
      ...{ recipientAmount: 1, recipientCurrency: 1 },
    })
    .batchSize(BATCH);
  for await (const { operationId, ...price } of cursor) {
    // A million operations have few different prices.
    const text = JSON.stringify(price);
    const same = known.get(text) ?? price;
    known.set(text, same);
    prices.set(operationId, same);
  }
  return prices;
}

/** The ways in which the journal differs from the recomputation: its heads, and how many entries wait. */
export async function compareHeads(connection: Connection, all: readonly Recomputed[]): Promise<string[]> {
  const { heads, entries } = createLedgerModels(connection);
  const problems: string[] = [];
  for (const { accountId, entries: count, balances } of all) {
    const head = await heads.collection.findOne({ accountId });
    const ours =
      (head?.balances as { account: string; currency: string; amount: string }[] | undefined) ?? [];
    const stored = ours
      .map(({ account, currency, amount }) => `${currency} ${account} ${trimmed(amount)}`)
      .sort();
    if (head?.number !== count || stored.join() !== balances.list().join()) {
      problems.push(
        `${accountId}: the journal has ${head?.number} entries and ${stored.join(', ')}; its events give ${count} and ${balances.list().join(', ')}`,
      );
    }
    for (const currency of balances.unbalanced()) {
      problems.push(`${accountId}: the journal does not add up to 0 in ${currency}`);
    }
  }
  const waiting = await entries.countDocuments({ pending: true });
  return waiting === 0 ? problems : [...problems, `${waiting} entries are not sealed`];
}

/** The payments whose events are not just the statuses that their calls were answered. */
export async function comparePayments(
  connection: Connection,
  payments: readonly Payment[],
): Promise<string[]> {
  const { events } = createEventModels(connection);
  const { operations } = createOperationModels(connection);
  const problems: string[] = [];
  // No index has the reference: so all of them are read at once.
  const referred = await operations.collection.find({ requestReferenceId: { $exists: true } }).toArray();
  const byReference = groupItems(referred, (one) => `${one.accountId} ${one.requestReferenceId}`);
  for (const { accountId, operationId, referenceId, statuses } of payments) {
    const found =
      operationId === undefined
        ? (byReference.get(`${accountId} ${referenceId}`) ?? [])
        : await operations.collection.find({ accountId, operationId }).toArray();
    const id = found[0]?.operationId;
    const moves = await events.collection
      .find({ accountId, entity: 'operation', entityId: id })
      .sort({ version: 1 })
      .toArray();
    const path = moves.map(({ status }) => status).join();
    if (found.length !== 1 || path !== statuses.join() || found[0]?.status !== statuses.at(-1)) {
      problems.push(
        `${accountId} ${operationId ?? referenceId}: ${found.length} operations, ${found[0]?.status}, events ${path}; its calls were answered ${statuses.join()}`,
      );
    }
  }
  return problems;
}
