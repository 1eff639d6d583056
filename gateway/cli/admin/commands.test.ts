import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { type AdminDeps, type Answer, readCommandLine, runCommand, UsageError } from './commands.ts';
import { openAdminBench } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-admin-'));
let deps: AdminDeps;
let connection: Connection;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ deps, connection, close } = await openAdminBench());
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]): Promise<Answer> => runCommand(deps, args);
const create = (id: string, ...more: string[]) =>
  run('tenant', 'create', '--id', id, '--name', 'Some', ...more);
const OF_MEXICO = ['--country', 'MX', '--source-country', 'US'];

describe('--help', () => {
  test.each([['--help'], ['-h'], ['help'], ['tenant', '--help'], ['nonsense', '--help']])(
    '%s %s says what there is, and does nothing',
    (...args) => {
      const line = readCommandLine(args.filter((arg) => arg !== undefined));
      expect(line).toMatchObject({ kind: 'help', text: expect.stringContaining('Usage: npm run admin --') });
    },
  );

  test('of a command lists its options and an example', () => {
    const line = readCommandLine(['tenant', 'create', '--help']);
    const { text } = line as { text: string };
    expect(text).toContain('Usage: npm run admin -- tenant create [--id ID]');
    expect(text).toMatch(/--dial-codes \+N,… +Of payers' phones/);
    expect(text).toContain('Examples:\n  npm run admin -- tenant create --id acme');
  });

  test('every example can be parsed', () => {
    const { text } = readCommandLine(['--help']) as { text: string };
    const names = [...text.matchAll(/^ {2}([\w-]+(?: [\w-]+)?) {2}/gm)].map(([, name]) => String(name));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const help = (readCommandLine([...name.split(' '), '--help']) as { text: string }).text;
      const examples = [...help.matchAll(/^ {2}npm run admin -- (.*)$/gm)].map(([, example]) =>
        String(example),
      );
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const args = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, quoted, plain]) => quoted ?? String(plain),
        );
        expect(readCommandLine(args)).toMatchObject({ kind: 'run' });
      }
    }
  });
});

describe('An invalid command line shows the usage', () => {
  test.each([
    [[], 'Which command?'],
    [['tenant'], 'There is no command "tenant".'],
    [['tenant', 'destroy'], 'There is no command "tenant destroy".'],
    [['toString'], 'There is no command "toString".'],
    [['tenant', 'list', 'all'], 'There is no command "tenant list all".'],
    [
      ['tenant', 'show'],
      /--id is required\.\nUsage: npm run admin -- tenant show --id ID \[--sandbox\] \[--live\] \[--json\]/,
    ],
    [['key', 'list', '--tenant', ''], /--tenant is required/],
    [['tenant', 'list', '--id', 'a'], /Unknown option '--id'\.\nUsage: .* tenant list \[--json\]/],
    [
      ['key', 'create', '--tenant', 'a', '--country', 'MX'],
      /Unknown option '--country'\.\nUsage: .* key create/,
    ],
    [['key', 'create', '--tenant'], /argument missing\.\nUsage: /],
    [['key', 'create', '--tenant', 'a', 'b'], /Unexpected argument 'b'/],
  ])('%j', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(message);
  });
});

