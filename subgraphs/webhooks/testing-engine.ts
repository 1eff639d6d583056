import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { Connection } from 'mongoose';
import { NO_TENANTS } from '../../test/support/no-tenants.ts';
import { createTestCertificate } from '../../test/support/test-certificate.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { until } from '../../test/support/until.ts';
import type { AccountId } from '../kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../kernel/config/work-settings.ts';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { createTransactions, type RunTransaction } from '../kernel/database/transaction.ts';
import { createLogger } from '../kernel/log/log.ts';
import { createEventLog } from '../runtime/events/log.ts';
import { createEventModels, type NewEvent } from '../runtime/events/model.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import { createWebhookModels, type DeliveryDocument, type WebhookModels } from './model.ts';
import type { Attempt, Delivery } from './present.ts';
import type { NewDelivery } from './queue.ts';
import { type Answer, type Receiver, type ReceiverTls, startReceiver } from './testing.ts';
import { createWebhooks, type WebhookConfig, type Webhooks, type WebhooksDeps } from './webhooks.ts';

export const TEST_SECRET = 'whsec_acme_0001';

/** An engine on a clock that the test sets ahead. */
export interface TestEngine extends Webhooks {
  /** Milliseconds before the real time. */
  ahead: number;
  /** Waits until no attempt runs. */
  idle(): Promise<void>;
  /** A sweep, and all that it started. */
  run(): Promise<void>;
}

/** A store, engines on it and receivers for them, for one test file. */
export interface TestBench {
  readonly store: Database;
  readonly models: WebhookModels;
  /** A started engine with the documented settings, which may post to 127.0.0.0/8. */
  start(config?: Partial<WebhookConfig>, deps?: Partial<WebhooksDeps>): TestEngine;
  receive(answers?: Record<string, Answer>, tls?: ReceiverTls): Promise<Receiver>;
  /** Stores deliveries in a transaction; gives their ids. */
  enqueue(engine: Webhooks, ...deliveries: NewDelivery[]): Promise<string[]>;
  /** Pauses or resumes an endpoint of an account (`acme` by default) in a transaction; gives its health as the account sees it. */
  hold(
    how: 'pause' | 'resume',
    engine: Webhooks,
    endpoint: string,
    accountId?: AccountId,
  ): Promise<EndpointHealth | undefined>;
  /** A delivery as the tenant (`acme` by default) sees it; undefined when it sees none. */
  find(engine: Webhooks, id: string, accountId?: AccountId): Promise<Delivery | undefined>;
  /** Its attempts as the account sees them. */
  attempts(engine: Webhooks, id: string, accountId?: AccountId): Promise<Attempt[]>;
  /** The events of a delivery in the event log, in order. */
  eventsOf(id: string): Promise<NewEvent[]>;
  /** The record as stored. @throws when there is none */
  stored(id: string): Promise<DeliveryDocument>;
  /** The lines logged since the last reset. */
  logged(): string;
  /** Runs at the next reset. */
  cleanUp(work: () => unknown): void;
  /** Between tests: stops engines and receivers, empties the collections. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const DOCUMENTED = {
  timeoutSeconds: 10,
  retrySeconds: [60, 300, 1800, 7200, 43_200],
  maxAttempts: 5,
  wake: false,
  allowedCidrs: ['127.0.0.0/8'],
  stopGraceSeconds: 0,
};

export async function openTestBench(): Promise<TestBench> {
  const [certificate, store] = await Promise.all([createTestCertificate(), openTestDatabase()]);
  const { connection } = store;
  const models = createWebhookModels(connection);
  const { events } = createEventModels(connection);
  await makeIndexes(connection);
  const transaction = createTransactions(connection);
  const box = createBox(randomBytes(32));
  const blindIndex = createBlindIndex(randomBytes(32));
  const cleanups: (() => unknown)[] = [];
  const lines = collectLines();

  const start: TestBench['start'] = (config, deps) => {
    const time = { ahead: 0 };
    const engine = createWebhooks({
      connection,
      log: lines.log,
      tenants: NO_TENANTS,
      box,
      blindIndex,
      config: { ...DOCUMENTED, caFile: certificate.caFile, ...config },
      events: logOf(deps?.connection ?? connection),
      clock: () => new Date(Date.now() + time.ahead),
      isClockRight: () => true,
      ...deps,
    });
    engine.worker.start();
    cleanups.push(() => engine.worker.stop());
    const idle = () => until('no attempt running', () => engine.stats().inFlight === 0);
    const run = async () => {
      await engine.worker.sweep();
      await idle();
    };
    return Object.assign(time, engine, { idle, run });
  };
  const reset = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) {
      await cleanup();
    }
    await empty(...Object.values(models), events);
    lines.clear();
  };
  return {
    store,
    models,
    start,
    receive: async (answers, tls) => {
      const receiver = await startReceiver(certificate, answers, tls);
      cleanups.push(receiver.close);
      return receiver;
    },
    enqueue: async (engine, ...deliveries) => {
      const stored = await transaction((unit) => engine.queue.enqueue(deliveries, unit));
      return stored.map(({ _id }) => _id);
    },
    hold: (...args) => hold(transaction, ...args),
    find: async ({ deliveries }, id, accountId = 'acme/sandbox') =>
      (await deliveries.findByIds(accountId, [id])).get(id),
    attempts: async ({ deliveries }, id, accountId = 'acme/sandbox') =>
      (await deliveries.attempts(accountId, [id])).get(id) ?? [],
    eventsOf: (id) => events.find({ entityId: id }).sort({ version: 1 }).lean(),
    stored: (id) => models.deliveries.findById(id).orFail().lean(),
    logged: lines.text,
    cleanUp: (work) => cleanups.push(work),
    reset,
    close: async () => {
      await store.close();
      certificate.remove();
    },
  };
}

async function hold(
  transaction: RunTransaction,
  how: 'pause' | 'resume',
  { endpoints }: Webhooks,
  endpoint: string,
  accountId: AccountId = 'acme/sandbox',
): Promise<EndpointHealth | undefined> {
  await transaction((unit) => endpoints[how](accountId, endpoint, unit));
  const [health] = await endpoints.health(accountId, [endpoint]);
  return health;
}

async function empty(...emptied: readonly { deleteMany(filter: object): PromiseLike<unknown> }[]) {
  await Promise.all(emptied.map((model) => model.deleteMany({})));
}

/** Of the connection whose sessions write to it. */
function logOf(connection: Connection) {
  return createEventLog({
    model: createEventModels(connection).events,
    partitions: DEFAULT_PARTITIONS,
    wake: () => undefined,
  });
}

/** An event of document 2 for the account acme/sandbox. */
export function testDelivery(url: string, fields: Partial<NewDelivery> = {}): NewDelivery {
  return {
    accountId: 'acme/sandbox',
    event: 'operation_created',
    scheme: 'request_money',
    url,
    secret: TEST_SECRET,
    body: '{"event":"operation_created","data":{"name":"Ana Ruíz"},"timestamp":"2026-11-21T08:00:00.000Z"}',
    createdAt: new Date(),
    ...fields,
  };
}

/** An array of `count` made by index. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function collectLines() {
  let text = '';
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  return {
    log: createLogger({ level: 'info', destination }),
    text: () => text,
    clear: () => {
      text = '';
    },
  };
}
