import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { storeLayout } from '../../subgraphs/dev-store/layout.ts';
import { lockDirectory } from '../../subgraphs/dev-store/lock.ts';
import type { Settings } from '../../subgraphs/kernel/config/schema.ts';
import type { Database } from '../../subgraphs/kernel/database/open-database.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import type * as api from './api.ts';
import * as source from './create-server.ts';

const { createServer, RemitgraphError } = source;
const folder = mkdtempSync(join(tmpdir(), 'remitgraph-library-'));
const stores: Database[] = [];

beforeAll(async () => {
  stores.push(await openTestDatabase(), await openTestDatabase());
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

const settingsOf = (index: number): api.ServerSettings => ({
  PORT: 0,
  MONGODB_URI: String(stores[index]?.uri),
  DATA_DIR: join(folder, String(index)),
  RATE_LIMIT_GRAPHQL: 1,
  GRAPHQL_INTROSPECTION: false,
  WEBHOOK_RETRY_SECONDS: [1, 2],
});

async function meOf({ url, demoKey = '' }: api.RemitgraphServer, key = demoKey) {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: '{"query":"{ me { id } }"}',
  });
  return { status: answer.status, body: await answer.json() };
}

/** The number of listeners of the process, by event. */
const listeners = () =>
  Object.fromEntries(process.eventNames().map((event) => [event, process.listenerCount(event)]));

describe('servers in one process', () => {
  test('each has its own database and settings; they print nothing, and leave the process alone', async () => {
    const before = listeners();
    const printed = [jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')];
    const lines: string[] = [];
    const first = await createServer(settingsOf(0), { log: (line) => lines.push(line) });
    const second = await createServer({ ...settingsOf(1), RATE_LIMIT_GRAPHQL: 0 });
    try {
      expect(await meOf(first)).toMatchObject({ status: 200, body: { data: { me: { id: 'demo' } } } });
      expect(await meOf(second)).toMatchObject({ status: 200, body: { data: { me: { id: 'demo' } } } });
      expect(await meOf(second, first.demoKey)).toMatchObject({ status: 401 });
      expect(await meOf(first)).toMatchObject({ status: 429 });
      expect(lines.map((line) => JSON.parse(line).msg)).toContain('server.listening');
    } finally {
      await Promise.all([first.close(), first.close(), second.close()]);
    }
    await expect(fetch(first.url)).rejects.toThrow('fetch failed');
    expect(printed.map(({ mock }) => mock.calls)).toEqual([[], []]);
    // Listeners of an earlier test of this process may go away meanwhile, so there may be fewer.
    const added = Object.entries(listeners()).filter(([event, count]) => count > (before[event] ?? 0));
    expect(added).toEqual([]);
  });

  test('two cannot share the directory of an embedded database', async () => {
    const dataDir = join(folder, 'shared');
    const lock = await lockDirectory(storeLayout(dataDir));
    try {
      const second = createServer({ DATA_DIR: dataDir, PORT: 0 });
      await expect(second).rejects.toThrow(`is in use by this process (${process.pid})`);
      await expect(second).rejects.toBeInstanceOf(RemitgraphError);
    } finally {
      lock.release();
    }
  });
});

describe('a server that cannot start gives the reason', () => {
  test.each<[api.ServerSettings, string]>([
    [{ PORT: 70_000 }, 'PORT: '],
    [JSON.parse('{"MONGODB_URL":"mongodb://127.0.0.1"}'), 'MONGODB_URL: is no setting'],
    [
      { ROLE: 'subgraph-users', MONGODB_URI: 'mongodb://127.0.0.1:1' },
      'ROLE: a subgraph has a process of its own',
    ],
    [{ NODE_ENV: 'production' }, 'ENCRYPTION_KEY: is required in production'],
  ])('%j', async (settings, said) => {
    const start = createServer({ DATA_DIR: join(folder, 'none'), ...settings });
    await expect(start).rejects.toThrow(said);
    await expect(start).rejects.toBeInstanceOf(RemitgraphError);
  });
});

type Values<Given> = { [Name in keyof Given]-?: Readonly<NonNullable<Given[Name]>> };
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : never) : never;

test('its type has every setting, with the type of the checked setting', () => {
  // The compiler checks it.
  const isSame: Same<Values<api.ServerSettings>, Values<Settings>> = true;
  expect(isSame).toBe(true);
});

test('the package exports what its types declare', () => {
  const declared: Record<keyof typeof api, true> = { createServer: true, RemitgraphError: true };
  expect(Object.keys(source).sort()).toEqual(Object.keys(declared).sort());
  const [, exported = ''] = /export const \{ (.*) \}/.exec(readFileSync('dist/bin/library.js', 'utf8')) ?? [];
  expect(exported.split(', ').sort()).toEqual(Object.keys(declared).sort());
});
