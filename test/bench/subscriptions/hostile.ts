import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { judge } from '../compare.ts';
import { percentile } from '../load.ts';
import { type Stand, say, table } from '../stand.ts';
import { ATTACK_KINDS, type Attack } from './attacks.ts';
import { type Crowd, startCrowd } from './crowd-process.ts';
import { machineMs } from './crowd-words.ts';
import { FOLLOW, openScene, type Scene, untilOpen } from './scene.ts';

const CHANGE_EVERY_MS = 1_000;
const PATIENCE_MS = 30_000;
const LOOK_MS = 20;
const SETTLE_MS = 2_000;
/** The good ones' p95 under an attack may be so many times what it was before: the noise of rounds of a few seconds. */
const MOST_LATENCY = 1.5;
/** The memory limit of a process for all hostile clients together, MiB. */
const MOST_GROWTH_MIB = 20;

interface HostileSize {
  /** Good subscribers; every change is for all of them. */
  readonly subscribers: number;
  /** Of each phase. */
  readonly seconds: number;
}

/** A time in which the good ones were watched. */
interface Phase {
  readonly name: string;
  readonly p95: number;
  /** Most memory that the server has held, MiB. */
  readonly mostMiB: number;
  /** The memory that is left at the end when all garbage has been collected, MiB. */
  readonly keptMiB: number;
  /** Processor time of the server, milliseconds a second. */
  readonly processorMs: number;
  readonly did: Readonly<Record<string, number>>;
}

/** Good subscribers before, during and after each kind of attack. */
export async function measureHostile(stand: Stand, { subscribers, seconds }: HostileSize): Promise<void> {
  // One subscriber more than the good ones: the attackers' key is their own.
  const scene = await openScene(stand, subscribers + 1_000, { RATE_LIMIT_GRAPHQL: '600' });
  const crowd = await startCrowd();
  try {
    const [operation = '', attacked = ''] = await scene.operations(2);
    const everyone = scene.subscribers(subscribers + 1_000, [operation]);
    const attacker = everyone.at(-1)?.key ?? '';
    // A socket each, opened at the pace that the rate limit of their keys allows.
    await crowd.open({
      url: scene.server.url,
      query: FOLLOW,
      wanted: everyone.slice(0, subscribers),
      perSocket: 1,
    });
    await untilOpen(scene.server, subscribers);
    const watch = (name: string, attackers?: ChildProcess) =>
      watchGood({ scene, crowd, operation, subscribers, seconds }, name, attackers);
    // The first changes are read by code that has never run.
    await watch('warm-up');
    const phases = [await watch('quiet')];
    for (const kind of ATTACK_KINDS) {
      const attack = {
        url: scene.server.url,
        key: attacker,
        query: FOLLOW,
        operationId: attacked,
        kinds: [kind],
      };
      const attackers = startAttack(attack);
      try {
        // The start of a process takes a processor, too.
        await delay(SETTLE_MS);
        phases.push(await watch(kind, attackers));
      } finally {
        attackers.kill('SIGKILL');
      }
      await untilOpen(scene.server, subscribers);
    }
    phases.push(await watch('quiet again'));
    report(subscribers, phases);
  } finally {
    crowd.stop();
    await scene.stop();
  }
}

/** Starts a process of hostile clients; it attacks until it is killed. */
export function startAttack(attack: Attack): ChildProcess {
  return fork('dist/test/bench/subscriptions/attackers.js', [], {
    env: { PATH: process.env.PATH ?? '', ATTACK: JSON.stringify(attack) },
  });
}

interface Watched {
  readonly scene: Scene;
  readonly crowd: Crowd;
  readonly operation: string;
  readonly subscribers: number;
  readonly seconds: number;
}

async function watchGood(
  { scene: { server }, crowd, operation, subscribers, seconds }: Watched,
  name: string,
  attackers: ChildProcess | undefined,
): Promise<Phase> {
  const latencies: number[] = [];
  let mostMiB = 0;
  const processorMs = server.processorMs();
  const from = machineMs();
  await crowd.take();
  for (let change = 1; change <= seconds; change += 1) {
    const at = machineMs();
    await server.change(operation);
    for (let missing = subscribers; missing > 0; ) {
      await delay(LOOK_MS);
      const { arrivals, problems } = await crowd.take();
      missing -= arrivals.length;
      latencies.push(...arrivals.map((arrival) => arrival.at - at));
      if (problems.length > 0 || machineMs() > at + PATIENCE_MS) {
        throw new Error(
          `${name}: ${missing} good subscribers miss a change. ${problems.slice(0, 3).join('; ')}`,
        );
      }
    }
    mostMiB = Math.max(mostMiB, server.residentMiB());
    await delay(Math.max(0, from + change * CHANGE_EVERY_MS - machineMs()));
  }
  const spent = (server.processorMs() - processorMs) / ((machineMs() - from) / 1_000);
  const did = attackers === undefined ? {} : await ask(attackers);
  const keptMiB = (await server.readMemory()).usedKiB / 1024;
  return { name, p95: percentile(latencies, 0.95), mostMiB, keptMiB, processorMs: spent, did };
}

function ask(attackers: ChildProcess): Promise<Record<string, number>> {
  return new Promise((resolve) => {
    attackers.once('message', (did) => resolve(did as Record<string, number>));
    attackers.send('report');
  });
}

function report(subscribers: number, phases: readonly Phase[]): void {
  const [quiet] = phases;
  say(
    `\n${subscribers.toLocaleString('en')} good subscribers, every change for all of them, beside hostile clients:`,
  );
  table(
    ['clients', 'attack', 'p95 ms', 'RSS at most, MiB', 'kept, MiB', 'CPU ms/s', 'p95', 'memory'],
    phases.map(({ name, p95, mostMiB, keptMiB, processorMs, did }) => {
      const before = quiet ?? { p95: Number.NaN, keptMiB: Number.NaN };
      const reported = Object.entries(did).map(([what, times]) => `${what} ${times}`);
      return [
        name,
        reported.join(', '),
        ...[p95, mostMiB, keptMiB, processorMs].map((figure) => figure.toFixed(0)),
        judge.verdict(p95 <= before.p95 * MOST_LATENCY),
        judge.verdict(keptMiB - before.keptMiB <= MOST_GROWTH_MIB),
      ];
    }),
    2,
  );
}
