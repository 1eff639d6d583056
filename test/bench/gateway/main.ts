import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProgram } from '../processes.ts';
import type { Setting } from './contestants.ts';
import { composeGraph } from './graph.ts';
import { reportHostile } from './hostile.ts';
import { type LineUp, startAll } from './line-up.ts';
import { measureAll, ROUNDS, SECONDS } from './measure.ts';
import { reportMemory } from './memory.ts';
import { report, say } from './report.ts';

/** `npm run bench:gateway -- [--memory MINUTES]`: this engine beside a monolith and other gateways. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { memory: { type: 'string', default: '0' } } });
  const minutes = Number(values.memory);
  if (!(minutes >= 0)) {
    throw new Error(`--memory takes minutes, not "${values.memory}"`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-bench-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    const subgraphs = await startProgram({
      args: ['dist/test/bench/gateway/servers/subgraphs.js'],
      readyPath: '/',
    });
    stops.push(subgraphs.stop);
    const setting: Setting = {
      supergraph: join(folder, 'supergraph.graphql'),
      answers: join(folder, 'answers.json'),
      folder,
    };
    writeFileSync(setting.supergraph, composeGraph(subgraphs.url));
    await compare(await startAll(setting, stops), minutes);
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare({ running, missing }: LineUp, minutes: number): Promise<void> {
  say(`Node ${process.version}, ${availableParallelism()} processors, load average before: ${load()}.`);
  say(`Each figure: ${ROUNDS} rounds of ${SECONDS} s, all contestants in turn, over loopback.`);
  say();
  report(await measureAll(running), missing);
  say(`Load average after: ${load()}.`);
  say();
  const engine = running.find(({ contestant }) => contestant.id === 'in-process');
  if (engine !== undefined) {
    await reportHostile(engine.server);
    await reportMemory(engine.server, minutes);
  }
}

/** Of the last 1, 5 and 15 minutes: what else the machine did shows before, what the bench did shows after. */
function load(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}

await main();
