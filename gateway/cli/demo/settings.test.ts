import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { demoConfig, demoDataDir } from './settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-demo-'));
const seedFile = join(dataDir, 'seed.json');
const caFile = join(dataDir, 'ca.pem');
for (const file of [seedFile, caFile]) {
  writeFileSync(file, '');
}
const files = { dataDir, seedFile, caFile };

afterAll(() => rmSync(dataDir, { recursive: true }));

/** Takes port 4000 if nothing else has: either way it is busy. */
async function withBusyDefaultPort<T>(run: () => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve());
    server.listen(4000, '127.0.0.1', resolve);
  });
  try {
    return await run();
  } finally {
    server.close();
  }
}

describe("the demo's settings", () => {
  test('take another port when the default one is busy', async () => {
    await withBusyDefaultPort(async () => {
      expect((await demoConfig({}, files)).PORT).toBe(0);
    });
  });

  test('keep a given port, even if it is busy', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await demoConfig({ PORT: String(port) }, files)).PORT).toBe(port);
    server.close();
  });

  test.each([
    ['mongodb://db:27017', 'mongodb://db:27017/remitgraph_demo'],
    ['mongodb://db:27017/?replicaSet=rs0', 'mongodb://db:27017/remitgraph_demo?replicaSet=rs0'],
    ['mongodb://db:27017/mine?replicaSet=rs0', 'mongodb://db:27017/mine?replicaSet=rs0'],
  ])('on %s use %s', async (given, used) => {
    expect((await demoConfig({ PORT: '0', MONGODB_URI: given }, files)).MONGODB_URI).toBe(used);
  });

  test('are those of a development server in every environment', async () => {
    const config = await demoConfig({ PORT: '0', NODE_ENV: 'production', ROLE: 'worker' }, files);
    expect(config.NODE_ENV).toBe('development');
    expect(config.ROLE).toBe('all');
    expect(config.WEBHOOK_ALLOWED_CIDRS).toEqual(['127.0.0.0/8']);
  });

  test.each([undefined, 'sandbox', 'sandbox,live'])('take ENVIRONMENTS=%s', async (ENVIRONMENTS) => {
    const config = await demoConfig({ PORT: '0', ENVIRONMENTS }, files);
    expect(config.ENVIRONMENTS.join()).toBe(ENVIRONMENTS ?? 'sandbox,live');
  });

  test('need the sandbox', async () => {
    await expect(demoConfig({ PORT: '0', ENVIRONMENTS: 'live' }, files)).rejects.toThrow(
      'ENVIRONMENTS: must have sandbox, because the demo simulates a payer.',
    );
  });

  test('keep the data apart from those of the plain server', () => {
    expect(demoDataDir({})).toMatch(/\.data\/demo$/);
    expect(demoDataDir({ DATA_DIR: dataDir })).toBe(dataDir);
  });
});
