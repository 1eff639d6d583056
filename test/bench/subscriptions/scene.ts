import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { exchangeWith } from '../../support/http.ts';
import { newReference } from '../../support/money-requests.ts';
import { KEYS, seedFor } from '../../support/seed.ts';
import { type LoadedServer, type Program, startProgram } from '../processes.ts';
import type { Stand } from '../stand.ts';
import type { Wanted } from './crowd-words.ts';

/** The part of a change that screens show: the event and its entity. */
export const FOLLOW = `subscription ($operationId: ID!) {
  operationStatusChanged(operationId: $operationId) {
    cursor occurredAt previousStatus status statusDetails
    operation { id status statusDetails updatedAt recipient { amount currency } }
  }
}`;

/** The same of the entity, for those who ask again and again. */
export const LOOK = `query ($operationId: ID!) {
  operation(id: $operationId) { id status statusDetails updatedAt recipient { amount currency } }
}`;

/** Of one key in a process 1,000 may be open. */
const SUBSCRIPTIONS_OF_A_KEY = 500;
const CALLERS = 8;
const LOOK_MS = 50;
const OPEN_TIMEOUT_MS = 60_000;

/** Memory of a server after all garbage has been collected, in KiB. */
export interface Memory {
  readonly residentKiB: number;
  /** Objects, and buffers outside of the heap. */
  readonly usedKiB: number;
}

/** The memory of a server, and what it holds besides. */
interface State extends Memory {
  /**
   * Timers, sockets and other resources of Node's that are active, by kind; with the setting `REPORT_LISTENERS` also `listeners` of
   * all emitters and signals.
   */
  readonly held: Readonly<Record<string, number>>;
}

/** A server that clients follow, the product or another one. */
export interface FollowedServer extends LoadedServer {
  /** How many subscriptions are open. */
  countSubscriptions(): Promise<number>;
  /** Makes a change of an operation. */
  change(operationId: string, statusDetails?: string): Promise<void>;
  readMemory(): Promise<State>;
}

/** The product with operations of one partner, and keys enough for many subscribers. */
export interface Scene {
  readonly server: FollowedServer;
  readonly connection: Connection;
  /** Of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The operations of the partner, by number; made when they are first asked for. */
  operations(count: number): Promise<readonly string[]>;
  /** The nth of so many subscribers, who follow the operations in turn, each with one of the keys. */
  subscribers(count: number, operations: readonly string[]): Wanted[];
  stop(): Promise<void>;
}

/**
 * @param subscribers for whom the first partner has keys, each good for 500
 * @param seed the partners
 */
export async function openScene(
  stand: Stand,
  subscribers: number,
  more: Readonly<Record<string, string>> = {},
  seed: object = seedFor('https://receiver.test'),
): Promise<Scene> {
  const database = stand.database();
  const keys = Array.from(
    { length: Math.ceil(subscribers / SUBSCRIPTIONS_OF_A_KEY) },
    (_, number) => `raas_sandbox_bench_${number}`,
  );
  const env = stand.productEnv(database, 'https://receiver.test', {
    // Deliveries are stored, but not sent: a receiver would be measured with the server.
    WEBHOOK_NUDGE: 'false',
    WEBHOOK_SWEEP_SECONDS: '3600',
    METRICS_TOKEN: randomBytes(32).toString('hex'),
    RATE_LIMIT_GRAPHQL: '0',
    RATE_LIMIT_REMITTANCE: '0',
    // All keys are one partner's.
    RATE_LIMIT_PARTNER_FACTOR: String(Math.max(2, keys.length)),
    ...more,
  });
  addKeys(env, seed as Seed, keys);
  const server = await startProduct(env);
  const made: string[] = [];
  return {
    server,
    connection: database.connection,
    env,
    operations: async (count) => {
      await createOperations(server, made, count);
      return made.slice(0, count);
    },
    subscribers: (count, operations) =>
      Array.from({ length: count }, (_, index) => ({
        key: keys[Math.floor(index / SUBSCRIPTIONS_OF_A_KEY)] ?? KEYS.acme,
        variables: { operationId: operations[index % operations.length] },
      })),
    stop: server.stop,
  };
}

/** The part of a seed that keys are added to. */
interface Seed {
  readonly tenants: readonly { readonly apiKeys: object[] }[];
}

/** Has the server start with a seed whose first partner has more keys. */
function addKeys(env: Record<string, string>, seed: Seed, keys: readonly string[]): void {
  for (const key of keys) {
    seed.tenants[0]?.apiKeys.push({ key, scopes: ['partner'], label: key });
  }
  const seedFile = join(String(env.DATA_DIR), 'seed-of-subscribers.json');
  writeFileSync(seedFile, JSON.stringify(seed));
  env.SEED_FILE = seedFile;
}

