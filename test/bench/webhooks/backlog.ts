import type { WebhookWorker } from '../../support/webhook-worker/start.ts';
import { judge } from '../compare.ts';
import { processorMs, residentMiB } from '../processes.ts';
import { type Stand, say, table } from '../stand.ts';
import { type BenchScene, openScene, SWEEP_MS, untilAccepted } from './scene.ts';

/** For as many as the issue of it names: others have their share of the time. */
const GOAL = { deliveries: 100_000, seconds: 300, residentMiB: 300, claims: 0.1 };
const LONGEST_MS = 40 * 60_000;
/** Of a claim: looking for what is due, leasing it, reading what was won. */
const CLAIM = ['after claim look', 'after claim lease', 'after claim read'];

interface Drained {
  readonly name: string;
  readonly delivered: number;
  readonly seconds: number;
  readonly residentMiB: number;
  readonly processMs: number;
  /** Commands of claims; of the bare driver there are none. */
  readonly claims: number | undefined;
}

/** A backlog that is due, drained by one worker into receivers that take 50 ms each. */
export async function measureBacklog(stand: Stand, deliveries: number, endpoints: number): Promise<void> {
  say(`\n(b) ${deliveries} due, one worker, a receiver of 50 ms with ${endpoints} endpoint(s)`);
  const product = await drain(stand, 'product', deliveries, endpoints);
  const bare = await drain(stand, 'bare', deliveries, endpoints);
  const header = ['', 'delivered', 'seconds', 'a second', 'RSS MiB', 'process ms a delivery'];
  table([...header, 'claim commands a delivery'], [product, bare].map(tell), 1);
  const goalSeconds = (GOAL.seconds * deliveries) / GOAL.deliveries;
  const isMet =
    product.delivered >= deliveries &&
    product.seconds <= goalSeconds &&
    product.residentMiB <= GOAL.residentMiB &&
    (product.claims ?? 0) / deliveries <= GOAL.claims;
  const told = `${goalSeconds.toFixed(0)} s, ${GOAL.residentMiB} MiB, ${GOAL.claims} claim commands a delivery`;
  say(`Goal ${told}: ${judge.verdict(isMet)}`);
}

function tell({ name, delivered, seconds, residentMiB: rss, processMs, claims }: Drained): string[] {
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
  count: number,
  endpoints: number,
): Promise<Drained> {
  const scene = await openScene(stand);
  try {
    await scene.fill(count, (index) => scene.delivery(`/slow/${index % endpoints}`, `t${index % endpoints}`));
    const worker = name === 'product' ? await scene.startWorker() : await scene.startBare('/slow/0');
    return await drainBy(scene, worker, name, count);
  } finally {
    await scene.close();
  }
}

async function drainBy(
  scene: BenchScene,
  worker: WebhookWorker,
  name: 'product' | 'bare',
  count: number,
): Promise<Drained> {
  let most = 0;
  const from = performance.now();
  worker.order({ kind: 'work', aheadMs: 0, sweepMs: SWEEP_MS });
  await untilAccepted(scene, count, LONGEST_MS, () => {
    most = Math.max(most, residentMiB(worker.pid));
  });
  const seconds = (performance.now() - from) / 1000;
  const claims = name === 'product' ? await claimsOf(worker) : undefined;
  const delivered = await scene.receiver.accepted();
  return { name, delivered, seconds, residentMiB: most, processMs: processorMs(worker.pid), claims };
}

async function claimsOf(worker: WebhookWorker): Promise<number> {
  const { counts } = await worker.ask({ kind: 'stats' }, 'stats');
  return CLAIM.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}
