/** @only-in-full */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readVectors, VERIFIERS } from './testing.ts';

// The verifiers that partners copy, run as their README says, on the tools that this machine has.

const vectors = readVectors();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verifiers-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The output of a program. @throws when there is none or it fails, with its output */
function run(language: string, command: string, ...args: string[]): string {
  const cwd = join(VERIFIERS, language);
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-vet=off' };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (error || status !== 0) {
    throw new Error(`${command} ended with ${status}: ${error?.message ?? ''}${stdout}${stderr}`);
  }
  return stdout;
}

const LANGUAGES: [command: string, version: string, outcomes: () => string][] = [
  ['python3', '--version', () => run('python', 'python3', 'check_vectors.py')],
  ['go', 'version', () => run('go', 'go', 'test', '-v', '-count=1', '.')],
  [
    'javac',
    '--version',
    () => {
      run('java', 'javac', '-Xlint:all', '-Werror', '-d', folder, 'VerifyWebhook.java', 'CheckVectors.java');
      return run('java', 'java', '-XX:TieredStopAtLevel=1', '-cp', folder, 'CheckVectors', '../vectors.json');
    },
  ],
  ['php', '--version', () => run('php', 'php', 'check_vectors.php')],
];

describe('the verifiers of other languages say to each vector what ours says', () => {
  for (const [command, version, outcomes] of LANGUAGES) {
    const isThere = spawnSync(command, [version]).status === 0;
    const itRuns = isThere ? test : test.skip;
    itRuns(isThere ? command : `${command} (skipped: it is not on this machine)`, () => {
      const lines = outcomes()
        .split('\n')
        .filter((line) => /^[A-Z_]+\t/.test(line));
      expect(lines).toEqual(vectors.map(({ name, result }) => `${result}\t${name}`));
    });
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
(hasPython ? test : test.skip)('a clock that is not a number is an error of the call in Python', () => {
  const { headers, body, secrets } = vectors.find(
    ({ name }) => name === 'request_money: the documented example',
  )!;
  const call = [
    'import json, sys, verify_webhook',
    'headers, body, secrets = json.loads(sys.argv[1])',
    'try:',
    '    verify_webhook.verify_webhook("request_money", headers, body.encode(), secrets, now=float("nan"))',
    'except ValueError as error:',
    '    print(error)',
  ].join('\n');
  const said = run('python', 'python3', '-c', call, JSON.stringify([headers, body, secrets]));
  expect(said.trim()).toBe('now must be a finite number');
});

test('the lines of openssl give the documented signatures', () => {
  const readme = readFileSync(join(VERIFIERS, 'README.md'), 'utf8');
  const [, lines = ''] = /## By hand[^`]*(?:`[^`\n]+`[^`]*)*```sh\n([^`]*)```/.exec(readme) ?? [];
  const byHand = (name: string) => {
    const { body = '', secrets, now } = vectors.find((vector) => vector.name === name)!;
    writeFileSync(join(folder, 'body'), body);
    const { stdout } = spawnSync('sh', ['-ec', lines], {
      cwd: folder,
      env: { ...process.env, SECRET: String(secrets[0]), T: String(now) },
      encoding: 'utf8',
    });
    return stdout.trim().split('\n');
  };
  expect(byHand('request_money: the documented example')[0]).toBe(
    '18481de62457a4a013689f59fc1e370ed0c479d81e96e0849a898f730aa042f9',
  );
  expect(byHand('partner: the documented example')[0]).toBe(
    '48457b3d19d93b2ce4f420a9eac99f1403fffbe8ef0309cfdd07f59a983905a0',
  );
  expect(byHand('outcome: the documented example')[1]).toBe('SLp1ijuqpIYsGSeCZuNy80M55YAZ3I7SFmeoK548JIM=');
});