describe('tenant create', () => {
  test('derives missing options from the countries and the site', async () => {
    const { rows } = await create('derived', ...OF_MEXICO, '--site', 'https://pay.derived.example/');
    expect(rows).toMatchObject([
      {
        tenantId: 'derived',
        defaultCurrency: 'MXN',
        countries: ['MX'],
        dialCodes: ['+52', '+1'],
        flows: ['cip', 'transfer', 'request_money'],
        landingBaseUrl: 'https://pay.derived.example/r',
        widgetBaseUrl: 'https://pay.derived.example',
        attributionBaseUrl: 'https://pay.derived.example/t',
        messagingBaseUrl: 'https://wa.me/',
      },
    ]);
  });

  test('lists missing settings, each with a command that adds it, and nothing for a complete tenant', async () => {
    await create('steps', '--country', 'JP', '--source-country', 'GB', '--site', 'https://steps.example');
    for (let step = 0; step < 5; step += 1) {
      const { next = [] } = await run('tenant', 'show', '--id', 'steps');
      if (next.length === 0) {
        break;
      }
      const command = String(next[0]?.split('npm run admin -- ')[1]).replace('JPY_FOR_ONE_GBP', '190.5');
      await run(...command.split(' '));
    }
    expect((await run('tenant', 'show', '--id', 'steps')).next).toEqual([]);
    expect(await deps.tenants.fxRate('GBP', 'JPY')).toMatchObject({ rate: '190.5' });
  });

  test('warns of everything that a tenant without settings cannot do', async () => {
    const { next } = await create('bare', '--flows', '');
    expect(next?.map((step) => step.split(',')[0])).toEqual([
      'It serves no country of its own',
      'It has no currency',
      'It has no country that payers pay from',
      'POST /v1/request-money is not enabled: npm run admin -- tenant update --id bare --features request-money',
      'It can make no links: npm run admin -- tenant update --id bare --flows cip',
      'Its links begin with https://remit.example',
    ]);
  });

  test('without a site needs a public address', async () => {
    const lone = { ...deps, publicUrl: undefined };
    const args = ['tenant', 'create', '--id', 'lone', '--name', 'Lone'];
    await expect(runCommand(lone, args)).rejects.toThrow('--site is required');
    expect(await deps.tenants.find('lone/sandbox')).toBeUndefined();
  });

  test.each([
    [['--flows', 'cip,cash'], '--flows takes cip, transfer, request_money; not cash.'],
    [['--features', 'request_money'], '--features takes request-money; not request_money.'],
    [['--webhook-events', 'all'], 'not all.'],
    [['--webhook-ordering', 'per_entity'], '--webhook-ordering takes NONE, PER_ENTITY; not per_entity.'],
    [['--site', 'pay.example'], '--site must be an HTTP URL.'],
    [['--widget-base-url', 'javascript:alert(1)'], '--widget-base-url must be an HTTP URL.'],
    [['--country', 'Mexico'], 'country: must be an ISO 3166-1 alpha-2 code'],
    [['--dial-codes', '52'], 'dialCodes.0: must be a dial code such as +52'],
    [['--webhook-url', 'http://a.example'], 'webhookUrl: must be an HTTPS URL'],
    [['--fee-percent', 'ten'], 'fee.percent: must be a decimal string'],
    [['--file', 'acme.json'], '--file has everything in it: leave --id out.'],
  ])('rejects %j', async (more, message) => {
    await expect(create('rejected', ...more)).rejects.toThrow(message);
    expect(await deps.tenants.find('rejected/sandbox')).toBeUndefined();
  });

  test('reads a file, and rejects invalid properties of its tenants', async () => {
    const path = join(folder, 'tenant.json');
    writeFileSync(path, JSON.stringify({ tenantId: 'filed', name: 'Filed', dialCode: ['+52'] }));
    await expect(run('tenant', 'create', '--file', path)).rejects.toThrow(
      'dialCode: is not a known property',
    );
    writeFileSync(path, JSON.stringify({ tenantId: 'filed', name: 'Filed', dialCodes: ['+52'] }));
    expect((await run('tenant', 'create', '--file', path)).rows).toMatchObject([{ dialCodes: ['+52'] }]);
    await expect(run('tenant', 'create', '--file', path)).rejects.toThrow('The tenant filed exists');
  });
});

