// `npm test`: everything that must hold, in one command, and one plain closing line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-run-'));
const resultsFile = join(folder, 'results.json');
const testArgs = ['--json', `--outputFile=${resultsFile}`, ...process.argv.slice(2)];

const counts = { passed: 0, failed: 0, skipped: 0 };
await Promise.all([check('build and types', 'build'), check('lint and format', 'lint')]);
await Promise.all([check('schema drift', 'check:schema'), check('tests', 'jest', testArgs)]);
countTests();
rmSync(folder, { recursive: true });
const { passed, failed, skipped } = counts;
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs one of package.json's scripts. Those that run at once are told apart: what each prints comes as one piece. */
async function check(name, script, args) {
  const shown = args !== undefined;
  const child = spawn('npm', ['run', '--silent', script, ...(args ? ['--', ...args] : [])], {
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
  counts[status === 0 ? 'passed' : 'failed'] += 1;
  process.stdout.write(`\n== ${name}: ${status === 0 ? 'passed' : 'failed'}\n${output}`);
}

function countTests() {
  try {
    const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
    counts.passed += results.numPassedTests;
    counts.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
    counts.skipped += results.numPendingTests + results.numTodoTests;
  } catch {
    process.stdout.write('jest left no results\n');
    counts.failed += 1;
  }
}
