import { describe, expect, test } from '@jest/globals';
import { type AccountId, ENVIRONMENTS } from '../../../../subgraphs/kernel/account.ts';
import type { Tenant } from '../../../../subgraphs/partners/tenants/service.ts';
import type { ListenOptions } from '../command.ts';
import { type AdminDeps, runCommand, UsageError } from '../commands.ts';

const TENANT = {
  accountId: 'acme/sandbox' as AccountId,
  tenantId: 'acme',
  webhookUrl: 'https://listen.invalid/hook',
} as Tenant;

/** The tenant's settings, and the options that it listens with. */
function harness({ tenant = TENANT } = {}) {
  const started: ListenOptions[] = [];
  const deps = {
    tenants: {
      environments: ENVIRONMENTS,
      findStored: async (id: string) => (id === tenant.accountId ? tenant : undefined),
    },
    listen: async (options: ListenOptions) => {
      started.push(options);
      return { forwarded: 2, failed: 1, cursor: 'c' };
    },
  } as unknown as AdminDeps;
  const run = (...args: string[]) => runCommand(deps, ['listen', ...args]);
  return { run, started };
}

const HOOK = ['--forward', 'http://localhost:3000/hook?x=1'];
const ACME = ['--tenant', 'acme'];

describe('listen', () => {
  test("forwards the tenant's webhooks and prints a summary", async () => {
    const { run, started } = harness();
    const answer = await run(...HOOK, ...ACME, '--after', 'before');
    expect(started).toEqual([
      {
        accountId: 'acme/sandbox',
        forward: new URL('http://localhost:3000/hook?x=1'),
        after: 'before',
      },
    ]);
    expect(answer).toEqual({ rows: [{ forwarded: 2, failed: 1, cursor: 'c' }], note: 'Stopped.' });
  });

  test('shows how to set a webhook URL for a tenant without one', async () => {
    const { run } = harness({
      tenant: { accountId: 'acme/sandbox' as AccountId, tenantId: 'acme' } as Tenant,
    });
    await expect(run(...HOOK, ...ACME)).rejects.toThrow(
      /tenant update --id acme --sandbox --webhook-url https:/,
    );
    const { run: outcomes, started } = harness({
      tenant: {
        accountId: 'acme/sandbox' as AccountId,
        tenantId: 'acme',
        operationStatusHook: 'https://listen.invalid/outcome',
      } as Tenant,
    });
    await outcomes(...HOOK, ...ACME);
    expect(started).toHaveLength(1);
  });

  test('rejects an unknown tenant', async () => {
    await expect(harness().run(...HOOK, '--tenant', 'globex')).rejects.toThrow('There is no tenant globex.');
    await expect(async () => harness().run(...HOOK)).rejects.toThrow('--tenant is required');
  });

  test.each([
    'http://127.0.0.1:3000/hook',
    'https://localhost/hook',
    'http://[::1]:3000/',
    'http://LOCALHOST:3000/',
  ])('forwards to %s', async (url) => {
    const { run, started } = harness();
    await run('--forward', url, ...ACME);
    expect(started[0]?.forward.href).toBe(new URL(url).href);
  });

  test.each([
    ['http://hooks.acme.example/in', 'leads to hooks.acme.example'],
    ['http://127.0.0.2/', 'leads to 127.0.0.2'],
    ['http://localhost.evil.example/', 'leads to localhost.evil.example'],
    ['http://localhost@evil.example/', 'without user'],
    ['ftp://localhost/', 'takes an http'],
    ['localhost:3000', 'takes an http'],
    ['nonsense', 'takes an http'],
  ])('does not forward to %s', async (url, message) => {
    const { run, started } = harness();
    const failed = run('--forward', url, ...ACME);
    await expect(failed).rejects.toThrow(UsageError);
    await expect(failed).rejects.toThrow(message);
    expect(started).toEqual([]);
  });

  test('forwards to another machine with the option --any-host', async () => {
    const { run, started } = harness();
    await run('--forward', 'https://hooks.acme.example/in', ...ACME, '--any-host');
    expect(started).toHaveLength(1);
  });
});
