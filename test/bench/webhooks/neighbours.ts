import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import { judge } from '../compare.ts';
import { percentile } from '../load.ts';
import { type Stand, say, table } from '../stand.ts';
import { type BenchScene, openScene, SWEEP_MS, untilAccepted } from './scene.ts';

const HEALTHY = 99;
/** Of them are the tenant's whose other endpoint hangs. */
const OF_THE_SAME_TENANT = 9;
const P95_GOAL_MS = 2_000;
const DRAIN_MS = 120_000;
/** For the hanging endpoint to take all that it is given. */
const SETTLE_MS = 3_000;

/** One endpoint that hangs, with a backlog, beside 99 healthy ones that get one delivery a second each. */
export async function measureNeighbours(stand: Stand, backlog: number, seconds: number): Promise<void> {
  say(
    `\n(c) An endpoint that hangs with ${backlog} pending, beside ${HEALTHY} healthy ones, 1 delivery/s each, ${seconds} s`,
  );
  const scene = await openScene(stand);
  try {
    await scene.fill(backlog, () => scene.delivery('/hang', 'hanging/sandbox'));
    await measure(scene, seconds);
  } finally {
    await scene.close();
  }
}

async function measure(scene: BenchScene, seconds: number): Promise<void> {
  const worker = await scene.startWorker();
  const storedAt = new Map<string, number>();
  worker.listen((word) => {
    if (word.kind === 'stored') {
      storedAt.set(String(word.ids[0]), word.at);
    }
  });
  worker.order({ kind: 'work', aheadMs: 0, sweepMs: SWEEP_MS });
  await delay(SETTLE_MS);
  const count = HEALTHY * seconds;
  const begin = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(begin + (index * 1000) / HEALTHY - performance.now(), 0));
    const endpoint = index % HEALTHY;
    worker.order({
      kind: 'store',
      deliveries: [scene.delivery(`/fast/${endpoint}`, accountOfEndpoint(endpoint))],
    });
  }
  const isDone = await untilAccepted(scene, count, DRAIN_MS);
  const { answered, most } = await scene.receiver.take();
  const latencies = answered.flatMap(({ id, at, path }) => {
    const stored = storedAt.get(id);
    return stored === undefined ? [] : [{ ms: at - stored, endpoint: Number(path.split('/')[2]) }];
  });
  const of = (isIn: (endpoint: number) => boolean) =>
    latencies.filter(({ endpoint }) => isIn(endpoint)).map(({ ms }) => ms);
  const rows = [
    ['all', of(() => true)],
    ['of other tenants', of((endpoint) => endpoint >= OF_THE_SAME_TENANT)],
    ['of the same tenant', of((endpoint) => endpoint < OF_THE_SAME_TENANT)],
  ] as const;
  table(
    ['healthy endpoints', 'p50 ms', 'p95', 'p99', 'longest'],
    rows.map(([name, ms]) => [name, ...[0.5, 0.95, 0.99, 1].map((part) => percentile(ms, part).toFixed(1))]),
    1,
  );
  say(`${latencies.length} of ${count} were answered; at most ${most.hang ?? 0} attempts hung at once.`);
  const isMet = isDone && percentile(rows[0][1], 0.95) <= P95_GOAL_MS;
  say(`Goal p95 ${P95_GOAL_MS} ms: ${judge.verdict(isMet)}`);
}

function accountOfEndpoint(endpoint: number): AccountId {
  return endpoint < OF_THE_SAME_TENANT ? 'hanging/sandbox' : `t${endpoint}/sandbox`;
}
