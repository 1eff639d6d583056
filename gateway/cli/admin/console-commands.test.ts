import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PLATFORM_ACCOUNT } from '../../../subgraphs/kernel/principal.ts';
import { type AdminDeps, type Answer, runCommand } from './commands.ts';
import { openAdminBench } from './testing.ts';

let deps: AdminDeps;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ deps, close } = await openAdminBench());
  await runCommand(deps, ['tenant', 'create', '--id', 'acme', '--name', 'Acme', '--flows', '']);
});
afterAll(() => close());

const run = (...args: string[]): Promise<Answer> => runCommand(deps, args);

test('console-link creates a read-only link for the sandbox by default', async () => {
  const { rows } = await run('console-link', '--tenant', 'acme');
  expect(rows).toEqual([
    {
      url: expect.stringMatching(/^https:\/\/remit\.example\/console\/#code=raas_code_[\w-]{43}$/),
      ...{ sessionId: expect.stringMatching(/^cse_/), access: 'read', label: '', keyId: undefined },
      ...{ createdAt: expect.any(Date), expiresAt: expect.any(Date) },
      ...{ lastUsedAt: undefined, revokedAt: undefined, issuer: undefined },
    },
  ]);
  const more = ['--access', 'admin', '--label', 'Ana', '--live'];
  const reported = await run('console-link', '--tenant', 'acme', ...more);
  expect(reported.rows).toMatchObject([{ access: 'admin', label: 'Ana' }]);
});

test.each(['support', 'operate'])(
  'console-link creates a link for the access %s, for a day if asked',
  async (access) => {
    const before = Date.now();
    const { rows, note } = await run(
      'console-link',
      '--tenant',
      'acme',
      '--access',
      access,
      '--minutes',
      '1440',
    );
    expect(rows).toMatchObject([{ access }]);
    const { expiresAt } = rows[0] ?? {};
    expect(Number(expiresAt) - before).toBeGreaterThan(86_000_000);
    expect(note).toContain('within 86400 seconds');
  },
);

test('tenant update stores a sign-in from a file, shows it without its secret, and takes it away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-sign-in-'));
  const file = join(folder, 'sign-in.json');
  const signIn = {
    issuer: 'https://login.acme.example',
    clientId: 'remitgraph',
    clientSecret: 'secret-of-the-client',
  };
  writeFileSync(file, JSON.stringify({ ...signIn, claim: 'groups', roles: { ops: 'operator' } }));
  const stored = await run('tenant', 'update', '--id', 'acme', '--sandbox', '--sign-in', file);
  expect(stored.rows).toMatchObject([
    {
      environment: 'sandbox',
      signInIssuer: signIn.issuer,
      signInClaim: 'groups',
      signInRoles: ['ops=operator'],
    },
  ]);
  expect(stored.act?.after).toMatchObject({ changedSecrets: ['signIn'] });
  expect(JSON.stringify(stored)).not.toContain(signIn.clientSecret);
  expect((await deps.tenants.find('acme/sandbox'))?.signIn).toMatchObject(signIn);
  expect((await deps.tenants.find('acme/live'))?.signIn).toBeUndefined();
  writeFileSync(file, '{');
  await expect(run('tenant', 'update', '--id', 'acme', '--sign-in', file)).rejects.toThrow(
    'cannot be read as JSON',
  );
  await run('tenant', 'update', '--id', 'acme', '--sandbox', '--sign-in', '');
  expect((await deps.tenants.find('acme/sandbox'))?.signIn).toBeUndefined();
  rmSync(folder, { recursive: true });
});

test('console-session revoke ends only links of the tenant; an unused link is not listed', async () => {
  const { rows } = await run('console-link', '--tenant', 'acme');
  const id = String(rows[0]?.sessionId);
  expect((await run('console-session', 'list', '--tenant', 'acme')).rows).toEqual([]);
  await run('tenant', 'create', '--id', 'other', '--name', 'Other', '--flows', '');
  const others = run('console-session', 'revoke', '--tenant', 'other', '--id', id);
  await expect(others).rejects.toThrow(`The tenant other has no console session ${id}.`);
  const revoked = await run('console-session', 'revoke', '--tenant', 'acme', '--id', id);
  expect(revoked.rows).toMatchObject([{ sessionId: id, revokedAt: expect.any(Date) }]);
});

test("operators' links are created and ended with --platform instead of a tenant", async () => {
  const { rows } = await run('console-link', '--platform', '--label', 'On call');
  expect(rows).toMatchObject([{ access: 'read', label: 'On call' }]);
  const id = String(rows[0]?.sessionId);
  // Unused links are not listed.
  expect((await run('console-session', 'list', '--platform')).rows).toEqual([]);
  const ofTenant = run('console-session', 'revoke', '--tenant', 'acme', '--id', id);
  await expect(ofTenant).rejects.toThrow(`The tenant acme has no console session ${id}.`);
  const unknown = run('console-session', 'revoke', '--platform', '--id', 'cse_x');
  await expect(unknown).rejects.toThrow('The platform has no console session cse_x.');
  const revoked = await run('console-session', 'revoke', '--platform', '--id', id);
  expect(revoked.rows).toMatchObject([{ sessionId: id, revokedAt: expect.any(Date) }]);
});

test.each([['console-link'], ['console-session', 'list'], ['console-session', 'revoke', '--id', 'cse_x']])(
  '%s %s takes one of --tenant and --platform',
  async (...command) => {
    const either = 'Give either --tenant or --platform.';
    await expect(run(...command)).rejects.toThrow(either);
    await expect(run(...command, '--tenant', 'acme', '--platform')).rejects.toThrow(either);
  },
);

test("no tenant name selects the platform's operators", async () => {
  const made = run('tenant', 'create', '--id', PLATFORM_ACCOUNT, '--name', 'x', '--flows', '');
  await expect(made).rejects.toThrow('tenantId');
  await expect(run('console-link', '--tenant', PLATFORM_ACCOUNT)).rejects.toThrow('There is no tenant');
});

test.each([
  [['--platform', '--access', 'admin'], '--access takes read, operate; not admin.'],
  [['--platform', '--live'], '--platform goes with neither --sandbox nor --live'],
  [['--platform', '--access', 'support'], '--access takes read, operate; not support.'],
  [['--tenant', 'acme', '--minutes', '0'], '--minutes takes a whole number from 1 to 1440; not 0.'],
  [['--tenant', 'acme', '--minutes', '1441'], '--minutes takes a whole number from 1 to 1440; not 1441.'],
  [['--tenant', 'acme', '--minutes', '1.5'], '--minutes takes a whole number from 1 to 1440; not 1.5.'],
  [['--tenant', 'none'], 'There is no tenant none.'],
  [['--tenant', 'acme', '--access', 'ADMIN'], '--access takes read, support, operate, admin; not ADMIN.'],
  [['--tenant', 'acme', '--label', 'a\nb'], '--label must have at most 100 characters'],
])('console-link %j makes none', async (args, message) => {
  await expect(run('console-link', ...args)).rejects.toThrow(message);
});

test('console-link needs the address of the service', async () => {
  const lone = runCommand({ ...deps, publicUrl: undefined }, ['console-link', '--tenant', 'acme']);
  await expect(lone).rejects.toThrow('Set PUBLIC_URL');
});
