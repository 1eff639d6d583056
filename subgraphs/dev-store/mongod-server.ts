import type { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { MongoInstance } from 'mongodb-memory-server-core';
import { DatabaseError } from '../kernel/database/database-error.ts';
import { messageOf } from '../kernel/errors/thrown.ts';
import { makePrivateDirectory } from '../kernel/private-directory.ts';
import { withAdmin } from './primary.ts';
import type { ProviderContext, StoreServer } from './provider.ts';
import { ensureReplicaSet, REPLICA_SET } from './replica-set.ts';
import { type RunOutcome, run } from './run.ts';
import { startServerLog, tailServerLog } from './server-log.ts';

/** A `mongod` program that runs on this machine. */
interface MongodBinary {
  readonly path: string;
  /** As it says itself, such as `8.2.6`. */
  readonly version: string;
}

const VERSION_TIMEOUT_MS = 10_000;
/** Long enough to replay the journal of a crash. */
const LAUNCH_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS = 3;

/** Has the program print its version, which also shows that its libraries are there. */
export async function readMongodVersion(path: string, env: NodeJS.ProcessEnv): Promise<RunOutcome> {
  const outcome = await run(path, ['--version'], { env, timeoutMs: VERSION_TIMEOUT_MS });
  const version = outcome.ok ? /db version v(\d+\.\d+\.\d+)/.exec(outcome.stdout)?.[1] : undefined;
  if (version !== undefined) {
    return { ok: true, stdout: version };
  }
  return outcome.ok ? { ok: false, reason: `${path} --version does not name a version` } : outcome;
}

/**
 * Runs `mongod` on the data in `DATA_DIR`, as the only member of a replica set. It ends when this process does:
 * mongodb-memory-server-core leaves a watcher behind.
 * @throws DatabaseError when it does not come up
 */
export async function startMongod(binary: MongodBinary, context: ProviderContext): Promise<StoreServer> {
  const dataPath = context.layout.data('mongod');
  makePrivateDirectory(dataPath);
  const server = await launch(binary, context, dataPath);
  const address = `127.0.0.1:${server.port}`;
  try {
    await withAdmin(address, (admin) => ensureReplicaSet(admin, address));
  } catch (error) {
    await server.stop();
    throw new DatabaseError(`mongod did not become a replica set: ${messageOf(error)}`);
  }
  return {
    uri: `mongodb://${address}/?directConnection=true`,
    description: `mongod ${binary.version} (${binary.path})`,
    exited: server.exited,
    stop: server.stop,
  };
}

interface RunningMongod {
  readonly port: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

async function launch(
  binary: MongodBinary,
  context: ProviderContext,
  dataPath: string,
): Promise<RunningMongod> {
  const { MongoInstance } = await import('mongodb-memory-server-core');
  const logFile = context.layout.logFile('mongod');
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const instance = new MongoInstance({
      instance: {
        port,
        dbPath: dataPath,
        ip: '127.0.0.1',
        replSet: REPLICA_SET,
        storageEngine: 'wiredTiger',
        args: ['--quiet'],
        launchTimeout: LAUNCH_TIMEOUT_MS,
      },
      binary: { systemBinary: binary.path, version: binary.version },
      // Its own process group: Ctrl-C at the terminal is for us, and the server must outlive our draining.
      spawn: { env: context.env, detached: true },
    });
    const server = follow(instance, port, logFile, (pid) => context.recordServer(pid, dataPath));
    try {
      await instance.start();
      return server;
    } catch (error) {
      const message = messageOf(error);
      // Between finding the port and using it another program may have taken it.
      if (attempt === PORT_ATTEMPTS || !/already in use/i.test(message)) {
        throw new DatabaseError(`mongod did not start: ${message}; ${tailServerLog(logFile)}`);
      }
    }
  }
}

/** Keeps what the server prints in `logFile`, and knows an end that was wanted from any other. */
function follow(
  instance: MongoInstance,
  port: number,
  logFile: string,
  onLaunch: (pid: number) => void,
): RunningMongod {
  const events: EventEmitter = instance;
  startServerLog(logFile);
  const print = (line: string) => appendFileSync(logFile, `${line}\n`);
  let stopping = false;
  events.on('instanceSTDOUT', print);
  events.on('instanceSTDERR', print);
  // The first event at which the instance knows its process.
  events.once('killerLaunched', () => {
    const pid = instance.mongodProcess?.pid;
    if (pid !== undefined) {
      onLaunch(pid);
    }
  });
  const exited = new Promise<string>((resolve) => {
    events.once('instanceClosed', (code: number | null, signal: string | null) => {
      if (!stopping) {
        resolve(`mongod ended (${signal ?? `status ${code}`})`);
      }
    });
  });
  return {
    port,
    exited,
    stop: async () => {
      stopping = true;
      await instance.stop();
    },
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
