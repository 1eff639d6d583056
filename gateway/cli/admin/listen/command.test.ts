import { describe, expect, test } from '@jest/globals';
import type { ApiKey } from '../../../../subgraphs/partners/keys/record.ts';
import type { Tenant } from '../../../../subgraphs/partners/tenants/service.ts';
import { type AdminDeps, runCommand, UsageError } from '../commands.ts';
import type { ListenOptions } from './listen.ts';

const TENANT = { tenantId: 'acme', webhookUrl: 'https://listen.invalid/hook' } as Tenant;
const key = (fields: Partial<ApiKey>) => ({ keyId: 'key_1', tenantId: 'acme', ...fields }) as ApiKey;

/** The tenant's settings and keys, and the options that it listens with. */
function harness({ tenant = TENANT, keys = [] as readonly ApiKey[] } = {}) {
  const started: ListenOptions[] = [];
  const deps = {
    tenants: { find: async (id: string) => (id === tenant.tenantId ? tenant : undefined) },
    apiKeys: { list: async () => [...keys] },
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
    const { run, started } = harness({ keys: [key({ environment: 'sandbox' })] });
    const answer = await run(...HOOK, ...ACME, '--after', 'before');
    expect(started).toEqual([
      {
        tenantId: 'acme',
        forward: new URL('http://localhost:3000/hook?x=1'),
        after: 'before',
        requireSandbox: expect.any(Function),
      },
    ]);
    expect(answer).toEqual({ rows: [{ forwarded: 2, failed: 1, cursor: 'c' }], note: 'Stopped.' });
  });

  test.each<[string, readonly ApiKey[]]>([
    ['a live key', [key({ environment: 'sandbox' }), key({ keyId: 'key_live', environment: 'live' })]],
    ['a live key that was revoked', [key({ environment: 'live', revokedAt: new Date() })]],
    ['a key whose environment is unknown', [key({ keyId: 'key_old' })]],
  ])('does nothing for a tenant with %s', async (_name, keys) => {
    const { run, started } = harness({ keys });
    await expect(run(...HOOK, ...ACME)).rejects.toThrow(
      /^acme has, or had, a key that is not a sandbox key, key_/,
    );
    expect(started).toEqual([]);
  });

  test('checks for a live key before each webhook', async () => {
    const keys = [key({ environment: 'sandbox' })];
    const { run, started } = harness({ keys });
    await run(...HOOK, ...ACME);
    await started[0]?.requireSandbox();
    keys.push(key({ keyId: 'key_live', environment: 'live' }));
    await expect(started[0]?.requireSandbox()).rejects.toThrow(UsageError);
  });

  test('shows how to set a webhook URL for a tenant without one', async () => {
    const { run } = harness({ tenant: { tenantId: 'acme' } as Tenant });
    await expect(run(...HOOK, ...ACME)).rejects.toThrow(/tenant update --id acme --webhook-url https:/);
    const { run: outcomes, started } = harness({
      tenant: { tenantId: 'acme', operationStatusHook: 'https://listen.invalid/outcome' } as Tenant,
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
