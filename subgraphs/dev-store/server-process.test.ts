import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findProcess } from './process-identity.ts';
import { startServerProcess } from './server-process.ts';
import { temporaryDirectory, writeProgram } from './testing/script-process.ts';

let directory: ReturnType<typeof temporaryDirectory>;
let pids: number[];

beforeEach(() => {
  directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'sub dir'));
  pids = [];
});

afterEach(() => directory.remove());

function start(body: string, times: { startTimeoutMs?: number; stopTimeoutMs?: number } = {}) {
  return startServerProcess({
    name: 'fake',
    command: writeProgram(join(directory.path, 'sub dir', 'fake'), body),
    args: ['one two'],
    env: process.env,
    logFile: join(directory.path, 'fake.log'),
    listening: /listening on (\d+)/,
    startTimeoutMs: 10_000,
    ...times,
    onSpawn: (pid) => pids.push(pid),
  });
}

async function gone(pid: number): Promise<void> {
  while (findProcess(pid) !== undefined) {
    await new Promise((done) => setTimeout(done, 10));
  }
}

test('reads the port, passes arguments on, and the process is the server itself', async () => {
  const server = await start('echo "$1: listening on 4321, I am $$"; exec sleep 60');
  expect(server.port).toBe(4321);
  const [pid] = pids;
  expect(readFileSync(join(directory.path, 'fake.log'), 'utf8')).toBe(
    `one two: listening on 4321, I am ${pid}\n`,
  );
  await server.stop();
  expect(findProcess(pid!)).toBeUndefined();
  const unexpected = await Promise.race([server.exited, Promise.resolve('nothing')]);
  expect(unexpected).toBe('nothing');
});

test('reports a server that ends by itself', async () => {
  const server = await start('echo listening on 1; exec sleep 60');
  process.kill(pids[0]!, 'SIGKILL');
  await expect(server.exited).resolves.toBe('fake ended (SIGKILL)');
  await server.stop();
});

test('makes a server end that does not want to', async () => {
  const server = await start('trap "" TERM; echo listening on 1; while :; do sleep 0.05; done', {
    stopTimeoutMs: 100,
  });
  await server.stop();
  expect(findProcess(pids[0]!)).toBeUndefined();
});

test('a server that ends before it listens is a failure, with its last words', async () => {
  await expect(start('echo cannot open the data >&2; exit 3')).rejects.toThrow(
    /fake ended \(status 3\) before it listened; .*fake\.log ends with:\ncannot open the data/,
  );
});

test('a server that does not listen in time is a failure, and ended', async () => {
  await expect(start('exec sleep 60', { startTimeoutMs: 100 })).rejects.toThrow(
    /did not listen within 0\.1 s; .*is empty/,
  );
  await gone(pids[0]!);
});

test('keeps the log of the run before', async () => {
  for (const port of [1, 2]) {
    await (await start(`echo listening on ${port}; exec sleep 60`)).stop();
  }
  expect(readFileSync(join(directory.path, 'fake.log'), 'utf8')).toBe('listening on 2\n');
  expect(readFileSync(join(directory.path, 'fake.log.previous'), 'utf8')).toBe('listening on 1\n');
});
