import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openConfiguredDatabase } from '../../gateway/app/database.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { describeRatio, inTurns, ratioOf } from './compare.ts';
import { costOf, createCostReader } from './cost.ts';
import { median } from './load.ts';
import { table } from './stand.ts';

/**
 * `npm run bench:start -- [--runs N]`: what a start costs until the server listens, of the bundles and of the modules
 * that they are made from, in turns, on a store that is there; and what a command of `npm run admin` takes in all.
 */

/** Loaded before the server: reports what the process has used so far when it is asked to. */
const REPORT_USAGE = `data:text/javascript,process.on('SIGUSR2', () => process.stderr.write(JSON.stringify({
  cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }) + '\\n'));`;

const PROGRAMS = { bundle: 'dist/bin/server.js', modules: 'dist/gateway/app/main.js' } as const;
const START_TIMEOUT_MS = 60_000;

interface Cost {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly residentMiB: number;
  readonly commands: number;
  readonly storeSeconds: number;
}

async function main(): Promise<void> {
  const { runs } = parseArgs({ options: { runs: { type: 'string', default: '5' } } }).values;
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-bench-start-'));
  const log = createLogger({ level: 'error' });
  const store = await openConfiguredDatabase(
    { MONGODB_URI: process.env.MONGODB_URI, DATA_DIR: join(folder, 'store') },
    log,
  );
  try {
    const env = environmentOf(store.uri, folder);
    // Makes the collections and indexes.
    await measureStart(PROGRAMS.bundle, env);
    const { bundle, modules } = PROGRAMS;
    const readCost = createCostReader(store.connection, () => 0);
    const measured = await inTurns([bundle, modules], Number(runs), async (program) => {
      const before = await readCost();
      const start = await measureStart(program, env);
      const { commands, storeMs } = costOf(before, await readCost());
      return { ...start, commands, storeSeconds: storeMs / 1000 };
    });
    const costs = { bundle: measured.get(bundle) ?? [], modules: measured.get(modules) ?? [] };
    report(costs.bundle, costs.modules);
    const commands = Array.from({ length: Number(runs) }, () => secondsOfCommand(env));
    process.stdout.write(`npm run admin -- tenant list: ${median(commands).toFixed(2)} s in all\n`);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function environmentOf(uri: string, folder: string): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const secret = () => randomBytes(32).toString('hex');
  return {
    ...{ PATH, HOME, MONGODB_URI: uri, DATA_DIR: join(folder, 'data'), PORT: '0', NODE_ENV: 'production' },
    ...{ ENCRYPTION_KEY: secret(), API_KEY_PEPPER: secret(), INTERNAL_API_KEY: secret() },
  };
}

function measureStart(
  program: string,
  env: Record<string, string>,
): Promise<Omit<Cost, 'commands' | 'storeSeconds'>> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', REPORT_USAGE, program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  let [output, reported, wallSeconds] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (wallSeconds === 0 && output.includes('"server.listening"')) {
      wallSeconds = (performance.now() - began) / 1000;
      child.kill('SIGUSR2');
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    reported += text;
    if (reported.endsWith('}\n')) {
      child.kill('SIGTERM');
    }
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code !== 0) {
        reject(new Error(`${program} ended with ${code}: ${output}${reported}`));
        return;
      }
      const { cpu, rss } = JSON.parse(reported) as { cpu: NodeJS.CpuUsage; rss: number };
      resolve({ cpuSeconds: (cpu.user + cpu.system) / 1e6, wallSeconds, residentMiB: rss / 2 ** 20 });
    });
  });
}

function secondsOfCommand(env: Record<string, string>): number {
  const began = performance.now();
  execFileSync('npm', ['run', '--silent', 'admin', '--', 'tenant', 'list'], { env });
  return (performance.now() - began) / 1000;
}

function report(bundle: readonly Cost[], modules: readonly Cost[]): void {
  const row = (name: string, of: (cost: Cost) => number, digits: number) => [
    name,
    median(bundle.map(of)).toFixed(digits),
    median(modules.map(of)).toFixed(digits),
    describeRatio(ratioOf(bundle.map(of), modules.map(of))),
  ];
  const rows = [
    row('processor time, s', ({ cpuSeconds }) => cpuSeconds, 2),
    row('time, s', ({ wallSeconds }) => wallSeconds, 2),
    row('memory, MiB', ({ residentMiB }) => residentMiB, 0),
    row('commands to the store', ({ commands }) => commands, 0),
    row('processor time of the store, s', ({ storeSeconds }) => storeSeconds, 2),
  ];
  table(['until it listens', 'bundle', 'modules', 'ratio (of runs)'], rows, 1);
}

await main();
