import { randomInt, randomUUID } from 'node:crypto';
import type { NewDelivery } from '../../subgraphs/webhooks/queue.ts';
import type { Answer } from '../../subgraphs/webhooks/testing.ts';
import type { KillPoint } from '../support/webhook-worker/orders.ts';
import type { WebhookWorker } from '../support/webhook-worker/start.ts';
import { createOrderedEndpoint, IN_ORDER } from './in-order.ts';
import { judgeKills, type Killed, type KillReport } from './judge-kills.ts';
import { planKills } from './kill-points.ts';
import { openStage, type Stage } from './stage.ts';

interface KillRun {
  /** A store. */
  readonly uri: string;
  readonly kills: number;
  /** When to begin no other kills, milliseconds since 1970. */
  readonly deadline: number;
  /** Called with the number of kills so far. */
  progress?(kills: number): void;
}

const CONFIG = {
  timeoutSeconds: 100,
  retrySeconds: [60, 60],
  maxAttempts: 3,
  wake: true,
  allowedCidrs: ['127.0.0.0/8'],
  stopGraceSeconds: 5,
};
/** From one pair of workers to the next: longer than leases and delays, so that all that is left is due. */
const STEP_MS = 130_000;
const SWEEP_MS = 100;
const AT_ONCE = 2;
/** For a process that may be killed at any moment. */
const ANY_MOMENT_MS = 150;
/** Passes of the last two workers: each brings every chain of ordered deliveries further, by one of them at least. */
const passesFor = (kills: number): number => 20 + Math.ceil((kills / AT_ONCE / ENTITIES) * OF_ENTITY);
/** Endpoints of each kind that fails. */
const FAILING = 40;
/** Stored for each pair by a process without a worker; and by each worker itself, in as many transactions. */
const DUE = ['/kept', '/flaky', '/never', '/slow', '/kept', '/flaky', '/kept', '/slow', '/kept', '/kept'];
const OWN = [
  ['/kept', '/never'],
  ['/flaky', '/slow'],
  ['/kept', '/kept'],
];
/** Entities whose webhooks each pair gets two more of: they wait for those of the pairs before, dead ones too. */
const ENTITIES = 4;
const OF_ENTITY = 2;

/**
 * Kills pairs of workers that share a store with SIGKILL, each worker at a point of its own, while they store, claim, post
 * and record. The clock of a pair is ahead of the one before: leases of the dead are over, and retries are due. Two last
 * workers deliver the rest.
 */
export async function runKills({ uri, kills, deadline, progress }: KillRun): Promise<KillReport> {
  const ordered = createOrderedEndpoint();
  const stage = await openStage(uri, CONFIG, { ...createAnswers(), [IN_ORDER]: ordered.answer });
  try {
    const killed: Killed = { acknowledged: new Set(), dead: [], survivors: [], ordered };
    const plan = planKills(kills);
    let aheadMs = 0;
    let pair = startPair(stage);
    for (let index = 0; index < plan.length && Date.now() < deadline; index += AT_ONCE) {
      const workers = await pair;
      // The next ones load their code while these run.
      pair = startPair(stage);
      aheadMs += STEP_MS;
      await killPair(stage, killed, workers, plan.slice(index, index + AT_ONCE), aheadMs);
      progress?.(killed.dead.length);
    }
    await deliverTheRest(stage, killed, await pair, aheadMs, passesFor(killed.dead.length));
    return await judgeKills(stage, killed);
  } finally {
    await stage.close();
  }
}

function startPair(stage: Stage): Promise<WebhookWorker[]> {
  const pair = Promise.all(Array.from({ length: AT_ONCE }, () => stage.startWorker()));
  // Looked at later: until then a failure belongs to no test.
  pair.catch(() => undefined);
  return pair;
}

function createAnswers(): Record<string, Answer> {
  const seen = new Set<unknown>();
  const flaky: Answer = ({ headers }, response) => {
    const id = headers['x-webhook-delivery-id'];
    response.writeHead(seen.has(id) ? 204 : 500).end();
    seen.add(id);
  };
  const never: Answer = (_request, response) => response.writeHead(500).end();
  const several = Array.from({ length: FAILING }, (_, index): [string, Answer][] => [
    [`/flaky${index}`, flaky],
    [`/never${index}`, never],
  ]);
  return {
    ...Object.fromEntries(several.flat()),
    '/slow': (_request, response) => void setTimeout(() => response.writeHead(204).end(), 30),
  };
}

