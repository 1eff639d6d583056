import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { WEBHOOK_EVENTS } from '../../webhook-events/catalogue.ts';
import { applySeed, readSeed, readSeedTenant, seedSchema } from './seed.ts';

describe('a seed', () => {
  test.each([
    ['landingBaseUrl', 'javascript:alert(1)//'],
    ['messagingBaseUrl', 'data:text/html,'],
    ['widgetBaseUrl', 'file:///etc/'],
    ['attributionBaseUrl', 'not a url'],
    ['widgetBaseUrl', ' https://widget.acme.test'],
    ['webhookSecret', 'whsec_\u0000_long'],
    ['sharedSecret', 'shared_\ud800'],
    ['sharedSecret', ' shared'],
  ])('is rejected for the %s %j', async (property, value) => {
    const reading = readSeedTenant({ tenantId: 'a', name: 'A', [property]: value });
    await expect(reading).rejects.toThrow(`  ${property}: must`);
  });

  test('is rejected for a key of two tenants, without showing it', () => {
    const tenant = (tenantId: string, ...keys: string[]) => ({
      ...{ tenantId, name: tenantId },
      apiKeys: keys.map((key) => ({ key })),
    });
    const [shared, own] = ['raas_live_shared_0001', 'raas_live_own_000001'];
    const parse = (...tenants: object[]) => seedSchema.safeParse({ tenants });
    expect(parse(tenant('acme', shared, shared)).success).toBe(true);
    const { error } = parse(tenant('acme', shared), tenant('globex', own, shared));
    expect(error?.issues).toMatchObject([
      { path: ['tenants', 1, 'apiKeys', 1, 'key'], message: 'must not be a key of acme, too' },
    ]);
    expect(error?.message).not.toContain(shared);
  });

  test('is rejected if it is not JSON, without a part of its text', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remitgraph-seed-'));
    const path = join(folder, 'seed.json');
    try {
      for (const text of [
        '{"key": hush',
        '{"key": "hush" hush}',
        '{"key": "hush", hush}',
        'hush',
        '{"hush\n',
      ]) {
        writeFileSync(path, text);
        const message = await readSeed(path).then(JSON.stringify, (error: Error) => error.message);
        expect(message).toMatch(/^The seed file .* is not JSON: \w+/);
        expect(message.replace(path, '')).not.toContain('hus');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is rejected for two entries of one tenant', () => {
    const tenant = (tenantId: string) => ({ tenantId, name: tenantId });
    const { error } = seedSchema.safeParse({ tenants: [tenant('acme'), tenant('globex'), tenant('acme')] });
    expect(error?.issues).toMatchObject([
      { path: ['tenants', 2, 'tenantId'], message: 'must not be the tenantId of tenants.0, too' },
    ]);
  });

  test('is rejected for an event that is not in the catalogue', async () => {
    const read = (webhookEvents: string[]) => readSeedTenant({ tenantId: 'a', name: 'A', webhookEvents });
    await expect(read(['operation_created', 'operation_create'])).rejects.toThrow(
      '  webhookEvents.1: must be the name of an event, not "operation_create"',
    );
    const names = WEBHOOK_EVENTS.map(({ name }) => name);
    expect((await read(names)).webhookEvents).toEqual(names);
  });

  test('is rejected for a webhookUrl that another endpoint has, unless the partner has set its own', async () => {
    const stored = {
      tenantId: 'acme',
      webhookEndpoints: [{ id: 'we_1', url: 'https://127.0.0.1:9443/h/x' }],
    };
    const tenant = { tenantId: 'acme', name: 'Acme', webhookUrl: 'HTTPS://127.1:9443/h/x#f' };
    const seed = seedSchema.parse({ tenants: [tenant] });
    const written: string[] = [];
    const apply = async (more: object) => {
      const tenants = {
        find: async () => ({ ...stored, ...more }),
        seed: async ({ accountId }: { accountId: string }) => written.push(accountId),
      };
      // The cast: only these two functions are used for a seed of one tenant.
      const deps = { tenants, log: { info: () => undefined, warn: () => undefined } };
      await applySeed(deps as never, seed);
    };
    await expect(apply({})).rejects.toThrow(/tenants\.0\.webhookUrl: .* we_1 .*\(WEBHOOK_ENDPOINT_EXISTS\)/);
    expect(written).toEqual([]);
    await apply({ webhookConfiguredAt: new Date() });
    expect(written).toEqual(['acme/sandbox', 'acme/live']);
  });
});
