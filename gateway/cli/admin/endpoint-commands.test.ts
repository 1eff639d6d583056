import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toDeliveries } from '../../../subgraphs/webhooks/publisher.ts';
import { type Answer, runCommand, UsageError } from './commands.ts';
import { type AdminBench, openAdminBench } from './testing.ts';

const SECRET = `whsec_${'a'.repeat(32)}`;
const ACCOUNT = 'acme/sandbox';
const HEADERS = [{ name: 'X-Key', value: 'k3y-of-acme' }];

describe('webhooks configure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-endpoint-commands-'));
  let bench: AdminBench;
  let further: string;
  const run = (...args: string[]): Promise<Answer> => runCommand(bench.deps, args);
  const configure = (endpoint: string, ...args: string[]) =>
    run('webhooks', 'configure', '--tenant', 'acme', '--endpoint', endpoint, ...args);
  const file = (content: unknown) => {
    const path = join(folder, 'headers.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  /** The scheme and headers of webhooks that would be stored now, by URL. */
  const stored = async () => {
    const tenant = await bench.deps.tenants.find(ACCOUNT);
    const event = { event: 'operation_created', data: {} };
    const deliveries = tenant ? toDeliveries(tenant, [event], new Date()) : [];
    return deliveries.map(({ url, signatureScheme, headers }) => [url, signatureScheme, headers]);
  };
  const entries = async () =>
    (await bench.deps.operatorLog.list({ tenantId: 'acme' }, { first: 100 })).nodes.filter(
      ({ act }) => act === 'webhooks configure',
    );

  beforeAll(async () => {
    bench = await openAdminBench();
    await run(
      ...['tenant', 'create', '--id', 'acme', '--name', 'Acme', '--country', 'MX', '--source-country', 'US'],
      ...['--webhook-url', 'https://first.test/', '--webhook-secret', SECRET],
    );
    const made = await bench.deps.webhooks.endpoints.create(ACCOUNT, { url: 'https://more.test/' });
    further = made.ok ? made.value.endpoint.id : '';
  });
  afterAll(async () => {
    await bench.close();
    rmSync(folder, { recursive: true });
  });

  test('sets scheme and headers of the first endpoint and of a further one, and shows no value', async () => {
    for (const endpoint of ['first', further]) {
      const scheme = ['--signature-scheme', 'STANDARD_WEBHOOKS', '--headers', file(HEADERS)];
      const { rows } = await configure(endpoint, ...scheme);
      expect(rows).toMatchObject([
        { id: endpoint, signatureScheme: 'STANDARD_WEBHOOKS', headerNames: ['X-Key'] },
      ]);
      expect(JSON.stringify(rows)).not.toContain('k3y');
    }
    expect(await stored()).toEqual([
      ['https://first.test/', 'STANDARD_WEBHOOKS', HEADERS],
      ['https://more.test/', 'STANDARD_WEBHOOKS', HEADERS],
    ]);
    const logged = await entries();
    expect(logged).toHaveLength(2);
    expect(JSON.stringify(logged)).not.toContain('k3y');
    expect(logged[1]).toMatchObject({
      subject: 'first',
      before: { signatureScheme: 'DOCUMENTED', headerNames: [] },
      after: { signatureScheme: 'STANDARD_WEBHOOKS', headerNames: ['X-Key'], changedSecrets: ['headers'] },
    });
  });

  test('changes one of them alone, and removes both with empty values', async () => {
    await configure('first', '--signature-scheme', 'HTTP_MESSAGE_SIGNATURES', '--headers', file(HEADERS));
    await configure('first', '--signature-scheme', '');
    expect((await stored())[0]).toEqual(['https://first.test/', 'DOCUMENTED', HEADERS]);
    await configure('first', '--headers', '');
    expect((await stored())[0]).toEqual(['https://first.test/', 'DOCUMENTED', undefined]);
  });

  test.each([
    [[], 'Give --signature-scheme, --headers or both'],
    [['--signature-scheme', 'standard'], '--signature-scheme takes DOCUMENTED, STANDARD_WEBHOOKS'],
    [['--headers', 'nowhere.json'], '--headers: nowhere.json cannot be read as JSON'],
  ])('rejects %j', async (args, message) => {
    await expect(configure('first', ...args)).rejects.toThrow(message);
  });

  test.each([
    [{}, 'must have a list of objects with name and value'],
    [[{ name: 'X-Key' }], 'must have a list of objects with name and value'],
    [[{ name: 'Host', value: 's3cret' }], '--headers 0 has the name of a header that webhooks or HTTP have.'],
  ])('rejects the headers %j, and names no value', async (headers, message) => {
    const rejected = await configure('first', '--headers', file(headers)).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(UsageError);
    expect(String(rejected)).toContain(message);
    expect(String(rejected)).not.toContain('s3cret');
  });

  test('rejects a file without JSON, and shows nothing of it', async () => {
    const path = file([]);
    writeFileSync(path, 'X-Key: s3cret');
    const rejected = await configure('first', '--headers', path).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(UsageError);
    expect(String(rejected)).toContain('headers.json cannot be read as JSON');
    expect(String(rejected)).not.toContain('s3cret');
  });

  test('rejects a scheme that cannot sign with the secret, and an unknown endpoint, and changes nothing', async () => {
    const before = [await stored(), (await entries()).length];
    await bench.deps.tenants.changeWebhooks(ACCOUNT, { secret: 'of no standard' });
    await expect(configure('first', '--signature-scheme', 'STANDARD_WEBHOOKS')).rejects.toThrow(
      'STANDARD_WEBHOOKS needs a secret',
    );
    await expect(configure('we_none', '--signature-scheme', '')).rejects.toThrow(UsageError);
    expect([await stored(), (await entries()).length]).toEqual(before);
  });
});
