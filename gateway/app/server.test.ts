import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { ROLES } from '../../subgraphs/kernel/config/roles.ts';
import type { Database } from '../../subgraphs/kernel/database/open-database.ts';
import { OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import { paceOf } from '../../test/runner/pace.ts';
import { sweepOf } from '../../test/support/depth.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { takeTime } from '../../test/support/ticks.ts';
import { startServer } from './server.ts';

/** The four subgraphs are one kind. */
const KINDS_OF_ROLES = sweepOf(ROLES, (role) => role.replace(/^subgraph-.*/, 'subgraph'));
const SUPERGRAPH = readFileSync(join('schema', 'supergraph.graphql'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'remitgraph-server-'));
let store: Database;
let env: Record<string, string>;

const newSecrets = () => ({
  INTERNAL_TOKEN_KEY: randomBytes(32).toString('hex'),
  INTERNAL_API_KEY: randomBytes(16).toString('hex'),
  ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  API_KEY_PEPPER: randomBytes(32).toString('hex'),
});

beforeAll(async () => {
  store = await openTestDatabase();
  const urls = ['OPERATIONS', 'USERS', 'LINKS', 'REQUEST_MONEY'].map((name) => [
    `SUBGRAPH_${name}_URL`,
    'http://127.0.0.1:9/graphql',
  ]);
  env = {
    NODE_ENV: 'production',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    MONGODB_URI: store.uri,
    ...newSecrets(),
    ...Object.fromEntries(urls),
  };
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function start(changes: Record<string, string> = {}, sdl = SUPERGRAPH) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const server = await startServer(loadConfig({ ...env, ...changes }), sdl, log);
  return { server, lines };
}

/** The message of a failed start: one line, with something that the operator can fix. */
async function issueOf(changes: Record<string, string>, sdl?: string): Promise<string> {
  const error: unknown = await start(changes, sdl).then(
    ({ server }) => server.close(),
    (issue: unknown) => issue,
  );
  expect(error).toBeInstanceOf(OperatorError);
  const { message } = error as OperatorError;
  expect(message).not.toMatch(/\n {4}at /);
  return message;
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('production', () => {
  test('creates no demo tenant, and logs that there is none', async () => {
    const { server, lines } = await start();
    try {
      expect(await server.subgraphs.tenants.isEmpty()).toBe(true);
      expect(server.demoKey).toBeUndefined();
      expect(lines.filter(({ msg }) => String(msg).startsWith('There are no tenants'))).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  test('serves the schema as a file, and no GraphiQL', async () => {
    const { server } = await start();
    try {
      const schema = await fetch(`${server.url}/docs/schema.graphql`);
      expect([schema.status, await schema.text()]).toEqual([200, expect.stringContaining('scalar Decimal')]);
      expect((await fetch(`${server.url}/graphiql`)).status).toBe(404);
    } finally {
      await server.close();
    }
  });

  test.each(KINDS_OF_ROLES)('as %s does not start under other secrets than the data', async (role) => {
    const { ENCRYPTION_KEY, API_KEY_PEPPER } = newSecrets();
    expect(await issueOf({ ROLE: role, ENCRYPTION_KEY, API_KEY_PEPPER })).toContain(
      'written under another ENCRYPTION_KEY and another API_KEY_PEPPER.',
    );
  });

  test.each(KINDS_OF_ROLES)('as %s does not start on data of an older schema', async (role) => {
    const records = store.connection.collection<{ _id: number }>('migrations');
    const older = [{ _id: 1, name: 'indexes', checksum: 'other', startedAt: new Date() }];
    for (const documents of [older, []]) {
      const present = await records.find().toArray();
      await records.deleteMany({});
      await Promise.all(documents.map((document) => records.insertOne(document)));
      expect(await issueOf({ ROLE: role })).toMatch(
        /^(The data in this database has another schema|This database has data .* but no record).* empty database/,
      );
      await records.deleteMany({});
      await records.insertMany(present);
    }
  });
});

test('a development server has a demo key of an environment that it serves, or none', async () => {
  const development = { NODE_ENV: 'development', DATA_DIR: join(folder, 'development') };
  const demoKeyOf = async (ENVIRONMENTS: string) => {
    const { server } = await start({ ...development, ENVIRONMENTS });
    await server.close();
    return server.demoKey;
  };
  const key = await demoKeyOf('live');
  expect(key).toMatch(/^raas_live_/);
  expect(await demoKeyOf('sandbox')).toBeUndefined();
  expect(await demoKeyOf('sandbox,live')).toBe(key);
  await Promise.all(['tenants', 'apiKeys'].map((name) => store.connection.collection(name).deleteMany({})));
});

describe('providers of live calls that production lacks', () => {
  /** The settings of the warnings of a start. */
  async function warnedAt(changes: Record<string, string>): Promise<unknown[]> {
    const seed = { tenants: [{ tenantId: 'acme', name: 'Acme', features: ['request-money'] }] };
    const { server, lines } = await start({
      SEED_FILE: file('acme.json', JSON.stringify(seed)),
      ...changes,
    });
    await server.close();
    await store.connection.collection('tenants').deleteMany({});
    const warnings = lines.filter(({ msg }) => msg === 'provider.not_configured');
    return warnings.map(({ level, setting, issue }) => [level, setting, issue]);
  }

  test.each(['all', 'subgraph-request-money', 'worker'])(
    'are logged once at a start as %s, with the calls that are refused',
    async (ROLE) => {
      const calls = expect.stringMatching(/ acme fail with 503 .*: POST \/v1\/request-money \(/);
      for (const ENVIRONMENTS of ['live', 'sandbox,live']) {
        expect(await warnedAt({ ROLE, ENVIRONMENTS })).toEqual([[40, 'IDENTITY_VALIDATOR_URL', calls]]);
      }
    },
  );

  test.each([
    ['if only the sandbox is served', { ENVIRONMENTS: 'sandbox' }],
    ['if the provider is configured', { IDENTITY_VALIDATOR_URL: 'http://127.0.0.1:1' }],
    ['by a role that calls no provider', { ROLE: 'gateway' }],
    ['outside production', { NODE_ENV: 'development' }],
  ])('are not logged %s', async (_when, changes) => {
    expect(await warnedAt(changes)).toEqual([]);
  });
});

describe('metrics in production', () => {
  const METRICS_TOKEN = 'the-token-of-the-scraper';
  const statusOf = async (url: string, authorization?: string) => {
    const answer = await fetch(`${url}/metrics`, { headers: authorization ? { authorization } : {} });
    await answer.body?.cancel();
    return answer.status;
  };

  test.each(['all', 'worker', 'subgraph-users'] as const)('are on no port of %s by default', async (ROLE) => {
    const { server } = await start({ ROLE });
    try {
      expect(await statusOf(server.url)).toBe(404);
      expect(await statusOf(server.url, `Bearer ${METRICS_TOKEN}`)).toBe(404);
    } finally {
      await server.close();
    }
  });

  test.each(['all', 'worker'] as const)('need METRICS_TOKEN on the main port of %s', async (ROLE) => {
    const { server } = await start({ ROLE, METRICS_TOKEN });
    try {
      expect(await statusOf(server.url, `Bearer ${METRICS_TOKEN}`)).toBe(200);
      const others = [
        undefined,
        'Bearer',
        `Bearer ${METRICS_TOKEN}x`,
        `Basic ${METRICS_TOKEN}`,
        METRICS_TOKEN,
      ];
      for (const other of others) {
        expect(await statusOf(server.url, other)).toBe(401);
      }
    } finally {
      await server.close();
    }
  });

  test('are alone on METRICS_PORT until the server closes', async () => {
    const { server, lines } = await start({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.1' });
    const { port } = lines.find(({ msg }) => msg === 'metrics.listening') ?? {};
    const url = `http://127.0.0.1:${port}`;
    try {
      expect(await statusOf(url)).toBe(200);
      expect(await statusOf(server.url)).toBe(404);
      expect((await fetch(`${url}/health/live`)).status).toBe(404);
    } finally {
      await server.close();
    }
    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  });
});

describe('a start that fails gives the reason', () => {
  test('a METRICS_PORT in use', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    expect(await issueOf({ METRICS_PORT: String(port) })).toMatch(
      new RegExp(`^METRICS_PORT: cannot listen on 127\\.0\\.0\\.1, port ${port}: listen EADDRINUSE`),
    );
    await new Promise((closed) => taken.close(closed));
  });

  test('a port in use', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    expect(await issueOf({ PORT: String(port) })).toMatch(
      new RegExp(`^PORT: cannot listen on 127\\.0\\.0\\.1, port ${port}: listen EADDRINUSE`),
    );
    await new Promise((closed) => taken.close(closed));
  });

  test('an address of another machine', async () => {
    expect(await issueOf({ HOST: '192.0.2.1' })).toMatch(/^PORT: cannot listen on 192\.0\.2\.1/);
  });

  test('a supergraph that cannot be served', async () => {
    const path = file('bad.graphql', 'type Query { a: Int }');
    const changes = { ROLE: 'gateway', SUPERGRAPH_FILE: path };
    expect(await issueOf(changes, 'type Query { a: Int }')).toContain(
      `SUPERGRAPH_FILE: ${path} cannot be served:`,
    );
    expect(await issueOf(changes, '{')).toContain(`SUPERGRAPH_FILE: ${path} cannot be served: Syntax Error`);
  });

  test('a seed file, authorities and certificates that cannot be read', async () => {
    expect(await issueOf({ SEED_FILE: folder })).toMatch(/^The seed file .* cannot be read: EISDIR/);
    expect(await issueOf({ SEED_FILE: file('seed.json', '{') })).toMatch(/^The seed file .* is not JSON/);
    expect(await issueOf({ WEBHOOK_CA_FILE: folder })).toMatch(/^WEBHOOK_CA_FILE: .* cannot be read: EISDIR/);
    const empty = file('empty.pem', 'nothing');
    expect(await issueOf({ WEBHOOK_CA_FILE: empty })).toMatch(
      /^WEBHOOK_CA_FILE: .* has no certificate in PEM/,
    );
    const mtls = { MTLS_PORT: '0', MTLS_CERT_FILE: folder, MTLS_KEY_FILE: empty, MTLS_CA_FILE: empty };
    expect(await issueOf(mtls)).toMatch(/^MTLS_CERT_FILE: .* cannot be read: EISDIR/);
    const client = { WEBHOOK_CLIENT_CERT_FILE: empty, WEBHOOK_CLIENT_KEY_FILE: empty };
    expect(await issueOf(client)).toMatch(/^WEBHOOK_CLIENT_CERT_FILE: .* has no certificate in PEM/);
    expect(await issueOf({ TRUSTED_DOCUMENTS_DIR: empty })).toMatch(
      /trusted documents cannot be read: ENOTDIR/,
    );
  });

  test('a DATA_DIR that cannot store files', async () => {
    const development = { NODE_ENV: 'development', DATA_DIR: join(file('plain', ''), 'data') };
    const unset = { INTERNAL_API_KEY: '', ENCRYPTION_KEY: '', API_KEY_PEPPER: '' };
    expect(await issueOf({ ...development, ...unset })).toMatch(/DATA_DIR: cannot keep .*: ENOTDIR/);
    expect(await issueOf({ ...development, MONGODB_URI: '' })).toMatch(
      /^DATA_DIR: nothing can be kept in .*: ENOTDIR.*\. Give this process a directory/,
    );
  });

  test.each([
    ['mongodb://user:hunter2@nowhere.invalid/x', /nowhere\.invalid.* Its host name is not known/],
    ['mongodb://user:hunter2@127.0.0.1:1/x', /ECONNREFUSED 127\.0\.0\.1:1\. Nothing listens there/],
  ])('a database that is not there: %s', async (uri, said) => {
    const [issue, seconds] = await takeTime(() => issueOf({ MONGODB_URI: uri }));
    // The driver alone would look for 15 s, and mongoose after it.
    expect(seconds).toBeLessThan(10 * paceOf());
    expect(issue).toMatch(said);
    expect(issue).not.toContain('hunter2');
  });
});