describe('tenant update', () => {
  test('changes given options, removes empty ones, and keeps the rest', async () => {
    const hooks = [
      '--webhook-url',
      'https://a.example/in',
      '--webhook-secret',
      'whsec_00001',
      '--fee-fixed',
      '1',
    ];
    await create('changed', ...OF_MEXICO, ...hooks, '--status-hook', 'https://a.example/out');
    const [before] = (await run('tenant', 'show', '--id', 'changed')).rows;
    const { rows } = await run(
      ...['tenant', 'update', '--id', 'changed', '--fee-percent', '2.5', '--status-hook', ''],
      ...['--flows', 'cip', '--webhook-url', 'https://b.example/in', '--webhook-ordering', 'PER_ENTITY'],
    );
    const { operationStatusHook, updatedAt, ...kept } = before as Record<string, unknown>;
    const hook = { webhookUrl: 'https://b.example/in', webhookOrdering: 'PER_ENTITY' };
    expect(rows[0]).toMatchObject({ ...kept, ...hook, feePercent: '2.5', flows: ['cip'] });
    expect(rows[0]).not.toHaveProperty('operationStatusHook');
    expect((await deps.tenants.find('changed/sandbox'))?.webhookSecret).toBe('whsec_00001');
    await run('tenant', 'update', '--id', 'changed', '--webhook-ordering', '');
    expect((await deps.tenants.find('changed/sandbox'))?.webhookOrdering).toBe('NONE');
  });

  test("keeps the partner's signature scheme, own headers and version of events, and shows no value of headers", async () => {
    await create('signed', ...OF_MEXICO, '--webhook-secret', 'whsec_00001');
    const change = {
      url: 'https://a.example/in',
      secret: `whsec_${'a'.repeat(32)}`,
      signatureScheme: 'STANDARD_WEBHOOKS',
      headers: [{ name: 'X-Key', value: 'k3y' }],
      eventVersion: 2,
    } as const;
    await deps.tenants.changeWebhooks('signed/sandbox', change);
    const { rows } = await run(
      ...['tenant', 'update', '--id', 'signed', '--sandbox', '--webhook-events', 'operation_created'],
    );
    expect(rows[0]).toMatchObject({
      webhookSignatureScheme: 'STANDARD_WEBHOOKS',
      webhookEventVersion: 2,
      webhookHeaderNames: ['X-Key'],
    });
    expect(JSON.stringify(rows)).not.toContain('k3y');
    expect((await deps.tenants.find('signed/sandbox'))?.webhookHeaders).toEqual(change.headers);
    await expect(
      run('tenant', 'update', '--id', 'signed', '--sandbox', '--webhook-secret', 'of no standard'),
    ).rejects.toThrow('--webhook-secret: webhookSignatureScheme STANDARD_WEBHOOKS needs a secret');
  });

  test('sets limits of calls, for one environment alone too, and removes them', async () => {
    await create('limited', ...OF_MEXICO, '--rate-limits', 'partner=6000,preQuote=0');
    const limitsOf = async () => [
      (await deps.tenants.find('limited/sandbox'))?.rateLimits,
      (await deps.tenants.find('limited/live'))?.rateLimits,
    ];
    const both = { partner: 6_000, preQuote: 0 };
    expect(await limitsOf()).toEqual([both, both]);
    await run('tenant', 'update', '--id', 'limited', '--live', '--rate-limits', 'graphql=5');
    expect(await limitsOf()).toEqual([both, { graphql: 5 }]);
    await run('tenant', 'update', '--id', 'limited', '--sandbox', '--rate-limits', '');
    expect(await limitsOf()).toEqual([undefined, { graphql: 5 }]);
  });

  test('keeps a secret that the partner has created meanwhile', async () => {
    await create('own', ...OF_MEXICO, '--webhook-secret', 'whsec_00001');
    await deps.tenants.changeWebhooks('own/sandbox', { secret: 'whsec_of_the_partner' });
    await run('tenant', 'update', '--id', 'own', '--name', 'Renamed');
    expect(await deps.tenants.find('own/sandbox')).toMatchObject({
      name: 'Renamed',
      webhookSecret: 'whsec_of_the_partner',
    });
  });

  test.each([
    [['--id', 'nobody', '--name', 'A'], 'There is no tenant nobody.'],
    [['--id', 'bare'], 'Name an option to change.'],
    [['--id', 'bare', '--name', ''], 'name: '],
    [['--id', 'bare', '--webhook-secret', ''], '--webhook-secret cannot be taken away'],
    [['--id', 'bare', '--webhook-secret', 'short'], 'webhookSecret: must have at least 8 characters'],
    [['--id', 'bare', '--rate-limits', 'rest=5'], '--rate-limits takes remittance, requestMoney, partner'],
    [['--id', 'bare', '--rate-limits', 'partner=-1'], '--rate-limits takes '],
    [['--id', 'bare', '--rate-limits', 'partner'], 'rateLimits.partner: '],
    [['--id', 'bare', '--rate-limits', 'partner=100000001'], 'rateLimits.partner: must be at most 100000000'],
    [['--id', 'bare', '--currency', 'pesos'], 'defaultCurrency: must be an ISO 4217 code'],
  ])('rejects %j', async (args, message) => {
    await expect(run('tenant', 'update', ...args)).rejects.toThrow(message);
  });

  test('no command shows secrets', async () => {
    await create(
      'secretive',
      '--webhook-secret',
      'whsec_never_shown',
      '--shared-secret',
      'shared_never_shown',
    );
    const shown = [await run('tenant', 'show', '--id', 'secretive'), await run('tenant', 'list')];
    expect(JSON.stringify(shown)).not.toContain('never_shown');
    expect(shown[0]?.rows).toMatchObject([{ hasWebhookSecret: true, hasSharedSecret: true }]);
  });
});