async function startProduct(env: Readonly<Record<string, string>>): Promise<FollowedServer> {
  const internalKey = String(env.INTERNAL_API_KEY);
  const started = await startReportingMemory({
    args: ['dist/bin/server.js'],
    env,
    readyPath: '/health/ready',
  });
  const exchange = exchangeWith(started.url);
  const held = new Set<string>();
  return {
    ...started,
    countSubscriptions: async () => {
      const { text } = await exchange({
        method: 'GET',
        path: '/metrics',
        headers: { Authorization: `Bearer ${env.METRICS_TOKEN}` },
      });
      return Number(/^graphql_subscriptions_active (\d+)/m.exec(text)?.[1] ?? 0);
    },
    change: async (operationId, statusDetails) => {
      // Held, and back: an operation may do so for ever.
      const status = held.delete(operationId) ? 'Sent' : 'OnHold';
      if (status === 'OnHold') {
        held.add(operationId);
      }
      const answer = await exchange({
        method: 'PATCH',
        path: `/v1/internal/operations/${operationId}/status`,
        headers: { 'X-Internal-Key': internalKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ partnerId: 'acme', status, statusDetails }),
      });
      if (answer.status !== 200) {
        throw new Error(`A change was answered ${answer.status}: ${answer.text}`);
      }
    },
  };
}

/** graphql-ws without the product. */
export async function startBare(): Promise<FollowedServer> {
  const started = await startReportingMemory({
    args: ['dist/test/bench/subscriptions/bare.js'],
    readyPath: '/',
  });
  const exchange = exchangeWith(started.url);
  return {
    ...started,
    countSubscriptions: async () => Number((await exchange({ method: 'GET', path: '/' })).text),
    change: async (operationId) => void (await exchange({ method: 'POST', path: `/changes/${operationId}` })),
  };
}

async function startReportingMemory(
  program: Program,
): Promise<LoadedServer & Pick<FollowedServer, 'readMemory'>> {
  let onMemory: ((state: State) => void) | undefined;
  const started = await startProgram({
    ...program,
    env: {
      ...program.env,
      NODE_OPTIONS: `--import=${resolve('dist/test/bench/subscriptions/report-memory.js')}`,
    },
    onMessage: (message) => {
      const { rss, heapUsed, external, held } = message as NodeJS.MemoryUsage & Pick<State, 'held'>;
      onMemory?.({ residentKiB: rss / 1024, usedKiB: (heapUsed + external) / 1024, held });
    },
  });
  return {
    ...started,
    readMemory: () =>
      new Promise((resolveMemory) => {
        onMemory = resolveMemory;
        process.kill(started.pid, 'SIGUSR2');
      }),
  };
}

/** Waits until so many subscriptions are open, or more; with 0, until none is. @throws when they are not within a minute */
export async function untilOpen(server: FollowedServer, count: number): Promise<void> {
  const deadline = performance.now() + OPEN_TIMEOUT_MS;
  for (let open = -1; open < count || (count === 0 && open > 0); ) {
    open = await server.countSubscriptions();
    if (performance.now() > deadline) {
      throw new Error(`${open} subscriptions are open instead of ${count}`);
    }
    await delay(LOOK_MS);
  }
}

async function createOperations({ url }: LoadedServer, made: string[], count: number): Promise<void> {
  const exchange = exchangeWith(url);
  const post = async (path: string, body: object) => {
    const headers = { api_key: KEYS.acme, 'Content-Type': 'application/json' };
    const answer = await exchange({ method: 'POST', path, headers, body: JSON.stringify(body) });
    if (answer.status !== 200) {
      throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    }
    return JSON.parse(answer.text) as { userId: string };
  };
  const work = async (caller: number) => {
    if (made.length >= count) {
      return;
    }
    // Calls of one user take turns.
    const { userId } = await post('/v1/user/register-v2', {
      phoneNumber: `+5255${String(10_000_000 + made.length * CALLERS + caller)}`,
      ...{ firstName: 'Ana', lastName: 'Ruiz', address1: 'Reforma 1' },
      ...{ countryCode: 'MX', city: 'Ciudad de México', state: 'CMX' },
    });
    for (let left = Math.ceil((count - made.length) / CALLERS); left > 0; left -= 1) {
      const correlationId = newReference();
      await post(`/v1/user/operations/request-money-v2/${userId}`, {
        requestTo: '+13055550100',
        correlationId,
        recipientAmount: 20.1,
        recipientCurrency: 'MXN',
        destinationPaymentMethod: { type: 'CashPickup', country: 'MX' },
      });
      made.push(correlationId);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => work(caller)));
}
