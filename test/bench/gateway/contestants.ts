import { execFile } from 'node:child_process';
import { accessSync, constants, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type LoadedServer, startProgram } from '../processes.ts';

/** The peers that are programs for Node; none of them is a dependency of the product. */
const PEERS = 'test/bench/gateway/peers';
/** Where they are installed: checks of the sources read every file in `test`. */
const PEERS_DIR = resolve('node_modules/.cache/remitgraph/bench-peers');

/** Settings that turn off the peers' telemetry. */
const NO_TELEMETRY = { APOLLO_TELEMETRY_DISABLED: '1', HIVE_TELEMETRY: '0', DO_NOT_TRACK: '1' };

/** Installs the peers, unless they are there. @throws with npm's last words when that fails */
async function installPeers(): Promise<void> {
  const lockFile = readFileSync(`${PEERS}/package-lock.json`, 'utf8');
  const copy = `${PEERS_DIR}/package-lock.json`;
  const isInstalled =
    existsSync(`${PEERS_DIR}/node_modules/.package-lock.json`) && readFileSync(copy, 'utf8') === lockFile;
  cpSync(PEERS, PEERS_DIR, { recursive: true });
  if (isInstalled) {
    return;
  }
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: PEERS_DIR }).catch((error: { stderr?: string }) => {
    throw new Error(`npm ci failed: ${error.stderr?.trim().split('\n').at(-1) ?? error}`);
  });
}

/** The settings that contestants start with. */
export interface Setting {
  /** The supergraph, with the addresses of the HTTP subgraphs. */
  readonly supergraph: string;
  /** The answers to replay, by query; written when the monolith has given them. */
  readonly answers: string;
  /** For files of their own. */
  readonly folder: string;
}

/** One column of the comparison. */
export interface Contestant {
  readonly id: ContestantId;
  readonly name: string;
  /** Rejects when it cannot be measured here; the message says why. */
  start(setting: Setting): Promise<LoadedServer>;
}

export type ContestantId =
  | 'bare'
  | 'monolith'
  | 'in-process'
  | 'over-http'
  | 'hive-router'
  | 'hive-gateway'
  | 'apollo-gateway';

const SERVERS = 'dist/test/bench/gateway/servers';
const PRODUCTION = { NODE_ENV: 'production' };

function own(program: string) {
  return ({ supergraph, answers }: Setting) =>
    startProgram({
      args: [`${SERVERS}/${program}.js`],
      env: { ...PRODUCTION, SUPERGRAPH: supergraph, ANSWERS: answers },
      readyPath: '/',
    });
}

async function startStandalone({ supergraph }: Setting): Promise<LoadedServer> {
  const port = await freePort();
  return startProgram({
    args: ['dist/bin/gateway.js', '--supergraph', supergraph, '--port', String(port)],
    env: PRODUCTION,
    readyPath: '/health/ready',
    port,
  });
}

function findHiveRouter(): string {
  const { HIVE_ROUTER, PATH = '' } = process.env;
  const places = HIVE_ROUTER ? [HIVE_ROUTER] : PATH.split(delimiter).map((dir) => join(dir, 'hive_router'));
  const found = places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) {
    throw new Error('no hive_router on PATH, and HIVE_ROUTER names none');
  }
  return found;
}

/** It answers identical requests once by default. */
function routerConfig(supergraph: string, port: number): string {
  return [
    `supergraph: { source: file, path: ${JSON.stringify(supergraph)} }`,
    `http: { host: 127.0.0.1, port: ${port} }`,
    'log: { level: error }',
    'traffic_shaping: { all: { dedupe_enabled: false }, router: { dedupe: { enabled: false } } }',
  ].join('\n');
}

async function startHiveRouter({ supergraph, folder }: Setting): Promise<LoadedServer> {
  const command = findHiveRouter();
  const cwd = join(folder, 'hive-router');
  const port = await freePort();
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'router.config.yaml'), routerConfig(supergraph, port));
  return startProgram({ command, args: [], env: NO_TELEMETRY, cwd, readyPath: '/health', port });
}

function peer(program: string) {
  return async ({ supergraph }: Setting): Promise<LoadedServer> => {
    await installPeers();
    return startProgram({
      args: [`${PEERS_DIR}/${program}.js`],
      env: { ...PRODUCTION, ...NO_TELEMETRY, SUPERGRAPH: supergraph },
      cwd: PEERS_DIR,
      readyPath: '/',
    });
  };
}

/** In the order of the table; the monolith comes first where its answers are needed. */
export const CONTESTANTS: readonly Contestant[] = [
  { id: 'monolith', name: 'mercurius monolith, JIT', start: own('monolith') },
  { id: 'bare', name: 'bare Fastify, bytes replayed', start: own('bare') },
  { id: 'in-process', name: 'this engine, in process', start: own('in-process') },
  { id: 'over-http', name: 'this engine, over HTTP', start: startStandalone },
  { id: 'hive-router', name: 'Hive Router', start: startHiveRouter },
  { id: 'hive-gateway', name: 'Hive Gateway, Rust planner', start: peer('hive-gateway') },
  { id: 'apollo-gateway', name: '@apollo/gateway', start: peer('apollo-gateway') },
];
