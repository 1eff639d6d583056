import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import { toDocument } from '../../../subgraphs/kernel/database/document.ts';
import { createLedgerModels, type EntryDocument } from '../../../subgraphs/ledger/store/model.ts';
import {
  createOperationModels,
  type OperationDocument,
  type OperationHistoryDocument,
} from '../../../subgraphs/operations/store/model.ts';
import { figureOfMove } from '../../../subgraphs/operations/use-cases/operation-figure.ts';
import { createEventModels, type EventDocument } from '../../../subgraphs/runtime/events/model.ts';

/** An operation as the product has stored it, and everything that it has stored with its moves. */
interface Sample {
  readonly operation: OperationDocument;
  readonly history: readonly OperationHistoryDocument[];
  readonly events: readonly EventDocument[];
  readonly entries: readonly EntryDocument[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From a move to the next one. */
const MOVE_MS = 60_000;
const BATCH = 500;
/** More copies are stored when no more events than these wait for a number, and entries for a place: a development store reads all of them each time. */
const MOST_WAITING = 10_000;
const LOOK_MS = 100;
/** Longest wait for room, milliseconds. */
const PATIENCE_MS = 600_000;

/**
 * Fills a database with `total` copies of operations of atomic calls that the product has made in another one, over so many whole days
 * before today, in the order of their creation. Their events have no numbers yet and their entries no places: the product does that
 * meanwhile, and no copies are stored faster than it does. It cannot be the same database, because no entry of a chain counts before the
 * one before it. The events of an account's first copy come last: until then an entry of its first day waits, and so do its statements.
 */
export async function fillOperations(
  samples: Connection,
  connection: Connection,
  total: number,
  days: number,
  progress: (done: number) => void,
): Promise<void> {
  const found = await readSamples(samples);
  if (found.length === 0) {
    throw new Error('There is no operation to copy');
  }
  const today = Date.now() - (Date.now() % DAY_MS);
  const from = today - days * DAY_MS;
  // Each copy ends on a day before today.
  const span = today - HOUR_MS - from;
  const late = new Map<string, readonly EventDocument[]>();
  for (let first = 0; first < total; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, total - first) }, (_, index) => first + index);
    const copies = numbers.map((number) =>
      copyOf(found[number % found.length] as Sample, new Date(from + Math.floor((span * number) / total))),
    );
    const stored = copies.map((copy) => {
      const { accountId } = copy.operation;
      if (late.has(accountId)) {
        return copy;
      }
      late.set(accountId, copy.events);
      return { ...copy, events: [] };
    });
    await waitForRoom(connection);
    await store(connection, stored);
    progress(first + copies.length);
  }
  await insert(connection, 'events', [...late.values()].flat());
}

async function waitForRoom(connection: Connection): Promise<void> {
  const countWaiting = (name: string) => connection.collection(name).countDocuments({ pending: true });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const [events, entries] = [await countWaiting('events'), await countWaiting('journalEntries')];
    if (Math.max(events, entries) <= MOST_WAITING) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(`${events} events wait for a number, and ${entries} entries for a place`);
    }
    await delay(LOOK_MS);
  }
}

async function readSamples(connection: Connection): Promise<Sample[]> {
  const { operations, history } = createOperationModels(connection);
  const { events } = createEventModels(connection);
  const { entries } = createLedgerModels(connection);
  const found = await operations.find({ requestReferenceId: { $exists: false } }).lean<OperationDocument[]>();
  return Promise.all(
    found.map(async (operation) => {
      const { accountId, operationId } = operation;
      const own = { accountId, entity: 'operation' as const, entityId: operationId };
      return {
        operation,
        history: await history.find({ accountId, operationId }).sort({ version: 1 }).lean(),
        events: await events.find(own).sort({ version: 1 }).lean(),
        entries: await entries.find(own).sort({ version: 1 }).lean<EntryDocument[]>(),
      };
    }),
  );
}

function copyOf({ operation, history, events, entries }: Sample, createdAt: Date): Sample {
  const operationId = `fill-${randomUUID()}`;
  const at = (version: number) => new Date(createdAt.getTime() + (version - 1) * MOVE_MS);
  const copy = {
    ...operation,
    ...{
      _id: `op_${randomUUID().slice(0, 20)}`,
      operationId,
      code: randomUUID().slice(0, 8),
      platId: randomUUID(),
    },
    ...{ createdAt, updatedAt: at(operation.version) },
    ...(operation.completedAt && { completedAt: at(operation.version) }),
    ...(operation.failedAt && { failedAt: at(operation.version) }),
  };
  return {
    operation: copy,
    history: history.map((move) => withoutId({ ...move, operationId, at: at(move.version) })),
    events: events.map((event) => {
      const { _id, seq, keptUntil, data, ...kept } = event;
      const occurredAt = at(event.version);
      const moved = { ...copy, updatedAt: occurredAt };
      // The webhooks of a sample are not those of its copies.
      const { deliveries, ...others } = data;
      const figure = figureOfMove(moved, event.status as OperationDocument['status']);
      return {
        ...kept,
        entityId: operationId,
        occurredAt,
        data: others,
        pending: true,
        figure,
      } as EventDocument;
    }),
    entries: entries.map(({ number, bookedAt, day, hash, ...entry }) => ({
      ...entry,
      ...{ _id: `je_${randomUUID()}`, entityId: operationId, createdAt: at(entry.version), pending: true },
    })),
  };
}

function withoutId<Stored extends object>(document: Stored): Stored {
  const { _id, ...rest } = document as Stored & { _id?: unknown };
  return rest as Stored;
}

async function store(connection: Connection, copies: readonly Sample[]): Promise<void> {
  const collections: [string, readonly object[]][] = [
    ['operations', copies.map(({ operation }) => operation)],
    ['operationHistory', copies.flatMap(({ history }) => history)],
    ['journalEntries', copies.flatMap(({ entries }) => entries)],
    // Last: an event that is numbered has its entry.
    ['events', copies.flatMap(({ events }) => events)],
  ];
  for (const [name, documents] of collections) {
    await insert(connection, name, documents);
  }
}

async function insert(connection: Connection, name: string, documents: readonly object[]): Promise<void> {
  await connection.collection(name).insertMany(documents.map(toDocument) as mongo.Document[], {
    ordered: false,
    writeConcern: { w: 1, j: false },
  });
}
