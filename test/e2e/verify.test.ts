/** @only-in-full */
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { mongo } from 'mongoose';
import { PROMISES } from '../../gateway/cli/verify/promises/index.ts';
import type { CheckResult } from '../../gateway/cli/verify/results.ts';
import { findOnPath } from '../../subgraphs/dev-store/which.ts';
import { useScene } from '../support/scene.ts';
import { type Exit, type ProductProcess, runProduct } from '../support/server-process.ts';
import { TEST_URI_VARIABLE } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const VERIFY = resolve('dist/bin/verify.js');
/** A run makes all checks, loads a server and reads back: half a minute on a machine at rest. */
const RUN_MS = 300_000;
const CLOSE_MS = 20_000;
const DONE = { code: 0, signal: null };
const FAILED = { code: 1, signal: null };

const scene = useScene();
const uri = String(process.env[TEST_URI_VARIABLE]);
let client: mongo.MongoClient;
beforeAll(async () => {
  client = await new mongo.MongoClient(uri).connect();
});
afterAll(() => client.close());

function verify(...args: readonly string[]) {
  const running = runProduct(VERIFY, args, {});
  scene.atEnd(async () => void (running.exit() ?? (await running.kill('SIGKILL'))));
  return running;
}

/** The databases that a run has named, and those of them that are on the server now. */
async function databasesOf(output: string): Promise<{ named: string[]; there: string[] }> {
  const named = [...output.matchAll(/In the database (remitgraph_verify_\w+)/g)].map(([, name = '']) => name);
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return { named, there: databases.map(({ name }) => name).filter((name) => named.includes(name)) };
}

/** Waits for the end of a run. @throws Error with its output so far when it takes too long */
async function ended(running: ProductProcess, withinMs = RUN_MS - CLOSE_MS): Promise<Exit> {
  const exit = await Promise.race([running.exited, delay(withinMs, undefined, { ref: false })]);
  if (exit === undefined) {
    throw new Error(`It has not ended after ${withinMs / 1_000} s:\n${running.output()}`);
  }
  return exit;
}

/** The results that a run has printed: standard error comes before and between. */
function resultsIn(output: string): CheckResult[] {
  return JSON.parse(output.slice(output.indexOf('[\n'), output.lastIndexOf(']') + 1));
}

test(
  'verify finds no difference on the store of the tests that is not listed, and drops its databases',
  async () => {
    const running = verify('--uri', uri, '--seconds', '2', '--callers', '6', '--json');
    const exit = await ended(running);
    const results = resultsIn(running.output());
    expect(results.filter(({ result }) => result === 'different')).toEqual([]);
    expect(exit).toEqual(DONE);
    const names = results.map(({ check }) => check);
    expect(names).toEqual(expect.arrayContaining(PROMISES.map(({ name }) => name)));
    expect(results.find(({ check }) => check === 'money path: creates stored once')).toMatchObject({
      result: 'ok',
      detail: expect.stringMatching(/^[1-9]\d* money requests/),
    });
    const { named, there } = await databasesOf(running.output());
    expect([named.length, there]).toEqual([2, []]);
  },
  RUN_MS,
);

test('verify ends at a signal, and drops its database', async () => {
  const running = verify('--uri', uri);
  await until('it makes checks', () => running.output().includes('duplicate keys'));
  expect((await databasesOf(running.output())).there).toHaveLength(1);
  expect(await running.kill('SIGINT')).toEqual(FAILED);
  expect(running.output()).toContain('Stopped by SIGINT');
  expect((await databasesOf(running.output())).there).toEqual([]);
});

test('verify says what is wrong about a command line, a server that is away, and one that cannot fail over', async () => {
  const [wrong, away, alone] = [
    verify('--uri', 'http://127.0.0.1', '--seconds', '0'),
    verify('--uri', 'mongodb://ana:secret-word@127.0.0.1:1/'),
    verify('--uri', withoutDirectConnection(uri), '--failover'),
  ];
  expect(await wrong.exited).toEqual({ code: 2, signal: null });
  expect(wrong.output()).toMatch(/--uri must begin with.*--seconds must be a whole number.*Exit codes: 0 /s);
  expect(await away.exited).toEqual(FAILED);
  expect(away.output()).toContain('Nothing listens there');
  expect(away.output()).not.toContain('secret-word');
  expect(await alone.exited).toEqual(FAILED);
  expect(alone.output()).toMatch(/^--failover needs /);
});

/** The store of the tests has one member; with this option the refusal would have another reason. */
function withoutDirectConnection(given: string): string {
  return given.replace(/directConnection=true&?/, '');
}

const mongod = findOnPath('mongod', process.env);
/** Skipped where there is no mongod on PATH. */
const describeOnMongod = mongod === undefined ? describe.skip : describe;

describeOnMongod('verify on a replica set of three mongod', () => {
  test(
    'finds no difference, nor one while the primary steps down',
    async () => {
      const members = await MongoMemoryReplSet.create({
        replSet: { count: 3, name: 'verify', storageEngine: 'wiredTiger' },
        binary: { systemBinary: String(mongod) },
      });
      scene.atEnd(async () => void (await members.stop()));
      const running = verify('--uri', members.getUri(), '--seconds', '10', '--failover', '--json');
      const exit = await ended(running, 2 * RUN_MS - CLOSE_MS);
      const results = resultsIn(running.output());
      expect(results.filter(({ result }) => result !== 'ok')).toEqual([]);
      expect(results.map(({ check }) => check)).toContain('failover: creates stored once');
      expect(exit).toEqual(DONE);
    },
    // Two loads, and three elections.
    2 * RUN_MS,
  );
});
