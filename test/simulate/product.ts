import { DEFAULT_PARTITIONS } from '../../subgraphs/kernel/config/work-settings.ts';
import { percentile } from '../bench/load.ts';
import { type Costs, forRoles, type Phase, PROCESS_ROLES, type ProcessRole, SUBGRAPHS } from './costs.ts';
import { createAnnouncements, createNumbering, startStreams } from './event-log.ts';
import type { Server } from './server.ts';
import { createWorld, type Deployment, type World } from './world.ts';

/** Commits of a call, and the events that they write (subgraphs/runtime/events/README.md). */
export const WRITES: Readonly<Record<Phase, { commits: number; events: number }>> = {
  accept: { commits: 1, events: 2 },
  outcome: { commits: 3, events: 4 },
  after: { commits: 1, events: 2 },
};

/** Calls a second, `evenly` or by chance; or so many calls under way. */
export type Load = { readonly rate: number; readonly evenly: boolean } | { readonly underWay: number };

export interface Simulated {
  /** Outcomes a second. */
  readonly perSecond: number;
  /** From the call to its outcome at the partner, milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** Part of their processors that the processes of a role, and the busiest shard, used. */
  readonly used: Readonly<Record<ProcessRole | 'store', number>>;
  /** Commands a second, by shard. */
  readonly commands: readonly number[];
  /** Commits a second, on all shards. */
  readonly commits: number;
  /** Calls from the beginning; each that arrived is in flight until all that follows from it is done. */
  readonly calls: { readonly arrived: number; readonly departed: number; readonly inFlight: number };
}

/** One call: where it goes. */
interface Call {
  readonly partition: number;
  readonly shard: number;
}

/** The roles that a phase waits for, in this order before each command; others work beside it. */
export const PATHS: Readonly<Record<Phase, readonly ProcessRole[]>> = {
  accept: ['gateway', ...SUBGRAPHS],
  outcome: ['worker'],
  after: ['worker'],
};

/** Commands of a phase one after the other; at least its commits. */
export const stepsOf = (costs: Costs, phase: Phase): number =>
  Math.max(Math.round(costs.phases[phase].commands), WRITES[phase].commits);

/**
 * A phase of a call: its processor time is divided evenly over its commands, the last of which are commits. A commit writes an
 * event, so with several shards the one with the event log takes part.
 */
function pass(world: World, phase: Phase, call: Call, worker: Server | undefined, done: () => void): void {
  const use = world.costs.phases[phase];
  const { commits } = WRITES[phase];
  const steps = stepsOf(world.costs, phase);
  const serverOf = (role: ProcessRole) => (role === 'worker' && worker ? worker : world.process(role));
  for (const role of PROCESS_ROLES.filter((one) => !PATHS[phase].includes(one))) {
    world.work(serverOf(role), use[role]);
  }
  const path = PATHS[phase].map((role) => ({ server: serverOf(role), ms: use[role] / steps }));
  const command = (shard: number, then: () => void) =>
    world.command(shard, use.store / steps, use.commands / steps, () =>
      world.clock.after(use.waitMs / steps, then),
    );
  const step = (nth: number): void => {
    if (nth === steps) {
      done();
      return;
    }
    const next = () => step(nth + 1);
    const store = () => {
      const isCommit = nth >= steps - commits;
      world.written.commits += isCommit ? 1 : 0;
      if (isCommit && call.shard > 0) {
        command(0, () => command(call.shard, next));
      } else {
        command(call.shard, next);
      }
    };
    path.reduceRight<() => void>(
      (then, { server, ms }) =>
        () =>
          world.work(server, ms, then),
      store,
    )();
  };
  step(0);
}

/** Makes calls that run to their end. @returns starts one, with what to do at its outcome */
function createCalls(world: World, calls: { arrived: number; departed: number }) {
  const { clock, deployment, costs, draws } = world;
  const numbering = createNumbering(world);
  const isShared = deployment.machine !== undefined;
  const commit = (phase: Phase, call: Call) => numbering.add(call.partition, WRITES[phase].events);
  const post = (done: () => void) =>
    isShared
      ? world.work(world.load, costs.phases.outcome.load, done)
      : clock.after(deployment.receiverMs, done);
  const announcements = createAnnouncements<{ call: Call; onOutcome: () => void }>(
    world,
    ({ call, onOutcome }, worker, ended) =>
      pass(world, 'outcome', call, worker, () => {
        commit('outcome', call);
        post(() => {
          onOutcome();
          pass(world, 'after', call, worker, () => {
            commit('after', call);
            calls.departed += 1;
            ended();
          });
        });
      }),
  );
  return (onOutcome: () => void) => {
    calls.arrived += 1;
    const call = {
      partition: draws.below(deployment.accounts) % DEFAULT_PARTITIONS,
      shard: draws.below(deployment.shards),
    };
    world.work(isShared ? world.load : undefined, costs.phases.accept.load, () =>
      pass(world, 'accept', call, undefined, () => {
        commit('accept', call);
        announcements.add({ call, onOutcome });
      }),
    );
  };
}

/**
 * Runs a deployment under a load for some time. It begins empty; figures are of the time after the warm-up.
 * @param seed the same seed has the same result
 */
export function simulate(
  costs: Costs,
  deployment: Deployment,
  load: Load,
  { seconds, warmUp = 0, seed = 'product' }: { seconds: number; warmUp?: number; seed?: string },
): Simulated {
  const world = createWorld(costs, deployment, seed);
  const { clock, draws, pools, shards } = world;
  const calls = { arrived: 0, departed: 0 };
  const start = createCalls(world, calls);
  const latencies: number[] = [];
  const call = (then: () => void = () => undefined) => {
    const from = clock.now();
    start(() => {
      if (clock.now() > warmUp * 1000) {
        latencies.push(clock.now() - from);
      }
      then();
    });
  };
  startStreams(world);
  if ('underWay' in load) {
    const again = () => call(again);
    for (let nth = 0; nth < load.underWay; nth += 1) {
      again();
    }
  } else {
    const arrive = () => {
      call();
      clock.after(load.evenly ? 1000 / load.rate : draws.exponential(1000 / load.rate), arrive);
    };
    arrive();
  }
  const read = () => ({
    busy: new Map([...Object.values(pools).flat(), ...shards].map((server) => [server, server.busyMs])),
    commands: [...world.commands],
    commits: world.written.commits,
  });
  clock.runUntil(warmUp * 1000);
  const before = read();
  clock.runUntil((warmUp + seconds) * 1000);
  const usedBy = (server: Server) => (server.busyMs - (before.busy.get(server) ?? 0)) / (seconds * 1000);
  const mean = (values: readonly number[]) => values.reduce((all, one) => all + one, 0) / values.length;
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    used: {
      ...forRoles((role) => mean(pools[role].map(usedBy))),
      store: Math.max(...shards.map(usedBy)) / deployment.storeProcessors,
    },
    commands: world.commands.map((count, shard) => (count - (before.commands[shard] ?? 0)) / seconds),
    commits: (world.written.commits - before.commits) / seconds,
    calls: { ...calls, inFlight: calls.arrived - calls.departed },
  };
}
