/** @only-in-full */
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { VENV_DIR } from '../../test/support/test-database.ts';
import { attachDevStore } from './attach.ts';
import { storeLayout } from './layout.ts';
import { type DevStore, type DevStoreOptions, openDevStore, PROVIDERS } from './open-dev-store.ts';
import { findProcess } from './process-identity.ts';
import { type Provider, running } from './provider.ts';
import { secantusPyProvider } from './providers/secantus-py.ts';
import { memoryLog, runScript, temporaryDirectory } from './testing/script-process.ts';
import { findOnPath } from './which.ts';

let directory: ReturnType<typeof temporaryDirectory>;
let memory: ReturnType<typeof memoryLog>;

beforeEach(() => {
  directory = temporaryDirectory();
  memory = memoryLog();
});

afterEach(() => directory.remove());

function options(more: Partial<DevStoreOptions> = {}): DevStoreOptions {
  return { dataDir: directory.path, log: memory.log, ...more };
}

async function withStore<T>(use: (store: DevStore) => Promise<T>, ...args: Parameters<typeof openDevStore>) {
  const store = await openDevStore(...args);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** A transaction that fails leaves nothing, one that succeeds stays. */
async function expectTransactions(connection: Connection): Promise<void> {
  const things = connection.collection('transacted');
  const write = (n: number, fail: boolean) =>
    connection.transaction(async (session) => {
      await things.insertOne({ n }, { session });
      if (fail) {
        throw new Error('changed my mind');
      }
    });
  await things.createIndex({ n: 1 });
  await expect(write(1, true)).rejects.toThrow('changed my mind');
  await write(2, false);
  expect(await things.distinct('n')).toEqual([2]);
  expect(connection.getClient().options.writeConcern).toMatchObject({ w: 'majority', journal: true });
}

const readServer = () => JSON.parse(readFileSync(storeLayout(directory.path).serverFile, 'utf8'));

/** The embedded servers that this machine can run. Installed servers are kept for the next run. */
const engines = PROVIDERS.filter(
  ({ kind }) =>
    (kind === 'secantus-rs' && findOnPath('secantusd-rs', process.env) !== undefined) ||
    (kind === 'secantus-py' && findOnPath('python3', process.env) !== undefined),
);

test('this machine can run an embedded store', () => {
  expect(engines).not.toHaveLength(0);
});

describe.each(engines)('on $name', (provider: Provider) => {
  const only = [provider];
  const embedded = (more: Partial<DevStoreOptions> = {}) => options({ venvDir: VENV_DIR, ...more });

  test('data survives a restart, and no other process can open the store meanwhile', async () => {
    await withStore(
      async (store) => {
        expect(store.kind).toBe(provider.kind);
        expect(store.connection.name).toBe('remitgraph');
        expect(store.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/remitgraph\?/);
        await store.connection.collection('things').insertOne({ name: 'kept' });
        await expect(openDevStore(embedded(), only)).rejects.toThrow(
          `in use by this process (${process.pid})`,
        );

        const attached = await attachDevStore(embedded());
        expect(await attached.connection.collection('things').countDocuments()).toBe(1);
        await attached.close();
        await expectTransactions(store.connection);
      },
      embedded(),
      only,
    );
    expect(memory.lines.at(-1)).toMatchObject({
      store: provider.kind,
      msg: expect.stringMatching(/for development/),
    });
    expect(statSync(storeLayout(directory.path).root).mode & 0o777).toBe(0o700);
    expect(existsSync(storeLayout(directory.path).serverFile)).toBe(false);

    const others = PROVIDERS.filter(({ format }) => format !== provider.format);
    await expect(openDevStore(embedded(), others)).rejects.toThrow(/holds data kept since/);
    await withStore(
      async ({ connection }) => expect(await connection.collection('things').countDocuments()).toBe(1),
      embedded(),
      [...others, provider],
    );
  }, 240_000); // It may install a store first.

  test('acknowledged writes survive kill -9 of this process; the next start ends its server', async () => {
    const script = runScript(`
      import { pino } from 'pino';
      import { openDevStore, PROVIDERS } from './open-dev-store.js';
      const options = ${JSON.stringify({ dataDir: directory.path, venvDir: VENV_DIR })};
      const providers = PROVIDERS.filter(({ kind }) => kind === '${provider.kind}');
      const store = await openDevStore({ ...options, log: pino({ level: 'silent' }) }, providers);
      const things = store.connection.collection('things');
      for (let n = 1; ; n += 1) {
        await things.insertOne({ _id: n });
        console.log(JSON.stringify({ n }));
      }`);
    let acknowledged = 0;
    while (acknowledged < 20) {
      acknowledged = Number((await script.nextLine()).n);
    }
    const server = readServer();
    expect(findProcess(server.pid)?.startedAt).toBe(server.startedAt);
    script.child.kill('SIGKILL');
    await script.ended;

    await withStore(
      async ({ connection }) => {
        expect(await connection.collection('things').countDocuments()).toBeGreaterThanOrEqual(acknowledged);
        expect(findProcess(server.pid)?.startedAt).not.toBe(server.startedAt);
      },
      embedded(),
      only,
    );
  });
});

test('acknowledged writes survive kill -9 of the server, and the owner learns of its end', async () => {
  const store = await openDevStore(options({ venvDir: VENV_DIR }), engines);
  const things = store.connection.collection('things');
  await things.insertMany(Array.from({ length: 20 }, (_, n) => ({ n })));
  process.kill(readServer().pid, 'SIGKILL');
  await expect(store.exited).resolves.toBe(`${store.kind} ended (SIGKILL)`);
  await store.close();
  expect(memory.lines).toContainEqual(expect.objectContaining({ level: 50, reason: await store.exited }));

  await withStore(
    async ({ connection }) => expect(await connection.collection('things').countDocuments()).toBe(20),
    options({ venvDir: VENV_DIR }),
    engines,
  );
});

test('DATA_DIR may be relative', () => {
  expect(storeLayout('.data').root).toBe(join(process.cwd(), '.data', 'store'));
});

/** A provider of the store that tests have. */
function fakeProvider(stop: () => void = () => undefined): Provider {
  return {
    ...secantusPyProvider,
    provide: async () =>
      running({
        uri: process.env.TEST_MONGODB_URI!,
        description: 'a fake',
        exited: new Promise(() => undefined),
        stop: async () => stop(),
      }),
  };
}

test('a server whose owner cannot be recorded stops, and leaves no connection and no lock behind', async () => {
  const { ownerFile } = storeLayout(directory.path);
  const inTheWay = `${ownerFile}.${process.pid}`;
  mkdirSync(inTheWay, { recursive: true });
  const connections = mongoose.connections.length;
  let stops = 0;
  const provider = fakeProvider(() => {
    stops += 1;
  });
  await expect(openDevStore(options(), [provider])).rejects.toThrow('EISDIR');
  expect([stops, mongoose.connections.length]).toEqual([1, connections]);
  rmdirSync(inTheWay);
  await withStore(async () => undefined, options(), [provider]);
});

test('a development store is announced as one, in production by a warning', async () => {
  for (const NODE_ENV of ['development', 'production']) {
    await withStore(async () => undefined, options({ env: { NODE_ENV } }), [fakeProvider()]);
  }
  expect(memory.lines).toEqual([
    expect.objectContaining({ level: 30, store: 'secantus-py', description: 'a fake' }),
    expect.objectContaining({ level: 40, msg: expect.stringMatching(/set MONGODB_URI in production/) }),
  ]);
});
