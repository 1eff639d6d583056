import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedRequest } from '../../subgraphs/webhooks/testing.ts';
import type { WebhookStats } from '../../subgraphs/webhooks/webhooks.ts';
import type { WebhookWorker } from '../support/webhook-worker/start.ts';
import { openStage, type Stage } from './stage.ts';

interface FreezeRun {
  readonly uri: string;
  /** Attempts of each worker that are under way when it is frozen. */
  readonly each: number;
  /** Whether leases end while the workers are frozen; else the third worker's clock is beyond their ends. */
  readonly waits: boolean;
}

/** The results of workers that were frozen past their leases. */
interface FreezeReport {
  /** Attempts that were under way when their workers were frozen. */
  readonly frozen: number;
  /** Results of those that were found stale when the workers went on, by the workers' own counters. */
  readonly stale: number;
  /** Lines `webhook.lease_lost` in their logs. */
  readonly reported: number;
  readonly problems: readonly string[];
}

const TIMEOUT_SECONDS = 2;
/** As `webhooks.ts` has it. */
const LEASE_MS = (TIMEOUT_SECONDS + 20) * 1000;
const WORKERS = 2;
const SWEEP_MS = 100;
const PAUSE_MS = 20;
const PATIENCE_MS = 60_000;

/**
 * Freezes two workers (SIGSTOP) while the receiver holds back its answers, has a third one deliver everything when the leases
 * are over, and wakes the two (SIGCONT): what they find out then must change nothing.
 */
export async function runFreeze({ uri, each, waits }: FreezeRun): Promise<FreezeReport> {
  const held: (() => void)[] = [];
  const config = {
    // Where nobody waits for the leases, the answers are to come in time.
    timeoutSeconds: waits ? TIMEOUT_SECONDS : 60,
    retrySeconds: [60],
    maxAttempts: 5,
    wake: true,
    allowedCidrs: ['127.0.0.0/8'],
    stopGraceSeconds: 5,
  };
  const stage = await openStage(uri, config, createAnswers(each, held));
  try {
    return await freeze(stage, held, each, waits);
  } finally {
    await stage.close();
  }
}

/** The first request of a delivery is held back, and answered with an error when it is let go. */
function createAnswers(each: number, held: (() => void)[]) {
  const seen = new Set<unknown>();
  const answer = ({ headers }: ReceivedRequest, response: { writeHead(status: number): { end(): void } }) => {
    const id = headers['x-webhook-delivery-id'];
    if (seen.has(id)) {
      response.writeHead(204).end();
    } else {
      seen.add(id);
      held.push(() => response.writeHead(500).end());
    }
  };
  // An endpoint has few attempts at once.
  return Object.fromEntries(Array.from({ length: each }, (_, index) => [`/held${index}`, answer]));
}

async function freeze(
  stage: Stage,
  held: readonly (() => void)[],
  each: number,
  waits: boolean,
): Promise<FreezeReport> {
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => stage.startWorker()));
  for (const [index, worker] of workers.entries()) {
    worker.order({ kind: 'work', aheadMs: 0, sweepMs: SWEEP_MS });
    worker.order({ kind: 'store', deliveries: heldDeliveries(stage, each, index) });
  }
  await until('all requests are with the receiver', () => held.length === each * WORKERS);
  for (const worker of workers) {
    worker.signal('SIGSTOP');
  }
  if (waits) {
    await delay(LEASE_MS);
  }
  const aheadMs = waits ? 0 : 10 * 60_000;
  await deliverWithThird(stage, aheadMs);
  const before = await readAll(stage);
  for (const letGo of held) {
    letGo();
  }
  for (const worker of workers) {
    worker.signal('SIGCONT');
  }
  const stats = await Promise.all(workers.map((worker) => statsWhenStale(worker, each)));
  const problems = [
    ...(waits ? [] : changesSince(before, await readAll(stage))),
    ...(await oddDeliveries(stage)),
    ...(await goOn(stage, workers)),
  ];
  return {
    frozen: held.length,
    stale: stats.reduce((sum, { stale }) => sum + stale, 0),
    reported: workers.flatMap((worker) => worker.journal()).filter(({ msg }) => msg === 'webhook.lease_lost')
      .length,
    problems,
  };
}

function heldDeliveries(stage: Stage, each: number, worker: number) {
  // Tenants of their own: each may have a quarter of the attempts.
  return Array.from({ length: each }, (_, index) =>
    stage.delivery(`/held${index}`, { accountId: `t${worker}-${index % 8}/sandbox` }),
  );
}

/** Another process finds what is left to leases that are over, and delivers it. */
async function deliverWithThird(stage: Stage, aheadMs: number): Promise<void> {
  const third = await stage.startWorker();
  third.order({ kind: 'work', aheadMs, sweepMs: SWEEP_MS });
  await until('a third worker has delivered everything', async () => {
    const open = await stage.models.deliveries.exists({ status: 'PENDING' });
    return open === null;
  });
  third.order({ kind: 'stop' });
  await third.ended;
}

/** A worker's counters, when as many results have been found stale. */
async function statsWhenStale(worker: WebhookWorker, expected: number): Promise<WebhookStats> {
  let last: WebhookStats | undefined;
  await until('woken workers have tried to record', async () => {
    last = (await worker.request({ kind: 'stats' }, 'stats')).stats;
    return last.inFlight === 0 && last.stale + last.retried + last.unrecorded + last.released >= expected;
  });
  return last as WebhookStats;
}

async function readAll({ models }: Stage): Promise<unknown[]> {
  const [deliveries, attempts] = await Promise.all([
    models.deliveries.find().sort({ _id: 1 }).lean(),
    models.attempts.find().sort({ _id: 1 }).lean(),
  ]);
  return [...deliveries, ...attempts];
}

function changesSince(before: readonly unknown[], after: readonly unknown[]): string[] {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return isSame ? [] : ['stale results have changed what is stored'];
}

/** Deliveries that are not as one attempt, answered by 204, leaves them. */
async function oddDeliveries({ models }: Stage): Promise<string[]> {
  const all = await models.deliveries.find().lean();
  const attempts = await models.attempts.countDocuments();
  const odd = all.filter(
    ({ status, attempt, lastStatusCode, claims }) =>
      status !== 'DELIVERED' || attempt !== 1 || lastStatusCode !== 204 || claims !== 0,
  );
  const problems = odd.map(({ _id, status, attempt }) => `${_id}: ${status} after ${attempt} attempts`);
  return attempts === all.length
    ? problems
    : [...problems, `${attempts} attempts of ${all.length} deliveries`];
}

/** Woken workers are as good as before. */
async function goOn(stage: Stage, workers: readonly WebhookWorker[]): Promise<string[]> {
  for (const worker of workers) {
    await worker.request({ kind: 'store', deliveries: [stage.delivery('/after')] }, 'stored');
  }
  const all = () => stage.receiver.to('/after').length === workers.length;
  return until('the deliveries of woken workers', all).then(
    () => [],
    (error: unknown) => [String(error)],
  );
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Waited ${PATIENCE_MS} ms in vain until ${what}`);
    }
    await delay(PAUSE_MS);
  }
}
