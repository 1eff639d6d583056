import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, mongo } from 'mongoose';
import { pino } from 'pino';
import { DEFAULT_PARTITIONS } from '../../subgraphs/kernel/config/work-settings.ts';
import { createBlindIndex } from '../../subgraphs/kernel/crypto/blind-index.ts';
import { createBox } from '../../subgraphs/kernel/crypto/box.ts';
import { makeIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import { openDatabase } from '../../subgraphs/kernel/database/open-database.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { createEventLog } from '../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import { createWebhookModels, type WebhookModels } from '../../subgraphs/webhooks/model.ts';
import type { NewDelivery } from '../../subgraphs/webhooks/queue.ts';
import { type Answer, type Receiver, startReceiver } from '../../subgraphs/webhooks/testing.ts';
import { createWebhooks, type WebhookConfig } from '../../subgraphs/webhooks/webhooks.ts';
import { NO_TENANTS } from '../support/no-tenants.ts';
import { createTestCertificate } from '../support/test-certificate.ts';
import { leaveDatabase } from '../support/test-database.ts';
import { startWebhookWorker, type WebhookWorker } from '../support/webhook-worker/start.ts';

/** The base of a run of killed or frozen workers: a database, a receiver, and workers that share both. */
export interface Stage {
  readonly connection: Connection;
  readonly models: WebhookModels;
  readonly receiver: Receiver;
  readonly config: Omit<WebhookConfig, 'caFile'>;
  /** Starts a worker process; it does nothing until it gets an order. */
  startWorker(): Promise<WebhookWorker>;
  /** Stores deliveries as a process does that has no worker. @returns their ids */
  store(deliveries: readonly NewDelivery[], aheadMs: number): Promise<string[]>;
  /** A delivery to a path of the receiver; its body is like no other's. */
  delivery(path: string, fields?: Partial<NewDelivery>): NewDelivery;
  /**
   * Ends the transactions of dead workers: a store keeps for a minute and more what a dead client has begun, and its documents
   * from everybody.
   */
  endSessions(dead: readonly WebhookWorker[]): Promise<void>;
  /** Ends what was started here, and leaves the database. */
  close(): Promise<void>;
}

/** @param uri a store; the stage gets a database of its own there */
export async function openStage(
  uri: string,
  config: Omit<WebhookConfig, 'caFile'>,
  answers: Readonly<Record<string, Answer>>,
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-chaos-'));
  const certificate = await createTestCertificate();
  const receiver = await startReceiver(certificate, answers);
  const database = await openDatabase({
    uri,
    database: `remitgraph_chaos_${randomBytes(6).toString('hex')}`,
    log: pino({ level: 'error' }),
  });
  const { connection } = database;
  const models = createWebhookModels(connection);
  const { events } = createEventModels(connection);
  await makeIndexes(connection);
  const key = randomBytes(32);
  const time = { aheadMs: 0 };
  const { queue } = createWebhooks({
    connection,
    log: createLogger({ level: 'silent' }),
    tenants: NO_TENANTS,
    box: createBox(key),
    blindIndex: createBlindIndex(key),
    config: { ...config, wake: false },
    events: createEventLog({ model: events, partitions: DEFAULT_PARTITIONS, wake: () => undefined }),
    clock: () => new Date(Date.now() + time.aheadMs),
    isClockRight: () => true,
  });
  const transaction = createTransactions(connection);
  const workers: WebhookWorker[] = [];
  return {
    connection,
    models,
    receiver,
    config,
    startWorker: async () => {
      const worker = await startWebhookWorker({
        uri: database.uri,
        key: key.toString('hex'),
        caFile: certificate.caFile,
        config,
        journal: join(folder, `${workers.length}-${randomUUID()}`),
      });
      workers.push(worker);
      return worker;
    },
    store: async (deliveries, aheadMs) => {
      time.aheadMs = aheadMs;
      const stored = await transaction((unit) => queue.enqueue(deliveries, unit));
      return stored.map(({ _id }) => _id);
    },
    endSessions: (dead) => endSessions(connection, dead),
    delivery: (path, fields = {}) => deliveryTo(receiver.url(path), fields),
    close: async () => {
      for (const worker of workers) {
        worker.signal('SIGKILL');
      }
      await Promise.all(workers.map(({ ended }) => ended));
      await endSessions(connection, workers);
      await receiver.close();
      await leaveDatabase(connection);
      await database.close();
      certificate.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

function deliveryTo(url: string, fields: Partial<NewDelivery>): NewDelivery {
  return {
    accountId: 'acme/sandbox',
    event: 'operation_created',
    scheme: 'request_money',
    url,
    secret: 'whsec_acme_0001',
    body: JSON.stringify({ event: 'operation_created', data: { referenceId: randomUUID() } }),
    createdAt: new Date(),
    ...fields,
  };
}

async function endSessions(connection: Connection, dead: readonly WebhookWorker[]): Promise<void> {
  const sessions = new Set(
    dead.flatMap((worker) => worker.journal()).flatMap(({ session }) => session ?? []),
  );
  const ids = [...sessions].map((hex) => ({ id: new mongo.UUID(String(hex)) }));
  if (ids.length > 0) {
    await connection.getClient().db('admin').command({ killSessions: ids });
  }
}
