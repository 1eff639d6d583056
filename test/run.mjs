// `npm test`: everything that must hold, in one command, and one plain closing line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-run-'));
const resultsFile = join(folder, 'results.json');
const checks = [
  ['build and types', 'npm', ['run', '--silent', 'build']],
  ['lint and format', 'npm', ['run', '--silent', 'lint']],
  ['schema drift', 'npm', ['run', '--silent', 'check:schema']],
  [
    'tests',
    'npm',
    ['run', '--silent', 'jest', '--', '--json', `--outputFile=${resultsFile}`, ...process.argv.slice(2)],
  ],
];

let passed = 0;
let failed = 0;
for (const [name, command, args] of checks) {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status === 0) {
    passed += 1;
  } else {
    failed += 1;
  }
}

try {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
  passed += results.numPassedTests;
  failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
} catch {
  process.stdout.write('jest left no results\n');
  failed += 1;
}
rmSync(folder, { recursive: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
