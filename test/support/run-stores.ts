import type { WorkerStores } from '../runner/protocol.ts';
import {
  type SharedTestServer,
  startSharedTestServer,
  TEMPORARY_SERVER_VARIABLE,
  TEST_URI_VARIABLE,
} from './test-database.ts';

/** The database servers of one test run. */
export interface RunStores extends WorkerStores {
  /** The server of a worker process; started when it is first needed. */
  of(workerId: number): Promise<SharedTestServer>;
  /** Stops all of them. */
  stop(): Promise<void>;
}

/**
 * A development store for each worker process: SecantusDB in Python answers one command at a time, and of two workers one
 * would wait for the other. A server that the environment names is the one of all workers.
 */
export function createRunStores(start: () => Promise<SharedTestServer> = startSharedTestServer): RunStores {
  const servers = new Map<number, Promise<SharedTestServer>>();
  const startOnce = (workerId: number) => {
    const server = servers.get(workerId) ?? start();
    servers.set(workerId, server);
    return server;
  };
  const of = async (workerId: number) => {
    // One after the other: the first may have to install what they run on.
    const first = await startOnce(1);
    return first.temporary ? startOnce(workerId) : first;
  };
  return {
    of,
    variablesFor: async (workerId) => {
      const { uri, temporary } = await of(workerId);
      return { [TEST_URI_VARIABLE]: uri, [TEMPORARY_SERVER_VARIABLE]: String(temporary) };
    },
    stop: async () => {
      const started = await Promise.allSettled(servers.values());
      await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.stop()));
    },
  };
}
