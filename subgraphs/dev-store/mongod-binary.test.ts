import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { downloadMongod } from './mongod-binary.ts';
import { memoryLog, temporaryDirectory, writeProgram } from './testing/script-process.ts';

let directory: ReturnType<typeof temporaryDirectory>;
const log = memoryLog().log;

beforeEach(() => {
  directory = temporaryDirectory();
});

afterEach(() => directory.remove());

test('finds a program that is there', async () => {
  const path = writeProgram(join(directory.path, 'mongod'), 'echo db version v8.2.6');
  const env = {
    ...process.env,
    MONGOMS_SYSTEM_BINARY: path,
    MONGOMS_SYSTEM_BINARY_VERSION_CHECK: 'false',
  };
  await expect(downloadMongod({ directory: directory.path, env, log })).resolves.toEqual({ ok: true, path });
});

test('a site that cannot be reached is a reason, at once', async () => {
  const env = { ...process.env, MONGOMS_DOWNLOAD_MIRROR: 'https://127.0.0.1:1' };
  await expect(downloadMongod({ directory: directory.path, env, log })).resolves.toEqual({
    ok: false,
    reason: expect.stringMatching(/ECONNREFUSED/),
  });
});

test('a site that does not answer is given up', async () => {
  const callers: Socket[] = [];
  const site = createServer((socket) => callers.push(socket));
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  const { port } = site.address() as AddressInfo;
  const env = { ...process.env, MONGOMS_DOWNLOAD_MIRROR: `https://127.0.0.1:${port}` };
  // Long enough for a busy machine to call it at all.
  const silenceMs = { first: 6_000, later: 2_000 };
  const outcome = await downloadMongod({ directory: directory.path, env, log, silenceMs });
  expect(outcome).toEqual({ ok: false, reason: 'the download made no progress' });
  expect(callers).toHaveLength(1);
  for (const caller of callers) {
    caller.destroy();
  }
  await new Promise((done) => site.close(done));
});
