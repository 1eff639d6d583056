import { createClock, createDraws } from './clock.ts';
import { type Costs, forRoles, type ProcessRole } from './costs.ts';
import { createServer, type Server } from './server.ts';

/** The processes and the database of a deployment. */
export interface Deployment {
  readonly processes: Readonly<Record<ProcessRole, number>>;
  /** The primary is the first one: it has the event log whole, and of other writes its share. */
  readonly shards: number;
  /** Of each shard. */
  readonly storeProcessors: number;
  /** All processes, the store and the load share the processors of one machine, so many. Default: each has its own. */
  readonly machine?: number;
  /** Time until a partner answers a webhook, where the load has its own processors. */
  readonly receiverMs: number;
  /** Accounts that the calls are spread over; each is in a partition of its own. */
  readonly accounts: number;
}

export type World = ReturnType<typeof createWorld>;

/** Processes, database and clock of a deployment, and the ways to give them work. */
export function createWorld(costs: Costs, deployment: Deployment, seed: string) {
  const clock = createClock();
  const draws = createDraws(seed);
  const machine =
    deployment.machine === undefined ? clock.after : createServer(deployment.machine, clock.after).serve;
  const some = (count: number, processors = 1) =>
    Array.from({ length: count }, () => createServer(processors, machine));
  const pools = forRoles((role) => some(deployment.processes[role]));
  const shards = some(deployment.shards, deployment.storeProcessors);
  const commands = shards.map(() => 0);
  const written = { commits: 0, events: 0 };
  /** Work of a process, of random length. */
  const work = (server: Server | undefined, ms: number, done: () => void = () => undefined) =>
    ms > 0 && server ? server.serve(draws.exponential(ms), done) : done();
  return {
    ...{ clock, draws, costs, deployment, pools, shards, commands, written, work },
    load: createServer(1, machine),
    /** Commands to a shard that take so much of it together. */
    command: (shard: number, ms: number, count: number, done?: () => void) => {
      commands[shard] = (commands[shard] ?? 0) + count;
      work(shards[shard], ms, done);
    },
    process: (role: ProcessRole) => pools[role][draws.below(pools[role].length)],
  };
}
