import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lockDirectory } from './lock.ts';
import { findProcess } from './process-identity.ts';
import { runScript, temporaryDirectory } from './testing/script-process.ts';

let directory: ReturnType<typeof temporaryDirectory>;
const options = () => ({ locks: join(directory.path, 'locks'), dataDir: directory.path });

beforeEach(() => {
  directory = temporaryDirectory();
});

afterEach(() => directory.remove());

function leaveLockOf(pid: number, startedAt: string): void {
  mkdirSync(options().locks);
  writeFileSync(join(options().locks, `${pid}@${startedAt}`), '2026-11-21T08:00:00.000Z\n');
}

test('a second start fails at once, and its error names the holder of the directory', async () => {
  const lock = await lockDirectory(options());
  await expect(lockDirectory(options())).rejects.toThrow(`in use by this process (${process.pid}) since 20`);
  lock.release();
  (await lockDirectory(options())).release();
  expect(readdirSync(options().locks)).toEqual([]);
});

test('the lock of a living process counts', async () => {
  const parent = findProcess(process.ppid)!;
  leaveLockOf(parent.pid, parent.startedAt);
  await expect(lockDirectory(options())).rejects.toThrow(
    `${directory.path} is in use by process ${parent.pid} since 2026-11-21T08:00:00.000Z. Stop it`,
  );
  expect(readdirSync(options().locks)).toEqual([`${parent.pid}@${parent.startedAt}`]);
});

test.each([
  ['is gone', 4_194_303],
  ['has passed its number on to another', process.ppid],
])('the lock of a process that %s is taken over', async (_case, pid) => {
  leaveLockOf(pid, 'long-ago');
  const lock = await lockDirectory(options());
  expect(readdirSync(options().locks)).toEqual([expect.stringMatching(`^${process.pid}@`)]);
  lock.release();
});

test('when many start at once over a stale lock, exactly one gets it', async () => {
  leaveLockOf(4_194_303, 'long-ago');
  const processes = Array.from({ length: 5 }, () =>
    runScript(`
      import { lockDirectory } from './lock.js';
      const answer = await lockDirectory(${JSON.stringify(options())}).then(() => 'in', (error) => error.name);
      console.log(JSON.stringify({ answer }));
      setInterval(() => undefined, 1000);`),
  );
  const answers = await Promise.all(processes.map(async (each) => (await each.nextLine()).answer));
  for (const { child } of processes) {
    child.kill('SIGKILL');
  }
  await Promise.all(processes.map(({ ended }) => ended));
  expect(answers.sort()).toEqual([...Array(4).fill('DatabaseError'), 'in']);
  (await lockDirectory(options())).release();
});
