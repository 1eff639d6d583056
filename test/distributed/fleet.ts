import { resolve } from 'node:path';
import type { Role } from '../../subgraphs/kernel/config/roles.ts';
import { composeVariables, type Described, describeCompose } from '../deploy/manifests.ts';
import { runProduct, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { type Balancer, startBalancer } from './balancer.ts';

type Env = Readonly<Record<string, string>>;

/** A process of a service. */
interface Member {
  readonly process: ServerProcess;
}

/** By `performance.now()`. */
export interface Kill {
  readonly sentAt: number;
  /** When its end was noticed here: its connected processes know it by then. */
  readonly seenAt: number;
}

/** All processes of one role. */
export interface Service {
  readonly role: Role;
  /** Kills one of them without warning, and starts another in its place after `downMs`. */
  kill(downMs: number): Promise<Kill>;
  /** Starts a new one for each, and ends the old one when the new one is ready. @throws when one does not end with 0 */
  roll(): Promise<void>;
  stop(): Promise<void>;
  output(): string;
}

/** The services of compose.yaml as processes of this machine. */
export interface Fleet {
  /** Where partners reach the gateways. */
  readonly url: string;
  /** Gateways that are ready, the one first whose turn it is: for partners who go round them by themselves. */
  gateways(): string[];
  readonly services: readonly Service[];
  stop(): Promise<void>;
}

interface FleetOptions {
  /** This machine's parts instead of the containers': the database, directories, providers. */
  readonly env: Env;
  /** How many processes each subgraph has; gateways and workers are as many as compose.yaml has. */
  readonly copies: number;
}

/**
 * Starts what compose.yaml describes, each service with its environment there. Only addresses are others, because all run on
 * one machine, and the secrets.
 */
export async function startFleet({ env, copies }: FleetOptions): Promise<Fleet> {
  const all = describeCompose(composeVariables('sandbox'));
  const described = all.filter(({ command }) => command.join() === 'start');
  const balancers = new Map<string, Balancer>();
  const services: Service[] = [];
  const stop = async () => {
    // Those whom others call last.
    for (const service of services.toReversed()) {
      await service.stop();
    }
    await Promise.all([...balancers.values()].map((balancer) => balancer.close()));
  };
  try {
    for (const once of all.filter((one) => !described.includes(one))) {
      await runOnce(once, environment(once, env, balancers));
    }
    const roles = [...new Set(described.map((one) => one.env.ROLE as Role))];
    // Gateways get the addresses of subgraphs.
    for (const role of roles.toSorted((one, other) => rank(one) - rank(other))) {
      const own = described.filter((one) => one.env.ROLE === role);
      const balancer = role === 'worker' ? undefined : await startBalancer();
      if (balancer) {
        balancers.set(role, balancer);
      }
      const count = role.startsWith('subgraph-') ? copies : own.length;
      services.push(await startService(role, environment(own[0], env, balancers), count, balancer));
    }
    const front = balancers.get('gateway');
    return { url: front?.url ?? '', gateways: () => front?.turn() ?? [], services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs what compose.yaml starts before the others, and they wait for. */
async function runOnce({ name, command: [program, ...args] }: Described, env: Env): Promise<void> {
  const once = runProduct(resolve(`dist/bin/${program}.js`), args, env);
  const { code, signal } = await once.exited;
  if (code !== 0) {
    throw new Error(`${name} ended with ${signal ?? code}:\n${once.output().slice(-2_000)}`);
  }
}

function rank(role: Role): number {
  return role === 'gateway' ? 1 : 0;
}

/** The settings of compose.yaml, with the addresses of this machine. */
function environment(
  described: Described | undefined,
  own: Env,
  balancers: ReadonlyMap<string, Balancer>,
): Env {
  const { PORT: _, METRICS_PORT: _metrics, ...named } = described?.env ?? {};
  const here = Object.entries(named).map(([name, value]) => {
    const host = /^SUBGRAPH_.*_URL$/.test(name) ? new URL(value) : undefined;
    const url = host && balancers.get(host.hostname)?.url;
    return [name, host ? `${url}${host.pathname}` : value];
  });
  return { ...Object.fromEntries(here), ...own, HOST: '127.0.0.1' };
}

async function startService(
  role: Role,
  env: Env,
  count: number,
  balancer: Balancer | undefined,
): Promise<Service> {
  let members: Member[] = [];
  const ended: ServerProcess[] = [];
  const start = async (): Promise<Member> => {
    const process = await startServerProcess(env);
    const member = { process };
    members.push(member);
    await balancer?.add(process.url);
    return member;
  };
  const forget = ({ process }: Member) => {
    balancer?.remove(process.url);
    members = members.filter((one) => one.process !== process);
    ended.push(process);
  };
  const stop = async () => {
    await Promise.all(members.map(({ process }) => process.kill('SIGTERM')));
  };
  const starts = await Promise.allSettled(Array.from({ length: count }, start));
  const failed = starts.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return {
    role,
    kill: async (downMs) => {
      const [member] = members as [Member, ...Member[]];
      const sentAt = performance.now();
      await member.process.kill('SIGKILL');
      const seenAt = performance.now();
      await new Promise((wait) => setTimeout(wait, downMs));
      forget(member);
      await start();
      return { sentAt, seenAt };
    },
    roll: async () => {
      for (const member of [...members]) {
        await start();
        // It stays known: the balancer learns from it that it is no longer ready.
        const { code, signal } = await member.process.kill('SIGTERM');
        forget(member);
        if (code !== 0) {
          throw new Error(`${role} ended with ${signal ?? code}:\n${member.process.output().slice(-2_000)}`);
        }
      }
    },
    stop,
    output: () => [...ended, ...members.map(({ process }) => process)].map((one) => one.output()).join(''),
  };
}
