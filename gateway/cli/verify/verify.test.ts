import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../subgraphs/kernel/database/open-database.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Check } from './check.ts';
import type { CheckResult } from './results.ts';
import { verify } from './verify.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Runs one check, and ends before the load: by an error of the reader of results, or by the signal. */
async function run(check: Check['run'], end: 'error' | 'signal') {
  const stopping = new AbortController();
  const results: CheckResult[] = [];
  let name = '';
  const promise: Check = {
    name: 'a check',
    run: async (scratch) => {
      await scratch.collection('made');
      if (end === 'signal') {
        stopping.abort(new Error('stopped'));
      }
      return check(scratch);
    },
  };
  const ended = verify({
    options: { uri: database.uri, seconds: 1, callers: 6, failover: false },
    signal: stopping.signal,
    promises: [promise],
    onDatabase: (made) => {
      name = made;
    },
    onResult: (result) => {
      results.push(result);
      throw new Error('no more');
    },
  });
  const error = await ended.then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  return { error, results, name };
}

async function databases(): Promise<string[]> {
  const admin = database.connection.getClient().db('admin').admin();
  return (await admin.listDatabases({ nameOnly: true })).databases.map(({ name }) => name);
}

test('A run that fails drops its database', async () => {
  const { error, results, name } = await run(() => Promise.reject(new Error('broken')), 'error');
  expect(error).toBe('no more');
  expect(results).toMatchObject([{ check: 'a check', result: 'different', detail: 'broken' }]);
  expect(name).toMatch(/^remitgraph_verify_[0-9a-f]{12}$/);
  expect(await databases()).not.toContain(name);
});

test('A run that is stopped drops its database', async () => {
  const { error, results, name } = await run(async () => 'fine', 'signal');
  expect({ error, results }).toEqual({ error: 'stopped', results: [] });
  expect(await databases()).not.toContain(name);
});
