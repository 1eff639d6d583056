import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { succeed } from '../../../subgraphs/kernel/errors/result.ts';
import { applySeed, seedSchema } from '../../../subgraphs/partners/tenants/seed.ts';
import { type Answer, runCommand } from './commands.ts';
import { type AdminBench, openAdminBench } from './testing.ts';

const RECEIVERS = {
  url: 'https://ops.acme.test/in',
  emails: ['ops@acme.test'],
  quietHours: { from: '22:00', to: '07:00' },
  timeZone: 'America/Mexico_City',
};

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-operational-'));
const file = join(folder, 'operational-events.json');
let bench: AdminBench;
beforeAll(async () => {
  bench = await openAdminBench();
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]): Promise<Answer> => runCommand(bench.deps, args);
const receiversOf = async (accountId: 'acme/sandbox' | 'acme/live' | 'seeded/live') =>
  (await bench.deps.tenants.find(accountId))?.operationalEvents;

test('tenant update stores receivers of operational events from a file, shows no address, and removes them', async () => {
  await run(
    'tenant',
    'create',
    '--id',
    'acme',
    '--name',
    'Acme',
    '--country',
    'MX',
    '--site',
    'https://a.test',
  );
  writeFileSync(file, JSON.stringify(RECEIVERS));
  const update = (...more: string[]) => run('tenant', 'update', '--id', 'acme', ...more);
  const stored = await update('--live', '--operational-events', file);
  expect(stored.rows).toMatchObject([
    {
      operationalUrl: RECEIVERS.url,
      operationalEmails: 1,
      operationalQuietHours: '22:00-07:00',
      operationalTimeZone: RECEIVERS.timeZone,
    },
  ]);
  expect(stored.act?.after).toMatchObject({ changedSecrets: ['operationalEvents'] });
  expect(JSON.stringify(stored)).not.toContain('ops@acme.test');
  expect(await receiversOf('acme/live')).toEqual(RECEIVERS);
  expect(await receiversOf('acme/sandbox')).toBeUndefined();
  expect(await bench.deps.tenants.listWithOperationalEvents()).toEqual(['acme/live']);
  writeFileSync(file, JSON.stringify({ emails: ['ops@acme.test,eve@evil.test'] }));
  await expect(update('--operational-events', file)).rejects.toThrow(
    'operationalEvents.emails.0: must be an email address',
  );
  await update('--live', '--operational-events', '');
  expect(await receiversOf('acme/live')).toEqual({ emails: [], timeZone: 'UTC' });
});

test('a seed sets the receivers until the partner changes them; they are sealed in the database', async () => {
  const { tenants } = bench.deps;
  const log = { info: () => undefined };
  const tenant = { tenantId: 'seeded', name: 'Seeded', operationalEvents: RECEIVERS };
  const seed = seedSchema.parse({ tenants: [tenant] });
  const apply = () =>
    applySeed(
      {
        tenants,
        movePause: () => undefined,
        log,
        apiKeys: { keep: () => Promise.reject(new Error('no keys')) },
      },
      seed,
    );
  await apply();
  expect(await receiversOf('seeded/live')).toEqual(RECEIVERS);
  const own = { emails: ['noc@acme.test'], timeZone: 'UTC' };
  await tenants.changeOperationalEvents('seeded/live', () => succeed(own));
  await apply();
  expect(await receiversOf('seeded/live')).toEqual(own);
  const raw = await bench.connection.collection('tenants').findOne({ name: 'Seeded', environment: 'live' });
  const stored = raw?.operationalEvents.buffer ?? Buffer.alloc(0);
  expect(stored.length).toBeGreaterThan(0);
  expect(Buffer.from(stored).toString('latin1')).not.toContain('noc@');
});
