import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

interface FileResult {
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

const JEST = createRequire(resolve('package.json')).resolve('jest/bin/jest');
const CONFIG = {
  rootDir: resolve('.'),
  roots: [resolve('test/runner/fixtures')],
  testRegex: ['\\.fixture\\.ts$'],
  runner: resolve('dist/test/runner/index.js'),
  testEnvironmentOptions: { store: false, processes: false, timeoutMs: 5_000, hookTimeoutMs: 5_000 },
  transform: {},
};

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-runner-'));
let files: ReadonlyMap<string, FileResult>;
let status: number | null;

/** Runs some fixtures in a Jest of their own. They are not the run's own tests: most of them fail. */
function runFixtures(pattern: string) {
  const outputFile = join(folder, 'results.json');
  const args = [
    '--config',
    JSON.stringify(CONFIG),
    '--runInBand',
    '--json',
    `--outputFile=${outputFile}`,
    pattern,
  ];
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  const jest = spawnSync(process.execPath, [JEST, ...args], { encoding: 'utf8', env });
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as {
    testResults: (FileResult & { name: string })[];
  };
  return {
    status: jest.status,
    files: new Map(testResults.map((result) => [basename(result.name, '.fixture.ts'), result])),
  };
}

const fileOf = (name: string) => files.get(name)!;
const testsOf = (name: string) =>
  Object.fromEntries(fileOf(name).assertionResults.map(({ title, status: of }) => [title, of]));

beforeAll(() => {
  ({ status, files } = runFixtures('fixtures/(?!late-)'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the runner of the tests', () => {
  test('fails the run', () => {
    expect(status).toBe(1);
  });

  test('tells each test that fails, is skipped or is to be written', () => {
    expect(testsOf('failures')).toEqual({
      passes: 'passed',
      fails: 'failed',
      hangs: 'failed',
      'expects an assertion that is not made': 'failed',
      'rejects behind its own back': 'failed',
      'throws behind its own back': 'failed',
      'does not run': 'failed',
      'is skipped': 'pending',
      'is to be written': 'todo',
    });
  });

  test.each([
    ['>  8 |   expect({ sum: 1 + 1 }).toEqual({ sum: 3 });', 'failures.fixture.ts:8:26'],
    ["> 11 | test('hangs', async () => {", 'failures.fixture.ts:11:1'],
    ["void Promise.reject(new Error('nobody awaits this'));", 'failures.fixture.ts:20:23'],
    ["throw new Error('nobody catches this');", 'failures.fixture.ts:25:11'],
    ["throw new Error('not prepared');", 'failures.fixture.ts:32:11'],
  ])('shows the line of the source, with nothing of the runner: %s', (line, place) => {
    const { message } = fileOf('failures');
    expect(message).toContain(line);
    expect(message).toContain(place);
    expect(message).not.toMatch(/test\/runner\/[\w-]+\.ts/);
  });

  test.each([
    ['empty', 'The file defines no test'],
    ['import-failure', 'this file cannot be imported'],
    ['import-hangs', 'The file was not imported within 5000 ms'],
    ['process-exit', 'The process that ran this file ended (exit code 7)'],
    ['leaves-listener', '1 listener(s) of process to SIGUSR2, globalThis[leftBehind]'],
  ])('fails the file %s', (name, message) => {
    expect(fileOf(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
  });

  test.each(['state-a', 'state-b', 'own-process', 'refusals'])('passes the file %s', (name) => {
    expect(fileOf(name)).toMatchObject({ status: 'passed', message: '' });
  });

  test('fails the next file when an error of one that has ended arrives, and names that', () => {
    const late = runFixtures('fixtures/late-');
    const failed = [...late.files.values()].filter((file) => file.status === 'failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]!.message).toMatch(/late-[ab]\.fixture\.ts had ended when this came of it/);
    expect(failed[0]!.message).toContain('too late for its own file');
  });
});
