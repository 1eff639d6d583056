/** @only-in-full */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { DatabaseError } from '../../../subgraphs/kernel/database/database-error.ts';
import { makeIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import type { Database } from '../../../subgraphs/kernel/database/open-database.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { createTestCertificate, type TestCertificate } from '../../../test/support/test-certificate.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { createSubgraphs } from '../../app/subgraphs.ts';
import { type ExamineDeps, examine } from './examine.ts';

const GIB = 2 ** 30;
const MINUTE_MS = 60_000;
const log = createLogger({ level: 'silent' });

let database: Database;
let connection: Connection;
let folder: string;
let certificate: TestCertificate;
let env: NodeJS.ProcessEnv;
let sound: ExamineDeps;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remitgraph-doctor-'));
  certificate = await createTestCertificate();
  database = await openTestDatabase();
  connection = database.connection;
  env = {
    DATA_DIR: folder,
    PORT: '0',
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
  };
  sound = {
    env,
    now: () => new Date(),
    freeBytes: async () => 50 * GIB,
    open: async () => ({ connection, close: async () => undefined }),
  };
  // A server's start, which leaves collections, indexes and fingerprints of the secrets.
  const subgraphs = await createSubgraphs({ config: loadConfig(env), connection, log });
  await subgraphs.prepare();
  await connection.collection('tenants').insertOne({ accountId: 'acme/sandbox' });
  await connection.collection('apiKeys').insertOne({ accountId: 'acme/sandbox' });
});
afterAll(async () => {
  await database.close();
  certificate.remove();
  rmSync(folder, { recursive: true });
});

/** The findings, as `status check`, under changed circumstances. */
async function complaints(changes: Partial<ExamineDeps> = {}) {
  const findings = await examine({ ...sound, ...changes });
  const ill = findings.filter(({ status }) => status !== 'ok');
  return {
    found: ill.map(({ status, check }) => `${status} ${check}`),
    what: ill.map(({ what }) => what).join('\n'),
    // Every finding has a fix.
    fixes: ill.map(({ fix }) => fix ?? 'none'),
  };
}

/** Stores documents for the duration of a check. */
async function having<T>(
  collection: string,
  documents: readonly object[],
  work: () => Promise<T>,
): Promise<T> {
  const { insertedIds } = await connection
    .collection(collection)
    .insertMany(documents.map((one) => ({ ...one })));
  try {
    return await work();
  } finally {
    await connection.collection(collection).deleteMany({ _id: { $in: Object.values(insertedIds) } });
  }
}

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

test('a sound installation has no findings', async () => {
  expect(await complaints()).toEqual({ found: [], what: '', fixes: [] });
  const checks = (await examine(sound)).map(({ check }) => check);
  expect(checks).toEqual([
    ...['settings', 'environments', 'port', 'certificates', 'disk', 'database', 'replica set', 'clock'],
    ...['keys', 'migrations', 'indexes', 'events', 'remittances', 'webhooks', 'tenants', 'providers'],
  ]);
});

