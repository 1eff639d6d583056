import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { readLog, type SeenChange, textsFor, writeChanges } from './changes.ts';
import { type LiveClient, startClient } from './clients.ts';
import { startPackageClient } from './package-client.ts';

/** How much is done. */
interface SoakSize {
  readonly changes: number;
  readonly changesPerSecond: number;
  readonly clients: number;
  /** Of all gateways together, half of them with SIGKILL. */
  readonly restarts: number;
  /** How long nothing may come to any client that still has events to get. */
  readonly patienceMs: number;
}

interface SoakOptions extends SoakSize {
  /** Of the gateways; without `PORT`. */
  readonly env: Readonly<Record<string, string>>;
  /** Ports for them, free ones. */
  readonly ports: readonly number[];
  /** A key of the tenant whose changes they are. */
  readonly key: string;
  /** The gateways' database. */
  readonly connection: Connection;
  progress(line: string): void;
}

/** The findings of a soak. */
export interface SoakReport {
  /** The tenant's changes in the log. */
  readonly changes: number;
  /** Events that clients have got. */
  readonly events: number;
  /** How connections have ended, and how often. */
  readonly ends: ReadonlyMap<string, number>;
  readonly seconds: number;
  /** The faults, one line each; empty when all holds. */
  readonly problems: readonly string[];
}

/** By turns; so that of two gateways each one has both. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGTERM'];
/** Of eight clients four read slowly: one of each kind. */
const isSlow = (index: number) => index % 8 >= 4;
/** Half of them are those of the product's package. */
const startOf = (index: number) => (index % 4 >= 2 ? startPackageClient : startClient);
const LOOK_MS = 250;

/**
 * Follows changes by many clients while the gateways before them are restarted, and compares what each client has got with
 * the log: the same changes, in the same order, each once.
 */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const began = performance.now();
  const gateways = options.ports.map((port) => createGateway({ ...options.env, PORT: String(port) }));
  const clients: LiveClient[] = [];
  try {
    const urls = await Promise.all(gateways.map((gateway) => gateway.start()));
    const cursor = await readLatestCursor(urls[0] ?? '', options.key);
    for (let index = 0; index < options.clients; index += 1) {
      clients.push(
        startOf(index)({
          name: `client ${index}`,
          transport: index % 2 === 0 ? 'websocket' : 'sse',
          isSlow: isSlow(index),
          key: options.key,
          cursor,
          // Each gateway has some of each kind and transport, so that a restart of any of them meets all.
          urls: rotated(urls, Math.floor(index / 4)),
        }),
      );
    }
    const log = await changeAndRestart(options, gateways);
    await waitForClients(clients, log, options.patienceMs);
    await Promise.all(clients.map((client) => client.stop()));
    return {
      changes: log.length,
      events: clients.reduce((sum, { texts }) => sum + texts.length, 0),
      ends: countEnds(clients),
      seconds: (performance.now() - began) / 1_000,
      problems: clients.flatMap((client) => judge(client, log)),
    };
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }
}

/** The same list, begun elsewhere. */
function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const from = by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

interface Gateway {
  start(): Promise<string>;
  /** Ends the process and starts another one in its place. */
  restart(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

function createGateway(env: Readonly<Record<string, string>>): Gateway {
  let running: ServerProcess | undefined;
  const start = async () => {
    running = await startServerProcess(env);
    return running.url;
  };
  return {
    start,
    restart: async (signal) => {
      await running?.kill(signal);
      await start();
    },
    stop: async () => {
      await running?.kill('SIGTERM');
    },
  };
}

/** Restarts one gateway after the other while changes are written. @returns the log, when all changes have their numbers */
async function changeAndRestart(
  { connection, changes, changesPerSecond, restarts, patienceMs, progress }: SoakOptions,
  gateways: readonly Gateway[],
): Promise<readonly SeenChange[]> {
  const pauseMs = (changes / changesPerSecond / (restarts + 1)) * 1_000;
  const restartAll = async () => {
    for (let done = 0; done < restarts; done += 1) {
      await sleep(pauseMs);
      const signal = SIGNALS[done % SIGNALS.length] ?? 'SIGTERM';
      await gateways[done % gateways.length]?.restart(signal);
      progress(`Gateway ${done % gateways.length} has been restarted with ${signal}.`);
    }
  };
  await Promise.all([writeChanges(connection, changes, changesPerSecond), restartAll()]);
  progress('All changes are committed.');
  const deadline = performance.now() + patienceMs;
  let log = await readLog(connection);
  while (log === undefined && performance.now() < deadline) {
    await sleep(LOOK_MS);
    log = await readLog(connection);
  }
  if (log === undefined) {
    throw new Error(`Some changes had no number after ${patienceMs} ms`);
  }
  return log;
}

async function waitForClients(
  clients: readonly LiveClient[],
  log: readonly SeenChange[],
  patienceMs: number,
): Promise<void> {
  const expected = new Map(clients.map((client) => [client, textsFor(log, client.filter).length]));
  const isBehind = (client: LiveClient) => client.texts.length < (expected.get(client) ?? 0);
  const countEvents = () => clients.reduce((sum, { texts }) => sum + texts.length, 0);
  let events = countEvents();
  let deadline = performance.now() + patienceMs;
  while (clients.some(isBehind) && performance.now() < deadline) {
    await sleep(LOOK_MS);
    const now = countEvents();
    deadline = now > events ? performance.now() + patienceMs : deadline;
    events = now;
  }
}

async function readLatestCursor(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: '{"query":"{ latestEventCursor }"}',
  });
  const { data } = (await answer.json()) as { data?: { latestEventCursor: string } };
  if (!data) {
    throw new Error(`No cursor to begin with: ${answer.status}`);
  }
  return data.latestEventCursor;
}

function countEnds(clients: readonly LiveClient[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const end of clients.flatMap(({ ends }) => ends)) {
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return counts;
}

/** The first place where a client's changes are not the log's. */
export function judge(
  { name, texts, filter }: Pick<LiveClient, 'name' | 'texts' | 'filter'>,
  log: readonly SeenChange[],
): string[] {
  const expected = textsFor(log, filter);
  const length = Math.max(expected.length, texts.length);
  for (let index = 0; index < length; index += 1) {
    if (texts[index] !== expected[index]) {
      const got = texts[index] ?? 'nothing';
      return [`${name} has ${got} at ${index}, the log ${expected[index] ?? 'nothing'}`];
    }
  }
  return [];
}
