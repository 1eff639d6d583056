/** @only-in-full */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findProcess } from '../../subgraphs/dev-store/process-identity.ts';
import { until } from '../support/until.ts';
import type { Provisions } from './protocol.ts';

interface FileResult {
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

interface Run {
  readonly status: number | null;
  readonly output: string;
  /** By the fixture's name. */
  readonly files: ReadonlyMap<string, FileResult>;
}

const JEST = createRequire(resolve('package.json')).resolve('jest/bin/jest');
const PROVISIONS: Provisions = {
  store: false,
  processes: false,
  followsPace: false,
  timeoutMs: 5_000,
  hookTimeoutMs: 300,
  silenceMs: 60_000,
  memoryBytes: 2 ** 40,
};
/** Longer than a worker takes to start, also where others work. */
const SILENCE_MS = 8_000;

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-runner-'));
const childPidFile = join(folder, 'child.pid');

/** Runs some fixtures in a Jest of their own. They are not the run's own tests: most of them fail. */
async function runFixtures(pattern: string, provisions: Partial<Provisions> = {}): Promise<Run> {
  const outputFile = join(folder, 'results.json');
  const config = {
    rootDir: resolve('.'),
    roots: [resolve('test/runner/fixtures')],
    testRegex: ['\\.fixture\\.ts$'],
    displayName: 'unit',
    runner: resolve('dist/test/runner/index.js'),
    // By size, whatever an earlier run has measured: files of a pair come one after the other.
    testSequencer: resolve('test/runner/sequencer.mjs'),
    testEnvironmentOptions: { ...PROVISIONS, ...provisions },
    transform: {},
  };
  const args = ['--config', JSON.stringify(config), '--runInBand', '--json', `--outputFile=${outputFile}`];
  const jest = spawn(process.execPath, [JEST, ...args, pattern], {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CHILD_PID_FILE: childPidFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [jest.stdout, jest.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const status = await new Promise<number | null>((done) => {
    jest.once('close', done);
  });
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as {
    testResults: (FileResult & { name: string })[];
  };
  rmSync(outputFile);
  const files = testResults.map((result) => [basename(result.name, '.fixture.ts'), result] as const);
  return { status, output, files: new Map(files) };
}

const statusesOf = ({ files }: Run) =>
  Object.fromEntries([...files].map(([name, { status }]) => [name, status]));
const titlesOf = ({ assertionResults }: FileResult) => assertionResults.map(({ title }) => title);

afterAll(() => rmSync(folder, { recursive: true }));

describe('the runner of the tests', () => {
  let run: Run;
  const fileOf = (name: string) => run.files.get(name)!;
  const testsOf = (name: string) =>
    Object.fromEntries(fileOf(name).assertionResults.map(({ title, status }) => [title, status]));
  beforeAll(async () => {
    run = await runFixtures('fixtures/[\\w-]+\\.fixture');
  });

  test('fails the run', () => {
    expect(run.status).toBe(1);
  });

  test('reports each test that fails, is skipped or is planned', () => {
    expect(testsOf('failures')).toEqual({
      passes: 'passed',
      fails: 'failed',
      hangs: 'failed',
      'expects an assertion that is not made': 'failed',
      'rejects behind its own back': 'failed',
      'throws behind its own back': 'failed',
      'does not run': 'failed',
      'is skipped': 'pending',
      'is planned': 'todo',
      'fails with what is no JSON': 'failed',
    });
  });

  test.each([
    ['>  8 |   expect({ sum: 1 + 1 }).toEqual({ sum: 3 });', 'failures.fixture.ts:8:26'],
    ["> 11 | test('hangs', async () => {", 'failures.fixture.ts:11:1'],
    ["void Promise.reject(new Error('nobody awaits this'));", 'failures.fixture.ts:20:23'],
    ["throw new Error('nobody catches this');", 'failures.fixture.ts:25:11'],
    ["throw new Error('not prepared');", 'failures.fixture.ts:32:11'],
    ["new Error('turns in a circle');", 'failures.fixture.ts:44:17'],
  ])('shows the line of the source, with nothing of the runner: %s', (line, place) => {
    const { message } = fileOf('failures');
    expect(message).toContain(line);
    expect(message).toContain(place);
    expect(message).not.toMatch(/test\/runner\/[\w-]+\.ts/);
  });

  test.each([
    ['empty', 'must contain at least one test'],
    ['empty-describe', 'must contain at least one test'],
    ['focused', 'ran its tests with `.only` alone'],
    ['import-failure', 'this file cannot be imported'],
    ['import-hangs', 'The file was not imported within 5000 ms'],
    ['hook-hangs', 'Exceeded timeout of 300 ms for a hook'],
    ['process-exit', 'The process that ran this file ended (exit code 7)'],
    ['killed', 'The process that ran this file ended (SIGKILL)'],
    ['leaves-listener', '1 listener(s) of process to SIGUSR2, globalThis[leftBehind]'],
    ['removes-listener', '1 listener(s) fewer of process to message'],
  ])('fails the file %s', (name, message) => {
    expect(fileOf(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
  });

  test('passes the file provisions', () => {
    expect(fileOf('provisions')).toMatchObject({ status: 'passed', message: '' });
  });
});

test('files share a process and its modules, and find the process as it was', async () => {
  const run = await runFixtures('apart/(state|global|own-process)');
  expect(statusesOf(run)).toEqual({
    'state-a': 'passed',
    'state-b': 'passed',
    'global-a': 'passed',
    'global-b': 'passed',
    'own-process': 'passed',
  });
  const states = ['state-a', 'state-b'].flatMap((name) => titlesOf(run.files.get(name)!));
  const title = 'finds the process as it was, and changes it; files before it: ';
  expect(states.toSorted()).toEqual([`${title}0`, `${title}1`]);
  expect(run.status).toBe(0);
});

test('a process with more memory than it may have is replaced before the next file', async () => {
  const run = await runFixtures('apart/fresh-', { memoryBytes: 1 });
  expect(statusesOf(run)).toEqual({ 'fresh-a': 'passed', 'fresh-b': 'passed' });
});

test('an error of a file that has ended fails the next one, and names the file that it came of', async () => {
  const late = await runFixtures('apart/late-');
  const failed = [...late.files.values()].filter((file) => file.status === 'failed');
  expect(failed).toHaveLength(1);
  expect(failed[0]!.message).toMatch(/late-[ab]\.fixture\.ts had ended when this came of it/);
  expect(failed[0]!.message).toContain('too late for its own file');
});

test.each([
  ['fails-later', /fails-later\.fixture\.ts had ended when this came of it: Error: too late for every file/],
  ['ends-later', /last file was \S+ends-later\.fixture\.ts ended by itself afterwards \(exit code 3\)/],
])('a failure after the last file fails the run: %s', async (name, message) => {
  const run = await runFixtures(`apart/${name}`);
  expect(statusesOf(run)).toEqual({ [name]: 'passed' });
  expect(run.output).toMatch(message);
  expect(run.status).toBe(1);
});

test('a process whose event loop stands still is killed, with the processes that its file has started', async () => {
  const run = await runFixtures('apart/blocks', { processes: true, silenceMs: SILENCE_MS });
  expect(run.files.get('blocks')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining(`for ${SILENCE_MS} ms its event loop did not turn`),
  });
  const pid = Number(readFileSync(childPidFile, 'utf8'));
  expect(pid).toBeGreaterThan(0);
  await until('the end of the process', () => findProcess(pid) === undefined);
});
