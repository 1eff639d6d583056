import { expect } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import type { AccountId } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { createEvents, type Events, type LoggedEvent } from './index.ts';
import {
  createEventModels,
  type EventEntity,
  type EventModels,
  type NewEvent,
  type NumberedEvent,
} from './model.ts';

export const TEST_KEY = Buffer.alloc(32, 7);
export const quiet = pino({ level: 'silent' });

/** A store with the log's collections, and things in it whose every change is an event, as in the product. */
export interface EventsBench {
  readonly store: Database;
  readonly models: EventModels;
  /** Another process's connection to the same database. */
  connect(uri?: string): Promise<Connection>;
  /** An event log as one process has it; closed with the bench. */
  open(options?: Partial<Parameters<typeof createEvents>[0]>): Events;
  /** Takes an entity one version further and appends the event, in one transaction. */
  change(accountId: AccountId, entityId: string, entity?: EventEntity): Promise<void>;
  /** Writes events as they are, in one transaction. */
  append(events: NewEvent[]): Promise<void>;
  /** Numbers and ids of what is numbered, in order. */
  numbered(): Promise<{ seq: number; accountId: AccountId; entityId: string; version: number; id: string }[]>;
  close(): Promise<void>;
}

const DEFAULTS = { log: quiet, cursorKeys: [TEST_KEY], isClockRight: () => true } as const;

export async function openEventsBench(): Promise<EventsBench> {
  const store = await openTestDatabase();
  const { connection } = store;
  const models = createEventModels(connection);
  const runTransaction = createTransactions(connection);
  const writer = createEvents({ ...DEFAULTS, connection });
  await makeIndexes(connection);
  await connection.createCollection('things');
  const opened: Events[] = [writer];
  const connections: Connection[] = [];
  const bench: EventsBench = {
    store,
    models,
    connect: async (uri = store.uri) => {
      const other = await mongoose
        .createConnection(uri, {
          dbName: connection.name,
          serverSelectionTimeoutMS: 1_000,
          autoCreate: false,
          autoIndex: false,
        })
        .asPromise();
      connections.push(other);
      return other;
    },
    open: (options = {}) => {
      const events = createEvents({
        connection,
        ...DEFAULTS,
        pollMs: 50,
        ...options,
      });
      opened.push(events);
      return events;
    },
    change: (accountId, entityId, entity = 'operation') =>
      runTransaction(async (unit) => {
        const changed = await connection
          .collection<{ _id: string; version: number }>('things')
          .findOneAndUpdate(
            { _id: `${accountId}/${entityId}` },
            { $inc: { version: 1 } },
            { upsert: true, returnDocument: 'after', session: unit.session },
          );
        await writer.log.append(
          [newEvent({ accountId, entityId, entity, version: changed?.version ?? 0 })],
          unit,
        );
      }),
    append: (events) => runTransaction((unit) => writer.log.append(events, unit)),
    numbered: async () => {
      const found = await models.events
        .find({ seq: { $gt: 0 } })
        .sort({ seq: 1 })
        .lean<NumberedEvent[]>();
      return found.map(({ _id, seq, accountId, entityId, version }) => ({
        seq,
        accountId,
        entityId,
        version,
        id: _id.toHexString(),
      }));
    },
    close: async () => {
      await Promise.all(opened.map((events) => events.close()));
      await Promise.all(connections.map((other) => other.close()));
      await store.close();
    },
  };
  return bench;
}

export function newEvent(event: Partial<NewEvent> = {}): NewEvent {
  const version = event.version ?? 1;
  return {
    accountId: 'acme/sandbox',
    entity: 'operation',
    entityId: 'op',
    version,
    type: version === 1 ? 'operation.created' : 'operation.status_changed',
    previousStatus: version === 1 ? null : `s${version - 1}`,
    status: `s${version}`,
    occurredAt: new Date(),
    ...event,
  };
}

/** As many as `count` says, each made from its index. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Numbers 1 to `count` once each, and every entity's versions in order from 1. */
export async function expectWholeLog(bench: EventsBench, count: number): Promise<void> {
  const log = await bench.numbered();
  expect(log.map(({ seq }) => seq)).toEqual(times(count, (index) => index + 1));
  const versions = new Map<string, number>();
  for (const { accountId, entityId, version } of log) {
    expect(version).toBe((versions.get(`${accountId}/${entityId}`) ?? 0) + 1);
    versions.set(`${accountId}/${entityId}`, version);
  }
  expect(await bench.models.events.countDocuments({ pending: true })).toBe(0);
}

/** Waits until `count` events are numbered. */
export function untilNumbered(bench: EventsBench, count: number): Promise<void> {
  return until(`${count} events are numbered`, async () => {
    const head = await bench.models.head.findOne().lean();
    return (head?.lastSeq ?? 0) >= count;
  });
}

/** Follows and keeps what comes. */
export async function collect(
  events: Events,
  options: { accountId: AccountId } & Partial<Parameters<Events['follow']>[0]>,
): Promise<{ got: LoggedEvent[]; iterator: AsyncIterableIterator<LoggedEvent>; ended: Promise<void> }> {
  const followed = await events.follow({
    entity: 'operation',
    signal: new AbortController().signal,
    ...options,
  });
  if (!followed.ok) {
    throw new Error(`Refused: ${followed.failures[0]?.code}`);
  }
  const got: LoggedEvent[] = [];
  const iterator = followed.value;
  const ended = (async () => {
    for await (const event of iterator) {
      got.push(event);
    }
  })();
  return { got, iterator, ended };
}
