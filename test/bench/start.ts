import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openConfiguredDatabase } from '../../gateway/app/database.ts';
import { createLogger } from '../../subgraphs/platform/log/log.ts';

/**
 * `npm run bench:start -- [--runs N]`: what a start costs until the server listens, of the bundles and of the modules
 * that they are made from, in turns, on a store that is there; and what a command of `npm run admin` takes in all.
 */

/** Loaded before the server: tells what the process has used so far when it is asked to. */
const TELL = `data:text/javascript,process.on('SIGUSR2', () => process.stderr.write(JSON.stringify({
  cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }) + '\\n'));`;

const PROGRAMS = { bundle: 'dist/bin/server.js', modules: 'dist/gateway/app/main.js' } as const;
const START_TIMEOUT_MS = 60_000;

interface Cost {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly residentMiB: number;
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
    const costs: Record<keyof typeof PROGRAMS, Cost[]> = { bundle: [], modules: [] };
    for (let run = 0; run < Number(runs); run += 1) {
      costs.bundle.push(await measureStart(PROGRAMS.bundle, env));
      costs.modules.push(await measureStart(PROGRAMS.modules, env));
    }
    report(medianOf(costs.bundle), medianOf(costs.modules));
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

function measureStart(program: string, env: Record<string, string>): Promise<Cost> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', TELL, program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  let [output, told, wallSeconds] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (wallSeconds === 0 && output.includes('"server.listening"')) {
      wallSeconds = (performance.now() - began) / 1000;
      child.kill('SIGUSR2');
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (told.endsWith('}\n')) {
      child.kill('SIGTERM');
    }
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code !== 0) {
        reject(new Error(`${program} ended with ${code}: ${output}${told}`));
        return;
      }
      const { cpu, rss } = JSON.parse(told) as { cpu: NodeJS.CpuUsage; rss: number };
      resolve({ cpuSeconds: (cpu.user + cpu.system) / 1e6, wallSeconds, residentMiB: rss / 2 ** 20 });
    });
  });
}

function secondsOfCommand(env: Record<string, string>): number {
  const began = performance.now();
  execFileSync('npm', ['run', '--silent', 'admin', '--', 'tenant', 'list'], { env });
  return (performance.now() - began) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function medianOf(costs: readonly Cost[]): Cost {
  return {
    cpuSeconds: median(costs.map(({ cpuSeconds }) => cpuSeconds)),
    wallSeconds: median(costs.map(({ wallSeconds }) => wallSeconds)),
    residentMiB: median(costs.map(({ residentMiB }) => residentMiB)),
  };
}

function report(bundle: Cost, modules: Cost): void {
  const line = (name: string, of: (cost: Cost) => number, digits: number) =>
    `${name.padEnd(24)}${of(bundle).toFixed(digits).padStart(10)}${of(modules).toFixed(digits).padStart(10)}` +
    `${(of(bundle) / of(modules)).toFixed(2).padStart(10)}\n`;
  process.stdout.write(
    `${'until it listens'.padEnd(24)}${'bundle'.padStart(10)}${'modules'.padStart(10)}${'ratio'.padStart(10)}\n` +
      line('processor time, s', ({ cpuSeconds }) => cpuSeconds, 2) +
      line('time, s', ({ wallSeconds }) => wallSeconds, 2) +
      line('memory, MiB', ({ residentMiB }) => residentMiB, 0),
  );
}

await main();
