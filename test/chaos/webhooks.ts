import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { openDevStore } from '../../subgraphs/dev-store/open-dev-store.ts';
import { runFreeze } from './freeze.ts';
import type { KillReport } from './judge-kills.ts';
import { KILL_POINTS, STAGES, stageOf } from './kill-points.ts';
import { runKills } from './kills.ts';

const VENV_DIR = resolve('node_modules/.cache/remitgraph/store-venv');
const REPORT_EVERY = 50;
/** Attempts of each frozen worker. */
const FROZEN_EACH = 12;

const { values: options } = parseArgs({
  options: { kills: { type: 'string', default: '520' }, minutes: { type: 'string', default: '30' } },
});

/**
 * `npm run chaos:webhooks [-- --kills N --minutes N]`: webhook workers are killed and frozen, on a store of its own. Ends with
 * a verdict; the exit code is 0 when everything holds. No kills begin when the minutes are over.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-chaos-store-'));
  const log = pino({ level: 'error' });
  const store = await openDevStore({ dataDir: folder, venvDir: VENV_DIR, log });
  try {
    say(`Store: ${store.description}. Node ${process.version}.`);
    const problems = [...(await killWorkers(store.uri)), ...(await freezeWorkers(store.uri))];
    for (const problem of problems) {
      say(`  ${problem}`);
    }
    say(problems.length === 0 ? 'Everything holds.' : `It does not hold: ${problems.length} problems.`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killWorkers(uri: string): Promise<string[]> {
  const kills = Number(options.kills);
  const report = await runKills({
    uri,
    kills,
    deadline: Date.now() + Number(options.minutes) * 60_000,
    progress: (done) => {
      if (done % REPORT_EVERY === 0) {
        say(`${done} kills …`);
      }
    },
  });
  reportKills(report);
  return [...report.problems, ...missing(report, kills)];
}

function reportKills({
  kills,
  points,
  stored,
  posts,
  repeats,
  inFlight,
  deadLettered,
  rejected,
}: KillReport): void {
  const byStage = STAGES.map((stage) => {
    const count = [...points].reduce((sum, [at, times]) => sum + (stageOf(at) === stage ? times : 0), 0);
    return `${stage} ${count}`;
  });
  const others = [...points].filter(([at]) => stageOf(at) === undefined);
  say(
    `${kills} kill -9: ${[...byStage, ...others.map(([at, times]) => `${at} ${times}`)].join(', ')}, two workers at once.`,
  );
  say(`${stored} deliveries were stored, and had ${posts} posts; ${deadLettered} were dead-lettered.`);
  say(
    `${repeats} posts were repeats; ${inFlight} attempts were in flight at a kill; ${rejected.length} results came too late.`,
  );
  for (const { deliveryId, aheadMs } of rejected) {
    const why = aheadMs === undefined ? 'nothing explains it' : `another clock was ${aheadMs} ms ahead`;
    say(`  ${deliveryId}: ${why}`);
  }
}

/** Planned trials that did not take place. */
function missing({ kills, points }: KillReport, wanted: number): string[] {
  const unseen = wanted < KILL_POINTS.length + 1 ? [] : KILL_POINTS.filter((point) => !points.has(point));
  return [
    ...(kills < wanted ? [`${kills} kills of ${wanted} in ${options.minutes} minutes`] : []),
    ...unseen.map((point) => `no worker was killed ${point}`),
  ];
}

async function freezeWorkers(uri: string): Promise<string[]> {
  const all: string[] = [];
  for (const waits of [false, true]) {
    const { frozen, stale, reported, problems } = await runFreeze({ uri, each: FROZEN_EACH, waits });
    const how = waits ? 'until their leases were over' : 'while another clock went past their leases';
    say(`Two workers were frozen ${how}: of ${frozen} results ${stale} were rejected and counted.`);
    all.push(...problems);
    if (stale !== frozen || reported !== frozen) {
      all.push(`${frozen} results were stale; ${stale} were counted, ${reported} logged`);
    }
  }
  return all;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
