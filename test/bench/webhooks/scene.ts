import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../../../subgraphs/kernel/config/work-settings.ts';
import { createBlindIndex } from '../../../subgraphs/kernel/crypto/blind-index.ts';
import { createBox } from '../../../subgraphs/kernel/crypto/box.ts';
import { makeIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import type { UnitOfWork } from '../../../subgraphs/kernel/database/unit-of-work.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { createEventLog } from '../../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../../subgraphs/runtime/events/model.ts';
import { type DeliveryDocument } from '../../../subgraphs/webhooks/model.ts';
import type { NewDelivery } from '../../../subgraphs/webhooks/queue.ts';
import { createWebhooks } from '../../../subgraphs/webhooks/webhooks.ts';
import { NO_TENANTS } from '../../support/no-tenants.ts';
import { createTestCertificate } from '../../support/test-certificate.ts';
import { startWebhookWorker, type WebhookWorker } from '../../support/webhook-worker/start.ts';
import type { Stand } from '../stand.ts';
import type { ReceiverOrder, ReceiverWord } from './receiver-words.ts';

/** The documented settings. */
const CONFIG = {
  timeoutSeconds: 10,
  retrySeconds: [60, 300, 1800, 7200, 43_200],
  maxAttempts: 5,
  wake: true,
  allowedCidrs: ['127.0.0.0/8'],
};
/** As `WEBHOOK_SWEEP_SECONDS` has it. */
export const SWEEP_MS = 30_000;
const FILL_BATCH = 1_000;
const HOUR_MS = 3_600_000;

type Taken = Extract<ReceiverWord, { kind: 'taken' }>;

/** An empty database with a receiver, and workers on them. */
export interface BenchScene {
  /** The product's engine in a process of its own. */
  startWorker(): Promise<WebhookWorker>;
  /** The bare driver and undici; it drains what is pending to one path. */
  startBare(path: string): Promise<WebhookWorker>;
  delivery(path: string, accountId: AccountId): NewDelivery;
  /** Stores so many that became due over the last hour, longest due first, past the product: without events. */
  fill(count: number, of: (index: number) => NewDelivery): Promise<void>;
  pending(): Promise<number>;
  readonly receiver: {
    open(): void;
    accepted(): Promise<number>;
    take(): Promise<Taken>;
  };
  close(): Promise<void>;
}

export async function openScene(stand: Stand): Promise<BenchScene> {
  const { connection, uri } = stand.database();
  const certificate = await createTestCertificate();
  const key = randomBytes(32);
  const { events } = createEventModels(connection);
  const { queue } = createWebhooks({
    connection,
    log: createLogger({ level: 'silent' }),
    tenants: NO_TENANTS,
    box: createBox(key),
    blindIndex: createBlindIndex(key),
    config: { ...CONFIG, wake: false },
    events: createEventLog({ model: events, partitions: DEFAULT_PARTITIONS, wake: () => undefined }),
    isClockRight: () => true,
  });
  await makeIndexes(connection);
  const deliveries = connection.collection<DeliveryDocument>('webhookDeliveries');
  const receiver = await startReceiverProcess(certificate);
  const workers: WebhookWorker[] = [];
  const settings = { uri, key: key.toString('hex'), caFile: certificate.caFile, config: CONFIG };
  const keep = (worker: WebhookWorker) => {
    workers.push(worker);
    return worker;
  };
  const url = (path: string) => `https://127.0.0.1:${receiver.port}${path}`;
  return {
    receiver,
    startWorker: async () => keep(await startWebhookWorker(settings)),
    startBare: async (path) =>
      keep(await startWebhookWorker(settings, 'test/bench/webhooks/bare.js', { BARE_URL: url(path) })),
    delivery: (path, accountId) => deliveryTo(url(path), accountId),
    fill: async (count, of) => {
      for (let from = 0; from < count; from += FILL_BATCH) {
        const length = Math.min(FILL_BATCH, count - from);
        const batch = queue.enqueue(
          Array.from({ length }, (_, index) => of(from + index)),
          NOTHING_WRITTEN,
        );
        for (const [index, document] of batch.entries()) {
          document.nextAttemptAt = new Date(Date.now() - HOUR_MS * (1 - (from + index) / count));
        }
        await deliveries.insertMany(batch, { ordered: false });
      }
    },
    pending: () => deliveries.countDocuments({ status: 'PENDING' }),
    close: async () => {
      for (const worker of workers) {
        worker.signal('SIGKILL');
      }
      await Promise.all(workers.map(({ ended }) => ended));
      receiver.stop();
      certificate.remove();
    },
  };
}

/** Another writer adds the rest. */
const NOTHING_WRITTEN = {
  insert: () => undefined,
  onEnd: () => undefined,
} as unknown as UnitOfWork;

function deliveryTo(url: string, accountId: AccountId): NewDelivery {
  return {
    accountId,
    event: 'operation_created',
    scheme: 'request_money',
    url,
    secret: 'whsec_bench_0001',
    body: JSON.stringify({ event: 'operation_created', data: { referenceId: randomUUID() } }),
    createdAt: new Date(),
  };
}

async function startReceiverProcess({ key, cert }: { key: string; cert: string }) {
  const child = fork('dist/test/bench/webhooks/receiver.js', [], {
    env: { PATH: process.env.PATH ?? '', RECEIVER: JSON.stringify({ key, cert }) },
  });
  const next = <Kind extends ReceiverWord['kind']>(kind: Kind) =>
    new Promise<Extract<ReceiverWord, { kind: Kind }>>((received, failed) => {
      const listener = (word: ReceiverWord) => {
        if (word.kind === kind) {
          child.off('message', listener);
          received(word as never);
        }
      };
      child.on('message', listener);
      child.once('exit', (code) => failed(new Error(`The receiver ended: ${code}`)));
    });
  child.setMaxListeners(0);
  const request = <Kind extends ReceiverWord['kind']>(order: ReceiverOrder, kind: Kind) => {
    const answer = next(kind);
    child.send(order);
    return answer;
  };
  const { port } = await next('ready');
  return {
    port,
    open: () => void child.send({ kind: 'open' } satisfies ReceiverOrder),
    accepted: async () => (await request({ kind: 'count' }, 'count')).accepted,
    take: () => request({ kind: 'take' }, 'taken'),
    stop: () => void child.kill('SIGKILL'),
  };
}

const LOOK_MS = 250;

/** Waits until so many were accepted. @returns whether that came in time */
export async function untilAccepted(
  { receiver }: BenchScene,
  count: number,
  withinMs: number,
  look: () => void = () => undefined,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while ((await receiver.accepted()) < count) {
    if (performance.now() > deadline) {
      return false;
    }
    look();
    await delay(LOOK_MS);
  }
  return true;
}
