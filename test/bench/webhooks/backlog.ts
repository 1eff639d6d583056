import type { WebhookWorker } from '../../support/webhook-worker/start.ts';
import { judge } from '../compare.ts';
import { processorMs, residentMiB } from '../processes.ts';
import { type Stand, say, table } from '../stand.ts';
import { type BenchScene, openScene, SWEEP_MS, untilAccepted } from './scene.ts';

/** For as many as the issue of it names: others have their share of the time. */
const GOAL = { deliveries: 100_000, seconds: 300, residentMiB: 300, claims: 0.1 };
const LONGEST_MS = 40 * 60_000;
/** Of a claim: looking for what is due, leasing it, reading what was won. */
const CLAIM = ['after claim look', 'after claim lease', 'after claim commit', 'after claim read'];

interface BacklogRun {
  readonly deliveries: number;
  readonly endpoints: number;
  /** Processes that drain it together. */
  readonly workers: number;
  /** Whether the bare driver has its turn, too. */
  readonly bare: boolean;
}

interface Drained {
  readonly name: string;
  /** Each once: those that came twice make it less than what was accepted. */
  readonly delivered: number;
  readonly seconds: number;
  /** Of the worker that holds the most. */
  readonly residentMiB: number;
  /** Of all workers. */
  readonly processMs: number;
  /** Commands of claims; of the bare driver there are none. */
  readonly claims: number | undefined;
}

/** A backlog that is due, drained into receivers that take 50 ms each. */
export async function measureBacklog(stand: Stand, run: BacklogRun): Promise<void> {
  const { deliveries, endpoints, workers } = run;
  say(`\n(b) ${deliveries} due, ${workers} worker(s), a receiver of 50 ms with ${endpoints} endpoint(s)`);
  const product = await drain(stand, 'product', run);
  const drained = run.bare ? [product, await drain(stand, 'bare', { ...run, workers: 1 })] : [product];
  const header = ['', 'delivered', 'seconds', 'a second', 'RSS MiB', 'process ms a delivery'];
  table([...header, 'claim commands a delivery'], drained.map(rowOf), 1);
  const goalSeconds = (GOAL.seconds * deliveries) / GOAL.deliveries;
  const isMet =
    product.delivered === deliveries &&
    product.seconds <= goalSeconds &&
    product.residentMiB <= GOAL.residentMiB &&
    (product.claims ?? 0) / deliveries <= GOAL.claims;
  const reported = `${goalSeconds.toFixed(0)} s, ${GOAL.residentMiB} MiB, ${GOAL.claims} claim commands a delivery`;
  say(`Goal ${reported}, none twice: ${judge.verdict(isMet)}`);
}

function rowOf({ name, delivered, seconds, residentMiB: rss, processMs, claims }: Drained): string[] {
  return [
    name,
    String(delivered),
    seconds.toFixed(1),
    (delivered / seconds).toFixed(0),
    rss.toFixed(0),
    (processMs / delivered).toFixed(2),
    claims === undefined ? '' : (claims / delivered).toFixed(3),
  ];
}

async function drain(
  stand: Stand,
  name: 'product' | 'bare',
  { deliveries, endpoints, workers: count }: BacklogRun,
): Promise<Drained> {
  const scene = await openScene(stand);
  const start = name === 'product' ? scene.startWorker : () => scene.startBare('/slow/0');
  try {
    await scene.fill(deliveries, (index) =>
      scene.delivery(`/slow/${index % endpoints}`, `t${index % endpoints}/sandbox`),
    );
    const workers = await Promise.all(Array.from({ length: count }, start));
    return await drainBy(scene, workers, name, deliveries);
  } finally {
    await scene.close();
  }
}

async function drainBy(
  scene: BenchScene,
  workers: readonly WebhookWorker[],
  name: 'product' | 'bare',
  count: number,
): Promise<Drained> {
  let most = 0;
  const from = performance.now();
  for (const worker of workers) {
    worker.order({ kind: 'work', aheadMs: 0, sweepMs: SWEEP_MS });
  }
  await untilAccepted(scene, count, LONGEST_MS, () => {
    most = Math.max(most, ...workers.map(({ pid }) => residentMiB(pid)));
  });
  const seconds = (performance.now() - from) / 1000;
  const claims = name === 'product' ? sum(await Promise.all(workers.map(claimsOf))) : undefined;
  const processMs = sum(workers.map(({ pid }) => processorMs(pid)));
  const delivered = new Set((await scene.receiver.take()).answered.map(({ id }) => id)).size;
  return { name, delivered, seconds, residentMiB: most, processMs, claims };
}

async function claimsOf(worker: WebhookWorker): Promise<number> {
  const { counts } = await worker.request({ kind: 'stats' }, 'stats');
  return sum(CLAIM.map((name) => counts[name] ?? 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