test('key create names the providers that live calls still lack', async () => {
  await create('keyed', ...OF_MEXICO, '--features', 'request-money');
  const { next } = await run('key', 'create', '--tenant', 'keyed', '--live');
  expect(next?.[0]).toContain('IDENTITY_VALIDATOR_URL, FUNDING_PROVIDER_URL');
  await expect(run('key', 'create', '--tenant', 'keyed', '--scopes', 'admin')).rejects.toThrow('not admin.');
});

describe('a request whose withdrawal was given up', () => {
  const at = new Date('2026-11-21T08:00:00.000Z');
  const cause = { code: 'ERROR_INTERNAL_SERVER_ERROR', message: 'Away.' };
  const left = {
    accountId: 'asking/live',
    status: 'FAILED',
    payerMayHaveBeenAsked: true,
    withdrawal: { status: 'UNKNOWN', since: at, attempts: 9, cause },
    version: 5,
    nextAttemptAt: at,
  };
  const store = (collection: string, document: object) =>
    connection
      .collection<{ _id: string }>(collection)
      .insertOne({ _id: 'asking/live|corr-1', ...left, ...document });
  const resume = (command: string, id = 'corr-1') =>
    run(...command.split(' '), '--tenant', 'asking', '--live', '--correlation-id', id);

  beforeAll(() => create('asking', ...OF_MEXICO));

  test.each([
    [
      'remittances retry',
      'remittances',
      { correlationId: 'corr-1', private: Buffer.from('x'), userId: 'usr_1' },
      'due already',
    ],
    ['reservation resume', 'reservations', { operationId: 'corr-1' }, 'can be resumed'],
  ])('is continued once by %s', async (what, collection, document, refusal) => {
    await expect(resume(what)).rejects.toThrow(UsageError);
    await store(collection, document);
    const { rows, note } = await resume(what);
    expect(rows).toMatchObject([{ correlationId: 'corr-1', environment: 'live', status: 'IN_PROGRESS' }]);
    expect(note).toEqual(expect.any(String));
    expect(await connection.collection(collection).findOne({ accountId: 'asking/live' })).toMatchObject({
      status: 'IN_PROGRESS',
      isOpen: true,
    });
    const [entry] = (await run('log', '--act', what)).rows;
    expect(entry).toMatchObject({ tenantId: 'asking', environment: 'live', subject: 'corr-1' });
    await expect(resume(what)).rejects.toThrow(refusal);
    await expect(resume(what, 'corr-2')).rejects.toThrow(UsageError);
  });
});
