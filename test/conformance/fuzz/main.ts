/**
 * `npm run fuzz`: the long form. Cases are run in a child process, because a planner may end the process; the child notes
 * the case under way in a file, so that the case is known when the child dies.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildComposedModel } from './build/index.ts';
import { describeDifference, describeFailure } from './describe.ts';
import { writeOperation } from './operations.ts';
import { createRandom } from './random.ts';
import { createFuzzGraph } from './resolvers.ts';
import { createReport, type FuzzReport, runFuzz } from './run.ts';
import { OPERATIONS_OF_A_GRAPH, readSettings, type Settings } from './settings.ts';
import { shrink } from './shrink.ts';
import { createRunState } from './world.ts';

/** How long a child may be silent: one graph takes seconds. */
const SILENCE_MS = 300_000;
/** Graphs of one child: it grows with each. */
const GRAPHS_OF_A_CHILD = 100;
/** Failures that are made small; the others are reported by their numbers. */
const MOST_SHRUNK = 5;
const CASE_DIGITS = 24;

/** The message of a child after each graph. */
interface Message extends Omit<FuzzReport, 'failures'> {
  readonly failures: readonly string[];
}

function noteCases(file: string): (graph: number, operation: number) => void {
  const descriptor = openSync(file, 'w');
  return (graph, operation) => {
    writeSync(descriptor, `${graph}:${operation}`.padEnd(CASE_DIGITS), 0);
  };
}

async function runChild(
  settings: Settings,
  [file = '', from, fromOperation, to]: readonly string[],
): Promise<void> {
  let shrunk = 0;
  const { seed } = settings;
  const send = (message: Message): Promise<void> =>
    new Promise((resolve, reject) => {
      process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
    });
  await runFuzz({
    ...settings,
    from: Number(from),
    fromOperation: Number(fromOperation),
    to: Number(to),
    operationsOfGraph: OPERATIONS_OF_A_GRAPH,
    onCase: noteCases(file),
    async onGraph({ failures, ...counts }) {
      const texts: string[] = [];
      for (const failure of failures) {
        shrunk += 1;
        const small = shrunk > MOST_SHRUNK ? null : await shrink(failure);
        texts.push(
          small === null
            ? `FUZZ_SEED=${seed} FUZZ_CASE=${failure.graph}:${failure.operation} (${failure.difference.what})`
            : describeDifference(seed, small),
        );
      }
      await send({ ...counts, failures: texts });
    },
  });
  process.disconnect();
}

/** The case during which a child died, as far as it can be shown without running it. */
function describeDeath({ seed, without }: Settings, graph: number, operation: number, why: string): string {
  const composed = buildComposedModel(`${seed}/${graph}`, { without });
  const { model } = composed;
  const { monolith } = createFuzzGraph(composed, createRunState());
  const generated = writeOperation(monolith, createRandom(`${seed}/${graph}/${operation}`), { without });
  return describeFailure(seed, { graph, operation, model, generated }, [`The process ended: ${why}`]);
}

interface ChildEnd {
  readonly why: string | null;
}

function startChild(args: readonly string[], onMessage: (message: Message) => void): Promise<ChildEnd> {
  const child = fork(fileURLToPath(import.meta.url), ['child', ...args], {
    execArgv: ['--enable-source-maps'],
  });
  return new Promise((resolve) => {
    const silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
    child.on('message', (message: Message) => {
      silence.refresh();
      onMessage(message);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(silence);
      resolve({ why: code === 0 ? null : (signal ?? `exit code ${String(code)}`) });
    });
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function runParent(settings: Settings): Promise<void> {
  const { seed, runs } = settings;
  const [onlyGraph] = settings.only ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-fuzz-'));
  const file = join(folder, 'case');
  const total = { ...createReport(), failed: 0 };
  const end = onlyGraph === undefined ? Math.ceil(runs / OPERATIONS_OF_A_GRAPH) : onlyGraph + 1;
  print(`FUZZ_SEED=${seed}: about ${runs} operations over ${end} graphs`);
  const onMessage = ({ failures, ...counts }: Message): void => {
    total.operations += counts.operations;
    total.graphs += counts.graphs;
    total.uncomposed += counts.uncomposed;
    total.invalid += counts.invalid;
    total.failed += failures.length;
    for (const failure of failures) {
      print(failure);
    }
    if (total.graphs % GRAPHS_OF_A_CHILD === 0) {
      print(summary(total));
    }
  };
  let next: readonly [number, number] = [onlyGraph ?? 0, 0];
  while (next[0] < end) {
    const to = Math.min(end, next[0] + GRAPHS_OF_A_CHILD);
    const { why } = await startChild([file, String(next[0]), String(next[1]), String(to)], onMessage);
    if (why === null) {
      next = [to, 0];
      continue;
    }
    const [graph = next[0], operation = 0] = readFileSync(file, 'utf8').trim().split(':').map(Number);
    total.failed += 1;
    print(describeDeath(settings, graph, operation, why));
    next = [graph, operation + 1];
  }
  rmSync(folder, { recursive: true });
  print(`FUZZ_SEED=${seed}: ${summary(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

function summary({
  operations,
  graphs,
  uncomposed,
  invalid,
  failed,
}: FuzzReport & { readonly failed: number }): string {
  return `${operations} operations over ${graphs - uncomposed} graphs, ${failed} failures; left out: ${invalid} operations that are not valid, ${uncomposed} graphs that cannot be composed`;
}

const settings = readSettings(process.env);
const [role, ...args] = process.argv.slice(2);
// Children read the same settings from the environment.
process.env.FUZZ_SEED = settings.seed;
await (role === 'child' ? runChild(settings, args) : runParent(settings));
