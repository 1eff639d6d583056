// `npm test`, and `npm run test:full` for whole sweeps: everything that must hold, in one command, and one plain closing line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseWorkers } from './runner/workers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-run-'));
const resultsFile = join(folder, 'results.json');
const args = process.argv.slice(2);
// Chosen before the build, whose own load does not count.
const workers = args.some((arg) => /^(-[iw]|--runInBand|--maxWorkers)/.test(arg))
  ? []
  : [`--maxWorkers=${await chooseWorkers()}`];
/** Arguments with which still all tests run. */
const CHOOSES_NOTHING = /^(-i|--(maxWorkers=.*|runInBand|verbose|silent|logHeapUsage))$/;
const choosesNothing = args.every((arg) => CHOOSES_NOTHING.test(arg));
// All but `full`; test/README.md has the projects.
const projects =
  choosesNothing && process.env.TEST_DEPTH !== 'full' ? ['--selectProjects', 'unit', 'store', 'process'] : [];
const testArgs = ['--json', `--outputFile=${resultsFile}`, ...workers, ...args, ...projects];

const counts = { passed: 0, failed: 0, skipped: 0 };
await Promise.all([check('build and types', 'build'), check('lint and format', 'lint')]);
await Promise.all([check('schema drift', 'check:schema'), check('tests', 'jest', testArgs)]);
await judge(readResults());
rmSync(folder, { recursive: true });
const { passed, failed, skipped } = counts;
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs one of package.json's scripts. Those that run at once are distinguished: what each prints comes as one piece. */
async function check(name, script, scriptArgs) {
  const shown = scriptArgs !== undefined;
  const child = spawn('npm', ['run', '--silent', script, ...(scriptArgs ? ['--', ...scriptArgs] : [])], {
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(1);
    });
    child.once('close', resolve);
  });
  report(name, status === 0, output);
}

function report(name, hasPassed, output) {
  const word = hasPassed ? 'passed' : 'failed';
  counts[word] += 1;
  process.stdout.write(`\n== ${name}: ${word}\n${output}`);
}

function readResults() {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'));
  } catch {
    process.stdout.write('jest left no results\n');
    counts.failed += 1;
    return undefined;
  }
}

async function judge(results) {
  if (results === undefined) {
    return;
  }
  counts.passed += results.numPassedTests;
  counts.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
  counts.skipped += results.numPendingTests + results.numTodoTests;
  if (choosesNothing) {
    // Compiled by now, as the tests are.
    const { findUnproven, readRows, readTests } = await import('../dist/test/contract/coverage.js');
    const rows = readRows(readFileSync('test/contract/COVERAGE.md', 'utf8'));
    const unproven = findUnproven(rows, readTests(results, process.cwd()));
    report('proofs of the contract', unproven.length === 0, unproven.map((line) => `${line}\n`).join(''));
  }
}
