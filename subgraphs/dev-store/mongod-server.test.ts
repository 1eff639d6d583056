import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { storeLayout } from './layout.ts';
import { readMongodVersion } from './mongod-server.ts';
import { openDevStore } from './open-dev-store.ts';
import { mongodProvider } from './providers/mongod.ts';
import { memoryLog, temporaryDirectory, writeProgram } from './testing/script-process.ts';
import { findOnPath } from './which.ts';

let directory: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  directory = temporaryDirectory();
});

afterEach(() => {
  jest.restoreAllMocks();
  directory.remove();
});

test.each([
  ['echo "db version v8.2.6"; echo "Build Info: {}"', { ok: true, stdout: '8.2.6' }],
  [
    'echo "libcrypto.so.3: cannot open shared object" >&2; exit 127',
    { ok: false, reason: 'libcrypto.so.3: cannot open shared object' },
  ],
  ['echo hello', { ok: false, reason: expect.stringMatching(/does not name a version/) }],
])('a mongod whose --version does %s', async (body, expected) => {
  const path = writeProgram(join(directory.path, 'mongod'), body);
  await expect(readMongodVersion(path, process.env)).resolves.toEqual(expected);
});

function open(body: string) {
  writeProgram(
    join(directory.path, 'mongod'),
    `[ "$1" != --version ] || { echo db version v8.2.6; exit; }\n${body}`,
  );
  const env = { ...process.env, PATH: `${directory.path}:${process.env.PATH}` };
  return openDevStore({ dataDir: directory.path, log: memoryLog().log, env }, [mongodProvider]);
}

test('the error of a mongod that ends at start has its last words', async () => {
  await expect(open('echo "no AVX here"; exit 14')).rejects.toThrow(
    /mongod on PATH: it does not work: mongod did not start: .*14.*mongod\.log ends with:\nno AVX here/s,
  );
});

/** Stands in for mongod where there is none: same wire protocol, same replica-set commands, other flags. */
const secantus = findOnPath('secantusd-rs', process.env);

if (secantus !== undefined) {
  test('runs a stand-in as a replica set with durable data, and ends it at close', async () => {
    // The stand-in knows no `shutdown`, which the library says aloud before it sends a signal instead.
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const standIn = `
      while [ $# -gt 0 ]; do
        case $1 in --port) port=$2 ;; --dbpath) data=$2 ;; esac; shift
      done
      echo Waiting for connections
      exec ${secantus} --port $port --storage-path "$data" --sync-on-commit`;
    for (const expected of [1, 2]) {
      const store = await open(standIn);
      expect(store.kind).toBe('mongod');
      expect(store.description).toBe(`mongod 8.2.6 (${join(directory.path, 'mongod')})`);
      const things = store.connection.collection('things');
      await things.insertOne({});
      expect(await things.countDocuments()).toBe(expected);
      await store.close();
      await expect(Promise.race([store.exited, 'no news'])).resolves.toBe('no news');
    }
    expect(warn).toHaveBeenCalledTimes(2);
    const owner = JSON.parse(readFileSync(storeLayout(directory.path).ownerFile, 'utf8'));
    expect(owner).toMatchObject({ format: 'mongod' });
  });
}
