import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES, type Role } from '../../subgraphs/kernel/config/roles.ts';
import { type LoadedServer, startLoaded } from './processes.ts';

type Env = Readonly<Record<string, string>>;

/** A product split over processes: those that accept, and so many that work. */
export interface Split {
  readonly gateways: readonly [LoadedServer, ...LoadedServer[]];
  readonly subgraphs: readonly LoadedServer[];
  readonly workers: readonly LoadedServer[];
  /** Starts or ends workers until there are so many. */
  setWorkers(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one worker, a process of each subgraph, and so many gateways over them. */
export async function startSplit(env: Env, gateways = 1): Promise<Split> {
  const shared = { ...env, INTERNAL_TOKEN_KEY: randomBytes(32).toString('hex') };
  let started = 0;
  const running: LoadedServer[] = [];
  const start = async (role: Role, more: Env = {}) => {
    started += 1;
    const folder = join(String(env.DATA_DIR), `${role}-${started}`);
    mkdirSync(folder, { recursive: true });
    const own = { ...shared, ROLE: role, DATA_DIR: folder, ...more };
    const server = await startLoaded('dist/bin/server.js', own, '/health/ready');
    running.push(server);
    return server;
  };
  const end = async (server: LoadedServer) => {
    running.splice(running.indexOf(server), 1);
    await server.stop();
  };
  const stop = async () => {
    for (const server of running.toReversed()) {
      await end(server);
    }
  };
  try {
    const workers = [await start('worker')];
    const subgraphs: LoadedServer[] = [];
    const addresses: Record<string, string> = {};
    for (const role of ROLES.filter((one) => one.startsWith('subgraph-'))) {
      const server = await start(role);
      subgraphs.push(server);
      addresses[`${role.toUpperCase().replaceAll('-', '_')}_URL`] = `${server.url}/graphql`;
    }
    const front: [LoadedServer, ...LoadedServer[]] = [await start('gateway', addresses)];
    while (front.length < gateways) {
      front.push(await start('gateway', addresses));
    }
    return {
      gateways: front,
      subgraphs,
      workers,
      setWorkers: async (count) => {
        while (workers.length < count) {
          workers.push(await start('worker'));
        }
        for (const server of workers.splice(count)) {
          await end(server);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
