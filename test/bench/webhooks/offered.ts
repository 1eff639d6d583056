import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookWorker } from '../../support/webhook-worker/start.ts';
import { judge } from '../compare.ts';
import { percentile } from '../load.ts';
import { processorMs } from '../processes.ts';
import { type Stand, say, table } from '../stand.ts';
import { type BenchScene, openScene, SWEEP_MS, untilAccepted } from './scene.ts';

const TENANTS = 20;
const WARM_UP = 200;
const DRAIN_MS = 60_000;
const P95_GOAL_MS = 100;
const P99_GOAL_MS = 500;

interface Measured {
  readonly name: string;
  readonly latencies: readonly number[];
  readonly unanswered: number;
  readonly processMs: number;
}

/** Deliveries that are stored at a fixed rate, in an open loop: from the commit to the answer of 2xx. */
export async function measureOffered(stand: Stand, rate: number, seconds: number): Promise<void> {
  say(`\n(a) ${rate} deliveries a second for ${seconds} s, stored -> answered 2xx, ${TENANTS} receivers`);
  const scene = await openScene(stand);
  try {
    const product = await measure(scene, 'product', await scene.startWorker(), rate, seconds);
    const bare = await measure(scene, 'bare', await scene.startBare('/fast/0'), rate, seconds);
    const header = ['', 'p50 ms', 'p95', 'p99', 'longest', 'process ms a delivery', 'unanswered'];
    table(header, [product, bare].map(rowOf), 1);
    const isMet =
      product.unanswered === 0 &&
      percentile(product.latencies, 0.95) <= P95_GOAL_MS &&
      percentile(product.latencies, 0.99) <= P99_GOAL_MS;
    say(`Goal p95 ${P95_GOAL_MS} ms, p99 ${P99_GOAL_MS} ms: ${judge.verdict(isMet)}`);
  } finally {
    await scene.close();
  }
}

function rowOf({ name, latencies, unanswered, processMs }: Measured): string[] {
  const parts = [0.5, 0.95, 0.99, 1].map((part) => percentile(latencies, part).toFixed(1));
  return [name, ...parts, (processMs / latencies.length).toFixed(2), String(unanswered)];
}

async function measure(
  scene: BenchScene,
  name: string,
  worker: WebhookWorker,
  rate: number,
  seconds: number,
): Promise<Measured> {
  if (name === 'product') {
    worker.order({ kind: 'work', aheadMs: 0, sweepMs: SWEEP_MS });
  }
  const storedAt = new Map<string, number>();
  worker.listen((word) => {
    if (word.kind === 'stored') {
      storedAt.set(String(word.ids[0]), word.at);
    }
  });
  await offer(scene, worker, rate, WARM_UP);
  await untilAccepted(scene, WARM_UP, DRAIN_MS);
  await scene.receiver.take();
  storedAt.clear();
  const usedBefore = processorMs(worker.pid);
  const count = Math.round(rate * seconds);
  await offer(scene, worker, rate, count);
  await untilAccepted(scene, count, DRAIN_MS);
  const processMs = processorMs(worker.pid) - usedBefore;
  const { answered } = await scene.receiver.take();
  const latencies = answered.flatMap(({ id, at }) => {
    const stored = storedAt.get(id);
    return stored === undefined ? [] : [at - stored];
  });
  worker.order({ kind: 'stop' });
  await worker.ended;
  return { name, latencies, unanswered: count - latencies.length, processMs };
}

async function offer(scene: BenchScene, worker: WebhookWorker, rate: number, count: number): Promise<void> {
  const begin = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(begin + (index * 1000) / rate - performance.now(), 0));
    const tenant = index % TENANTS;
    worker.order({ kind: 'store', deliveries: [scene.delivery(`/fast/${tenant}`, `t${tenant}/sandbox`)] });
  }
}
