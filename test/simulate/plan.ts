import { type Costs, forPhases, forRoles, PROCESS_ROLES, SUBGRAPHS, sum } from './costs.ts';
import { type Simulated, simulate, stepsOf, WRITES } from './product.ts';
import type { Deployment } from './world.ts';

/** The part of its processors that a process or a shard may use: the autoscalers' `600m`. */
export const BUSIEST = 0.6;
/** At least so many of each role, so that one can fail. */
const FEWEST = 2;
const MOST_SHARDS = 64;
/** In the long run a partition has so many turns a second (subgraphs/runtime/events/pacing.ts), a worker so many looks. */
export const TURNS_A_SECOND = 4;
export const LOOKS_A_SECOND = 20;
export const EVENTS_A_CALL = Object.values(WRITES).reduce((all, { events }) => all + events, 0);
const WARM_UP_SECONDS = 1.5;
/** Simulated ones, where that takes neither too short nor too long. */
const CALLS = 3_000;

/** Figures that no measurement has. */
export interface Assumptions {
  /** Of the machine of each shard. */
  readonly storeProcessors: number;
  /** Time until a partner answers a webhook, milliseconds. */
  readonly receiverMs: number;
  /** Accounts that the calls of a deployment are spread over. */
  readonly accounts: number;
}

export const ASSUMED: Assumptions = { storeProcessors: 16, receiverMs: 50, accounts: 64 };

/**
 * The smallest deployment for so many atomic calls a second in which nothing uses more than {@link BUSIEST}.
 * @returns or the name of the part that more processes and shards do not relieve
 */
export function plan(
  costs: Costs,
  rate: number,
  assumed = ASSUMED,
  mostShards = MOST_SHARDS,
): Deployment | string {
  const { accept, outcome, after } = costs.phases;
  const room = BUSIEST * 1000;
  const call = sum(accept, outcome, after);
  const turns = Math.min(TURNS_A_SECOND * assumed.accounts, 3 * rate);
  const looks = Math.min(LOOKS_A_SECOND, rate);
  /** Of each worker: its own, and what it reads of the log. */
  const reads = (key: 'worker' | 'store') =>
    looks * costs.look[key] + rate * (costs.notice[key] + EVENTS_A_CALL * costs.watch[key]);
  const numbers = (key: 'worker' | 'store') =>
    turns * costs.turn[key] + rate * EVENTS_A_CALL * costs.event[key];
  const left = room - costs.idle.worker - reads('worker');
  const count = (ms: number, each: number) => Math.max(FEWEST, Math.ceil(ms / each));
  if (left <= 0) {
    return "the workers' reading of the event log";
  }
  const processes = forRoles((role) =>
    role === 'worker'
      ? count(rate * call.worker + numbers('worker'), left)
      : count(rate * call[role], room - costs.idle[role]),
  );
  const others = total(processes) / PROCESS_ROLES.length;
  const log = processes.worker * reads('store') + numbers('store') + others * costs.idle.store;
  const ofCommits = forPhases((phase) => {
    const { commits } = WRITES[phase];
    return (costs.phases[phase].store * commits) / stepsOf(costs, phase);
  });
  const commits = ofCommits.accept + ofCommits.outcome + ofCommits.after;
  for (let shards = 1; shards <= mostShards; shards += 1) {
    const primary = log + rate * (call.store / shards + (commits * (shards - 1)) / shards);
    if (primary <= room * assumed.storeProcessors) {
      return { processes, shards, ...assumed };
    }
  }
  return 'the shard with the event log';
}

/** A number of calls, the deployments for it, and the simulation of one of them. */
export interface Planned {
  readonly rate: number;
  /** The accounts are divided among so many deployments, which share nothing. */
  readonly deployments: number;
  /** Each of them. */
  readonly deployment: Deployment;
  readonly simulated: Simulated;
}

/**
 * The cheapest way to serve so many calls: more deployments share the load, and each has processes and shards of its own.
 * @throws when not even a call a second can be served
 */
export function planned(costs: Costs, rate: number, assumed = ASSUMED): Planned {
  let best: { deployments: number; deployment: Deployment; processors: number } | undefined;
  for (let deployments = 1; deployments <= rate; deployments += 1) {
    const deployment = plan(costs, rate / deployments, assumed);
    if (typeof deployment !== 'string') {
      const { processes, shards, storeProcessors } = deployment;
      const processors = deployments * (total(processes) + shards * storeProcessors);
      best = processors < (best?.processors ?? Infinity) ? { deployments, deployment, processors } : best;
    }
  }
  if (best === undefined) {
    throw new Error(
      `No deployment serves a call a second with ${assumed.storeProcessors} processors a shard`,
    );
  }
  const { deployments, deployment } = best;
  const each = rate / deployments;
  const seconds = Math.min(Math.max(CALLS / each, 1.5), 15);
  const load = { rate: each, evenly: false };
  const simulated = simulate(costs, deployment, load, { seconds, warmUp: WARM_UP_SECONDS });
  return { rate, deployments, deployment, simulated };
}

/** Processes of all roles. */
export const total = (processes: Deployment['processes']): number =>
  Object.values(processes).reduce((all, one) => all + one, 0);

/** The most calls a second of one deployment with so many shards, to the nearest 10 below, and the part that is full then. */
export function limitOf(
  costs: Costs,
  assumed = ASSUMED,
  mostShards = MOST_SHARDS,
): { rate: number; full: string } {
  for (let rate = 10; ; rate += 10) {
    const deployment = plan(costs, rate, assumed, mostShards);
    if (typeof deployment === 'string') {
      return { rate: rate - 10, full: deployment };
    }
  }
}

/** The part that uses most of its processors, with that part of them; subgraphs by their names. */
export function busiest({ used }: Pick<Simulated, 'used'>): [role: string, part: number] {
  const [first = ['nothing', 0]] = Object.entries(used).sort(([, one], [, other]) => other - one);
  return first;
}

/** Use of the parts of the smallest deployment by load, up to the first load at which one is full. */
export function useByLoad(
  costs: Costs,
  assumed = ASSUMED,
): { rate: number; used: Record<'gateway' | 'subgraph' | 'worker' | 'primary', number> }[] {
  const processes = forRoles(() => FEWEST);
  const deployment = { processes, shards: 1, ...assumed };
  const points: ReturnType<typeof useByLoad> = [];
  for (let rate = 20; ; rate += 20) {
    const load = { rate, evenly: true };
    const { used } = simulate(costs, deployment, load, { seconds: 4, warmUp: WARM_UP_SECONDS });
    const subgraph = Math.max(...SUBGRAPHS.map((role) => used[role]));
    const { gateway, worker, store: primary } = used;
    points.push({ rate, used: { gateway, subgraph, worker, primary } });
    if (busiest({ used })[1] > 0.97) {
      return points;
    }
  }
}