/** Deliveries to these paths; those that fail in turn to several endpoints, none of which fails often enough to be spared. */
function deliveriesTo(stage: Stage, paths: readonly string[], turn: number): NewDelivery[] {
  const fails = (path: string) => path === '/flaky' || path === '/never';
  return paths.map((path, index) =>
    stage.delivery(fails(path) ? `${path}${(turn + index) % FAILING}` : path),
  );
}

async function killPair(
  stage: Stage,
  killed: Killed,
  workers: readonly WebhookWorker[],
  points: readonly (KillPoint | undefined)[],
  aheadMs: number,
): Promise<void> {
  const turn = killed.dead.length;
  const inOrder = killed.ordered.next(stage, `shared ${(turn / AT_ONCE) % ENTITIES}`, OF_ENTITY);
  const due = await stage.store([...deliveriesTo(stage, DUE, turn), ...inOrder], aheadMs);
  for (const id of due) {
    killed.acknowledged.add(id);
  }
  await Promise.all(
    workers.map(async (worker, index) => {
      const at = await killOne(stage, killed, worker, points[index], aheadMs);
      killed.dead.push({ worker, at });
    }),
  );
  await stage.endSessions(workers);
}

/** Has a worker work until it is killed. @returns the point of its end */
async function killOne(
  stage: Stage,
  { acknowledged, ordered }: Killed,
  worker: WebhookWorker,
  point: KillPoint | undefined,
  aheadMs: number,
): Promise<string> {
  let idle = 0;
  worker.listen((word) => {
    if (word.kind === 'stored') {
      for (const id of word.ids) {
        acknowledged.add(id);
      }
    } else if (word.kind === 'idle') {
      idle += 1;
      // Its point does not come any more.
      if (idle > 1) {
        worker.signal('SIGKILL');
      }
    }
  });
  worker.order({ kind: 'work', aheadMs, sweepMs: SWEEP_MS, ...(point && { killAt: point }) });
  for (const [index, paths] of OWN.entries()) {
    worker.order({ kind: 'store', deliveries: deliveriesTo(stage, paths, worker.pid + index) });
  }
  worker.order({ kind: 'store', deliveries: ordered.next(stage, `of ${randomUUID()}`, OF_ENTITY) });
  const timer = point ?? setTimeout(() => worker.signal('SIGKILL'), randomInt(ANY_MOMENT_MS));
  const end = await worker.ended;
  clearTimeout(timer as NodeJS.Timeout);
  if (end !== 'SIGKILL') {
    throw new Error(`A worker was to be killed and ended by itself: ${end}`);
  }
  const last = worker.journal().at(-1)?.killedAt;
  return typeof last === 'string' ? last : point === undefined ? 'any moment' : 'at rest';
}

async function deliverTheRest(
  stage: Stage,
  { survivors, acknowledged }: Killed,
  workers: readonly WebhookWorker[],
  from: number,
  passes: number,
): Promise<void> {
  survivors.push(...workers);
  const last = await stage.store([stage.delivery('/kept')], from);
  acknowledged.add(String(last[0]));
  const isOpen = () => stage.models.deliveries.exists({ status: 'PENDING' });
  let aheadMs = from + STEP_MS;
  for (const worker of workers) {
    worker.order({ kind: 'work', aheadMs, sweepMs: SWEEP_MS });
  }
  await bothIdle(workers);
  for (let pass = 0; pass < passes && (await isOpen()); pass += 1) {
    aheadMs += STEP_MS;
    // Only while none has anything under way: for the worker that is frozen first, the other's leases would be over.
    for (const worker of workers) {
      worker.order({ kind: 'clock', aheadMs });
    }
    await bothIdle(workers);
  }
  for (const worker of workers) {
    worker.order({ kind: 'stop' });
  }
  await Promise.all(workers.map(({ ended }) => ended));
}

/** The first word may be of a sweep that began before. */
async function bothIdle(workers: readonly WebhookWorker[]): Promise<void> {
  for (let word = 0; word < 2; word += 1) {
    await Promise.all(workers.map((worker) => worker.next('idle')));
  }
}
