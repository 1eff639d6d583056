import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { judgedUri, settleJudgements } from './record-served.ts';
import { INTERNAL_KEY, REVOKED_LABEL, seedFor } from './seed.ts';
import { type Arrangement, createServers, type Server } from './server.ts';
import { startServerHere } from './server-here.ts';
import { startServerProcess } from './server-process.ts';
import type { TestCertificate } from './test-certificate.ts';
import { isStoreTemporary, leaveDatabase, TEST_URI_VARIABLE, VENV_DIR } from './test-database.ts';

export interface DeploymentOptions {
  /** Default: `all`. Split arrangements need the shared store. */
  readonly arrangement?: Arrangement;
  /**
   * `shared`: a database of its own on the test run's store, by MONGODB_URI; the default. `embedded`: no MONGODB_URI,
   * the product's own chain in DATA_DIR.
   */
  readonly store?: 'shared' | 'embedded';
  /**
   * Whether its servers are processes of their own, as `npm run build` made them: for what only a process has, such as
   * signals, its end, its memory. By default they run in the process of the test.
   */
  readonly processes?: boolean;
  /** Of the seed, besides those that every deployment has. */
  readonly tenants?: readonly object[];
  /** Makes the text of the seed another one; its keys, for example. */
  readonly rewriteSeed?: (text: string) => string;
  /**
   * Besides and over the environment that every deployment of the tests has. Work that waits for a sweep, such as the next
   * attempt of a webhook, sets how often it is swept: each sweep costs the store some twenty commands.
   */
  readonly env?: Readonly<Record<string, string>>;
}

/** A deployment of the product: configuration, data and a partners' receiver, which outlive its servers. */
export interface Deployment {
  readonly receiver: Receiver;
  readonly dataDir: string;
  /** The environment of its servers, `MONGODB_URI` included where there is one. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Starts a server on it, in its arrangement. Several at once share the data, where the store is shared; in `split`
   * they are gateways over the same subgraphs.
   */
  start(env?: Readonly<Record<string, string>>): Promise<Server>;
  /** The database itself, for checks of stored data. An embedded database cannot be reached from outside. */
  database(): Promise<Connection>;
  /** @throws when a server does not end cleanly, or leaves a process behind */
  close(): Promise<void>;
}

/** The process that watches over a store server may take a moment longer than the server itself. */
const LEAVE_TIMEOUT_MS = 30_000;

export async function createDeployment(
  certificate: TestCertificate,
  options: DeploymentOptions,
): Promise<Deployment> {
  const receiver = await startReceiver(certificate);
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-e2e-'));
  const { arrangement = 'all' } = options;
  const uri = options.store === 'embedded' ? undefined : ownDatabase();
  const seedFile = join(folder, 'seed.json');
  const { rewriteSeed = (text) => text } = options;
  writeFileSync(seedFile, rewriteSeed(JSON.stringify(seedFor(receiver.url, options.tenants))));
  const emptySeed = join(folder, 'empty-seed.json');
  writeFileSync(emptySeed, '{}');
  const env = {
    ...environment(folder, certificate),
    SEED_FILE: seedFile,
    ...(uri && { MONGODB_URI: options.processes ? uri : judgedUri(uri) }),
    ...(arrangement === 'split' && sharedSecrets()),
    ...options.env,
  };
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  mkdirSync(VENV_DIR, { recursive: true });
  symlinkSync(VENV_DIR, join(dataDir, 'store-venv'));
  const servers = options.processes
    ? createServers(arrangement, env, startServerProcess)
    : createServers(arrangement, env, startServerHere, emptySeed);
  let connection: Promise<Connection> | undefined;
  const database = () => {
    connection ??= uri === undefined ? Promise.reject(new Error('embedded')) : connect(uri);
    return connection;
  };
  return {
    receiver,
    dataDir,
    env,
    database,
    start: (more) => servers.start(more),
    close: async () => {
      const failures = await servers.stop();
      // Without processes of its own and without a store of its own it cannot leave any.
      if (options.processes || uri === undefined) {
        failures.push(...(await endStrays(folder)));
      }
      await receiver.close().catch((error: Error) => failures.push(error.message));
      if (uri !== undefined) {
        await leave(isStoreTemporary() ? connection : database());
      }
      rmSync(folder, { recursive: true, force: true });
      if (failures.length > 0) {
        throw new Error(failures.join('\n'));
      }
      settleJudgements();
    },
  };
}

/** @param opened none where nobody has opened it and it need not be dropped */
async function leave(opened: Promise<Connection> | undefined): Promise<void> {
  const connection = await opened;
  if (connection) {
    await leaveDatabase(connection);
    await connection.destroy();
  }
}

function ownDatabase(): string {
  const shared = process.env[TEST_URI_VARIABLE];
  if (!shared) {
    throw new Error(`${TEST_URI_VARIABLE} is not set: run tests by npm test or npm run jest`);
  }
  return withDatabase(shared, `remitgraph_e2e_${process.pid}_${randomBytes(6).toString('hex')}`);
}

function environment(folder: string, certificate: TestCertificate) {
  return {
    NODE_ENV: 'test',
    DATA_DIR: join(folder, 'data'),
    // Accepted calls wake the worker: what waits for the next attempt of a step sets how often it is swept.
    PIPELINE_SWEEP_SECONDS: '10',
    INTERNAL_API_KEY: INTERNAL_KEY,
    WEBHOOK_CA_FILE: certificate.caFile,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_TIMEOUT_SECONDS: '5',
    GRAPHQL_TIMEOUT_SECONDS: '240',
  };
}

/** Secrets that processes without a shared directory cannot generate for themselves: they must be the same in all of them. */
function sharedSecrets() {
  return {
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
    INTERNAL_TOKEN_KEY: randomBytes(32).toString('base64url'),
  };
}

function connect(uri: string): Promise<Connection> {
  return mongoose.createConnection(uri, { autoIndex: false, autoCreate: false }).asPromise();
}

/** Revokes the key that the seed means to be revoked; good once the server has seeded it. */
export async function revokeSeededKey(connection: Connection): Promise<void> {
  const revoked = await connection
    .collection('apiKeys')
    .updateOne({ label: REVOKED_LABEL }, { $set: { revokedAt: new Date() } });
  if (revoked.matchedCount !== 1) {
    throw new Error('The seed has no key to be revoked');
  }
}

/** Ends, by number, every process that goes on working in the folder, and names it. */
async function endStrays(folder: string): Promise<string[]> {
  const deadline = Date.now() + LEAVE_TIMEOUT_MS;
  let strays = findStrays(folder);
  while (strays.length > 0 && Date.now() < deadline) {
    await new Promise((wait) => setTimeout(wait, 50));
    strays = findStrays(folder);
  }
  return strays.map((line) => {
    process.kill(Number.parseInt(line, 10), 'SIGKILL');
    return `A process was left behind: ${line.trim()}`;
  });
}

function findStrays(folder: string): string[] {
  const list = execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.includes(folder));
}
