/**
 * A process with a webhook engine and nothing else, for tests and benches that kill, freeze and load workers. Its parent
 * starts it by `startWebhookWorker`, and sends it orders over the channel that Node opens between the two (`orders.ts`).
 */
import { openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { DEFAULT_PARTITIONS } from '../../../subgraphs/kernel/config/work-settings.ts';
import { createBlindIndex } from '../../../subgraphs/kernel/crypto/blind-index.ts';
import { createBox } from '../../../subgraphs/kernel/crypto/box.ts';
import { openDatabase } from '../../../subgraphs/kernel/database/open-database.ts';
import { createTransactions } from '../../../subgraphs/kernel/database/transaction.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { createEventLog } from '../../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../../subgraphs/runtime/events/model.ts';
import { createWebhooks } from '../../../subgraphs/webhooks/webhooks.ts';
import { monitored } from '../count-commands.ts';
import { NO_TENANTS } from '../no-tenants.ts';
import type { KillPoint, Order, WorkerSettings } from './orders.ts';
import { followCommands, followPosts } from './points.ts';
import { send } from './words.ts';

const settings = JSON.parse(process.env.WEBHOOK_WORKER ?? '') as WorkerSettings;
const journal = settings.journal === undefined ? undefined : openJournal(settings.journal);
/** Where log lines go. */
const write = journal ?? ((line: string) => void process.stderr.write(line));
/** Adds to the journal, where there is one. */
const note = (line: object) => journal?.(`${JSON.stringify(line)}\n`);
const counts: Record<string, number> = {};
const log = createLogger({
  level: settings.journal === undefined ? 'error' : 'info',
  destination: new Writable({
    write: (chunk, _encoding, done) => {
      write(String(chunk));
      done();
    },
  }),
});
const { connection, close } = await openDatabase({
  uri: monitored(settings.uri),
  log,
});
let aheadMs = 0;
let killAt: KillPoint | undefined;
followCommands(connection, {
  reach,
  inTransaction: (session) => note({ session }),
  leases: (leased) => note({ leased, aheadMs }),
});
followPosts(reach, (begun) => note({ begun }));
const key = Buffer.from(settings.key, 'hex');
const webhooks = createWebhooks({
  connection,
  log,
  tenants: NO_TENANTS,
  box: createBox(key),
  blindIndex: createBlindIndex(key),
  config: { ...settings.config, caFile: settings.caFile },
  events: createEventLog({
    model: createEventModels(connection).events,
    partitions: DEFAULT_PARTITIONS,
    wake: () => undefined,
  }),
  clock: () => new Date(Date.now() + aheadMs),
  isClockRight: () => true,
});
const transaction = createTransactions(connection);
let storing = 0;
let sweeper: NodeJS.Timeout | undefined;

process.on('message', (order: Order) => {
  void obey(order).catch((error: unknown) => {
    log.error({ err: error }, 'order failed');
    process.exit(1);
  });
});
// A parent that is gone leaves no process behind.
process.on('disconnect', () => process.exit(1));
send({ kind: 'ready' });

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'work':
      ({ aheadMs, killAt } = order);
      webhooks.worker.start();
      return sweepFromNowOn(order.sweepMs);
    case 'store': {
      storing += 1;
      const stored = await transaction((unit) => webhooks.queue.enqueue(order.deliveries, unit));
      storing -= 1;
      send({
        kind: 'stored',
        ids: stored.map(({ _id }) => _id),
        at: performance.timeOrigin + performance.now(),
      });
      return;
    }
    case 'clock':
      aheadMs = order.aheadMs;
      return;
    case 'stats':
      send({ kind: 'stats', stats: webhooks.stats(), counts });
      return;
    case 'stop':
      clearTimeout(sweeper);
      await webhooks.worker.stop();
      await close();
      process.exit(0);
  }
}

/** One after the other: a sweep may wait for a store that keeps what a dead process has begun. */
async function sweepFromNowOn(everyMs: number): Promise<void> {
  try {
    await webhooks.worker.sweep();
    if (webhooks.stats().inFlight === 0 && storing === 0) {
      send({ kind: 'idle' });
    }
  } catch (error) {
    log.warn({ err: error }, 'sweep failed');
  }
  sweeper = setTimeout(() => void sweepFromNowOn(everyMs), everyMs);
}

/** Counts how often the process comes to each point, and ends it at the given point. */
function reach(point: string): void {
  const nth = (counts[point] ?? 0) + 1;
  counts[point] = nth;
  if (killAt?.at === point && killAt.nth === nth) {
    note({ killedAt: point });
    process.kill(process.pid, 'SIGKILL');
  }
}

/** Lines reach the file before the next step: a process that is killed has lost none. */
function openJournal(path: string): (line: string) => void {
  const file = openSync(path, 'a');
  return (line) => void writeSync(file, line);
}
