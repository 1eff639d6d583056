import { expect } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import type { AccountId } from '../../kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../../kernel/config/work-settings.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { groupItems } from '../../kernel/objects.ts';
import { createEvents, type Events, type LoggedEvent } from './index.ts';
import {
  createEventModels,
  type EventEntity,
  type EventModels,
  type NewEvent,
  type NumberedEvent,
} from './model.ts';
import { partitionOf } from './partitions.ts';

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
  /** Places and ids of what is numbered, in the order of each partition. */
  numbered(): Promise<
    { partition: number; seq: number; accountId: AccountId; entityId: string; version: number; id: string }[]
  >;
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
        .sort({ partition: 1, seq: 1 })
        .lean<NumberedEvent[]>();
      return found.map(({ _id, partition, seq, accountId, entityId, version }) => ({
        partition,
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

/** The partition of the account that most tests write to. */
export const PARTITION = partitionOf('acme/sandbox', DEFAULT_PARTITIONS);

/** As many as `count` says, each made from its index. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** `count` events, numbered from 1 without gaps in each partition, and every entity's versions in order from 1. */
export async function expectWholeLog(bench: EventsBench, count: number): Promise<void> {
  const log = await bench.numbered();
  expect(log).toHaveLength(count);
  for (const [, events] of groupItems(log, ({ partition }) => partition)) {
    expect(events.map(({ seq }) => seq)).toEqual(times(events.length, (index) => index + 1));
  }
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
    const heads = await bench.models.heads.find().lean();
    return heads.reduce((sum, { lastSeq }) => sum + lastSeq, 0) >= count;
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

/** The status of a log without events, whose partitions are all this process's. */
export const EMPTY_LOG = {
  numbered: 0,
  numberedAt: null,
  unnumbered: 0,
  oldestAt: null,
  lagMs: 0,
  partitions: DEFAULT_PARTITIONS,
  withoutProcess: 0,
  ownPartitions: DEFAULT_PARTITIONS,
  activeFollowers: 0,
} as const;