describe('A fault is found, with its fix:', () => {
  test('every setting with which no server starts', async () => {
    const { found, what, fixes } = await complaints({ env: { ...env, PORT: 'x', ROLE: 'boss' } });
    expect(found).toEqual(['failure settings', 'failure settings']);
    expect(what).toMatch(/PORT .*\nROLE /);
    expect(fixes).not.toContain('none');
  });

  test('a database that cannot be used', async () => {
    const open = async () => {
      throw new DatabaseError('mongodb://h:27017 is stand-alone. Start mongod with --replSet rs0.');
    };
    const { found, what, fixes } = await complaints({ open });
    expect(found).toEqual(['failure database']);
    expect([what, fixes[0]]).toEqual([
      expect.stringContaining('stand-alone'),
      expect.stringContaining('MONGODB_URI'),
    ]);
  });

  test.each([
    [10_000, 'ahead of'],
    [-10_000, 'behind'],
  ])('a clock that is %i ms away', async (ms, where) => {
    const { found, what, fixes } = await complaints({ now: () => new Date(Date.now() + ms) });
    expect(found).toEqual(['failure clock']);
    expect([what, fixes[0]]).toEqual([
      expect.stringContaining(where),
      expect.stringContaining('time server'),
    ]);
  });

  test('a key that does not match the data', async () => {
    const other = { ...env, ENCRYPTION_KEY: randomBytes(32).toString('hex') };
    const { found, fixes } = await complaints({ env: other });
    expect([found, fixes]).toEqual([['failure keys'], [expect.stringContaining('ENCRYPTION_KEY')]]);
  });

  test('another program on the port, but not a server of this product', async () => {
    let answer = 'hello';
    const server: Server = createServer((_request, response) => response.end(answer));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const taken = { env: { ...env, PORT: String((server.address() as AddressInfo).port) } };
    const { found, fixes } = await complaints(taken);
    expect([found, fixes]).toEqual([['failure port'], [expect.stringContaining('PORT')]]);
    answer = '{"status":"ok"}';
    expect((await complaints(taken)).found).toEqual([]);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  test('an address that this machine does not have', async () => {
    const { found, fixes } = await complaints({ env: { ...env, HOST: '192.0.2.1', PORT: '4000' } });
    expect([found, fixes]).toEqual([['failure port'], [expect.stringContaining('HOST')]]);
  });

  test('a certificate that has expired, or will soon', async () => {
    const withCa = { ...env, WEBHOOK_CA_FILE: certificate.caFile };
    const found: string[][] = [];
    // It is valid for 825 days.
    for (const days of [0, 800, 830]) {
      const later = new Date(Date.now() + days * 24 * 60 * MINUTE_MS);
      const complained = await complaints({ env: withCa, now: () => later });
      found.push(complained.found.filter((one) => one.includes('certificates')));
    }
    expect(found).toEqual([[], ['warning certificates'], ['failure certificates']]);
  });

  test('a file that is no certificate', async () => {
    const file = join(folder, 'not.pem');
    writeFileSync(file, 'nothing');
    const { found, what } = await complaints({ env: { ...env, WEBHOOK_CA_FILE: file } });
    expect([found, what]).toEqual([['failure certificates'], expect.stringContaining('WEBHOOK_CA_FILE')]);
  });

  test.each([
    [0.1, 'failure disk'],
    [0.5, 'warning disk'],
  ])('a disk with %d GiB left', async (gibibytes, complaint) => {
    const { found, fixes } = await complaints({ freeBytes: async () => gibibytes * GIB });
    expect([found, fixes]).toEqual([[complaint], [expect.stringContaining('DATA_DIR')]]);
  });

  test('an index that is missing', async () => {
    await connection.collection('links').dropIndex('accountId_1_url_1_createdAt_-1__id_-1');
    const { found, what, fixes } = await complaints();
    expect([found, what, fixes]).toEqual([
      ['failure indexes'],
      expect.stringContaining('links: accountId_1_url_1_createdAt_-1__id_-1'),
      [expect.stringContaining('npm run admin -- migrate')],
    ]);
    await makeIndexes(connection);
    expect((await complaints()).found).toEqual([]);
  });

  test('an index with other options, and one that nobody declares', async () => {
    const [links, name] = [connection.collection('links'), 'accountId_1_url_1_createdAt_-1__id_-1'];
    await links.dropIndex(name);
    await links.createIndexes([{ key: { accountId: 1, url: 1 }, name }, { key: { color: 1 } }]);
    const { found, what, fixes } = await complaints();
    expect(found).toEqual(['failure indexes', 'warning indexes']);
    expect([what, fixes]).toEqual([
      expect.stringMatching(
        /differ from this version's: links: accountId_1_url_1_createdAt.*\n.*links: color_1/,
      ),
      [expect.stringContaining('dropIndex'), expect.stringContaining('Each write pays')],
    ]);
    await links.dropIndex(name);
    await links.dropIndex('color_1');
    await makeIndexes(connection);
    expect((await complaints()).found).toEqual([]);
  });

  test('a pending migration', async () => {
    const migrations = connection.collection('migrations');
    await migrations.updateMany({}, { $set: { state: 'running' } });
    expect((await complaints()).found).toEqual(['warning migrations']);
    const strict = await complaints({ env: { ...env, MIGRATE_ON_START: 'false' } });
    expect([strict.found, strict.what]).toEqual([
      ['failure migrations'],
      expect.stringContaining('1 schema'),
    ]);
    await migrations.updateMany({}, { $set: { state: 'applied' } });
  });

  test('a database with another schema than this version', async () => {
    const other = { _id: 99 as never, name: 'other', state: 'applied', startedAt: new Date() };
    const { found, fixes } = await having('migrations', [other], () => complaints());
    expect([found, fixes]).toEqual([['failure migrations'], [expect.stringContaining('99 other')]]);
  });

  test.each([
    ['events', { pending: true, occurredAt: ago(1) }, 'failure events'],
    ['remittances', { status: 'IN_PROGRESS', isOpen: true, nextAttemptAt: ago(6) }, 'failure remittances'],
    ['webhookDeliveries', { status: 'PENDING', nextAttemptAt: ago(11) }, 'warning webhooks'],
  ])('%s that nobody works on', async (collection, document, complaint) => {
    const one = { _id: 'forgotten' as never, accountId: 'acme/sandbox', ...document };
    const { found, fixes } = await having(collection, [one], () => complaints());
    expect([found, fixes]).toEqual([[complaint], [expect.stringContaining('ROLE=worker')]]);
  });

  test('remittances that are retried without an end', async () => {
    const stuck = { status: 'IN_PROGRESS', isOpen: true, nextAttemptAt: ago(-5), phaseSince: ago(180) };
    const one = { _id: 'stuck' as never, accountId: 'acme/sandbox', ...stuck };
    const { found, what } = await having('remittances', [one], () => complaints());
    expect([found, what]).toEqual([
      ['warning remittances'],
      'Remittances in one phase for over 20 minutes: 1.',
    ]);
  });

  test('no finding for webhooks of a paused endpoint', async () => {
    const held = { _id: 'digest' as never, accountId: 'acme/sandbox', holds: ['PAUSED'] };
    const document = { status: 'PENDING', endpoint: 'digest', nextAttemptAt: ago(60) };
    const one = { _id: 'kept' as never, accountId: 'acme/sandbox', ...document };
    const { found } = await having('webhookEndpointStates', [held], () =>
      having('webhookDeliveries', [one], () => complaints()),
    );
    expect(found).toEqual([]);
  });

  test('a database that fails while it is opened or read, in each check', async () => {
    const opening = await complaints({
      open: async () => {
        throw new Error('No space left on device');
      },
    });
    expect([opening.found, opening.what]).toEqual([
      ['failure database'],
      'It cannot be opened: No space left on device',
    ]);
    const closed = mongoose.createConnection();
    const reading = await complaints({
      open: async () => ({
        connection: closed,
        close: async () => {
          throw new Error('It is gone');
        },
      }),
    });
    expect(reading.found).toContain('failure events');
    expect(reading.what).toContain('This could not be checked: ');
    expect(reading.fixes).not.toContain('none');
  });

  test('that nobody can call yet', async () => {
    await connection.collection('apiKeys').deleteMany({});
    const { found, what, fixes } = await complaints();
    expect([found, what, fixes]).toEqual([
      ['warning tenants'],
      'There is no sandbox or live API key yet: nobody can call.',
      [expect.stringContaining('key create')],
    ]);
    await connection.collection('apiKeys').insertOne({ accountId: 'acme/sandbox' });
  });
});

test('live calls of a stored partner that lack their provider are a warning in production', async () => {
  const nova = {
    _id: 'nova/live' as never,
    ...{ accountId: 'nova/live', tenantId: 'nova', environment: 'live', features: ['request-money'] },
  };
  const production = {
    ...{ ...env, NODE_ENV: 'production', MONGODB_URI: 'mongodb://db.example/remitgraph' },
    INTERNAL_API_KEY: randomBytes(16).toString('hex'),
  };
  const warned = async (ENVIRONMENTS: string) => {
    const { found, what } = await complaints({ env: { ...production, ENVIRONMENTS } });
    return [found.filter((one) => one.includes('providers')), what.includes('Live calls of nova fail')];
  };
  await having('tenants', [nova], async () => {
    expect(await warned('live')).toEqual([['warning providers'], true]);
    expect(await warned('sandbox')).toEqual([[], false]);
    const onlyMember = ['warning replica set', 'warning roles'];
    expect((await complaints({ env: production })).found).toEqual(expect.arrayContaining(onlyMember));
  });
});

test('a key of an environment that is not served does not count as a key', async () => {
  const { found, what } = await complaints({ env: { ...env, ENVIRONMENTS: 'live' } });
  expect([found, what]).toEqual([['warning tenants'], 'There is no live API key yet: nobody can call.']);
});

test('an empty database stays empty, and any secrets are accepted', async () => {
  const empty = await openTestDatabase();
  try {
    await createSubgraphs({ config: loadConfig(env), connection: empty.connection, log });
    const open = async () => ({ connection: empty.connection, close: async () => undefined });
    const { found } = await complaints({ open });
    expect(found).toEqual(['warning tenants']);
    expect(await empty.connection.db?.listCollections().toArray()).toEqual([]);
  } finally {
    await empty.close();
  }
});
