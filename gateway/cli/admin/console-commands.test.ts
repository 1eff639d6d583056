import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

test('console-link makes a link that reads, of the sandbox, unless it is told otherwise', async () => {
  const { rows } = await run('console-link', '--tenant', 'acme');
  expect(rows).toEqual([
    {
      url: expect.stringMatching(/^https:\/\/remit\.example\/console\/#code=raas_code_[\w-]{43}$/),
      ...{ sessionId: expect.stringMatching(/^cse_/), access: 'read', label: '', keyId: undefined },
      ...{ createdAt: expect.any(Date), expiresAt: expect.any(Date) },
      ...{ lastUsedAt: undefined, revokedAt: undefined },
    },
  ]);
  const more = ['--access', 'admin', '--label', 'Ana', '--live'];
  const told = await run('console-link', '--tenant', 'acme', ...more);
  expect(told.rows).toMatchObject([{ access: 'admin', label: 'Ana' }]);
});

test('console-session revoke ends a link of the tenant alone; one that was not used is not listed', async () => {
  const { rows } = await run('console-link', '--tenant', 'acme');
  const id = String(rows[0]?.sessionId);
  expect((await run('console-session', 'list', '--tenant', 'acme')).rows).toEqual([]);
  await run('tenant', 'create', '--id', 'other', '--name', 'Other', '--flows', '');
  const others = run('console-session', 'revoke', '--tenant', 'other', '--id', id);
  await expect(others).rejects.toThrow(`The tenant other has no console session ${id}.`);
  const revoked = await run('console-session', 'revoke', '--tenant', 'acme', '--id', id);
  expect(revoked.rows).toMatchObject([{ sessionId: id, revokedAt: expect.any(Date) }]);
});

test.each([
  [['--tenant', 'none'], 'There is no tenant none.'],
  [['--tenant', 'acme', '--access', 'ADMIN'], '--access takes read, admin; not ADMIN.'],
  [['--tenant', 'acme', '--label', 'a\nb'], '--label must have at most 100 characters'],
])('console-link %j makes none', async (args, message) => {
  await expect(run('console-link', ...args)).rejects.toThrow(message);
});

test('console-link needs to know the address of the service', async () => {
  const lone = runCommand({ ...deps, publicUrl: undefined }, ['console-link', '--tenant', 'acme']);
  await expect(lone).rejects.toThrow('Set PUBLIC_URL');
});
