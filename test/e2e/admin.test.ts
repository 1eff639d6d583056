import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { verifyWebhook } from '../../subgraphs/webhooks/verifiers/verify-webhook.ts';
import { issuesOfWebhook } from '../support/described-webhook.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { runProduct } from '../support/server-process.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const ADMIN = resolve('dist/bin/admin.js');

const scene = useScene();
let env: Readonly<Record<string, string>>;
let exchange: Exchange;
beforeAll(async () => {
  const deployment = await scene.deploy();
  const { SEED_FILE: _, ...rest } = deployment.env;
  // Without a seed the server would make the demo tenant, with routes and a rate for all.
  const SEED_FILE = join(deployment.dataDir, 'nothing.json');
  writeFileSync(SEED_FILE, '{}');
  const secrets = {
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
  };
  // A server whose store is empty: nobody has seeded a route or a rate.
  const app = await buildTestApp({ ...rest, ...secrets, SEED_FILE, PIPELINE_SWEEP_SECONDS: '1' });
  scene.atEnd(app.close);
  exchange = injectInto(app.app);
  const MONGODB_URI = withDatabase(String(rest.MONGODB_URI), app.connection.name);
  env = { ...rest, ...secrets, MONGODB_URI };
});

async function admin(line: string, code = 0): Promise<string> {
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? String(plain));
  const run = runProduct(ADMIN, args, env);
  const exit = await run.exited;
  expect([line, exit.code, run.output()]).toEqual([line, code, expect.any(String)]);
  return run.output();
}

/** The commands of the README that begin so, without `npm run admin --`. */
function fromReadme(start: string): string {
  const line = readFileSync('gateway/cli/README.md', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`npm run admin -- ${start}`));
  return String(line?.replace('npm run admin -- ', ''));
}

const post = (path: string, key: string, body: object) =>
  exchange({
    method: 'POST',
    path,
    headers: { 'X-API-Key': key, api_key: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test("after the README's lines and the steps that they print, payers can pay", async () => {
  await admin(fromReadme('tenant create'));
  const made = await admin(fromReadme('key create'));
  const key = String(/ key +(raas_sandbox_\S+)/.exec(made)?.[1]);
  const steps = [...made.matchAll(/npm run admin -- (.*)$/gm)].map(([, step]) => String(step));
  expect(steps.map((step) => step.split(' --')[0])).toEqual(['route set', 'rate set']);
  for (const step of steps) {
    await admin(step.replace('MXN_FOR_ONE_USD', '18.25'));
  }
  expect(await admin('tenant show --id acme')).not.toContain('Next:');

  const created = await post('/v1/request-money', key, {
    referenceId: 'AB12cd34',
    amount: 1500.5,
    currency: 'MXN',
    requestData: {
      userReferenceId: 'u-77',
      name: { firstName: 'Ana', lastName: 'Ruiz' },
      address: { country: 'MX' },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: '032180000118359719' },
    },
  });
  expect([created.status, JSON.parse(created.text)]).toMatchObject([
    201,
    {
      waLink: expect.stringContaining('https://wa.me/?text=Ana'),
      landingLink: 'https://pay.acme.example/r?ref=AB12cd34',
      fundRequestLink: expect.stringContaining('https://pay.acme.example/fund/'),
    },
  ]);

  const accepted = await post('/v1/user/operations/request-money-full', key, {
    requester: {
      phoneNumber: '+525512345678',
      firstName: 'Ana',
      lastName: 'Ruiz',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'CMX',
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 20.1,
      destinationPaymentMethod: { type: 'UBN', number: '0321', country: 'MX', currency: 'MXN' },
      correlationId: 'corr-1',
      requestTo: { phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
    },
  });
  expect([accepted.status, accepted.text]).toEqual([
    200,
    expect.stringContaining('"link":"https://pay.acme.example/t/corr-1"'),
  ]);
  const path = '/v1/user/operations/detail/corr-1';
  const headers = { api_key: key };
  await until('the operation', async () => (await exchange({ method: 'GET', path, headers })).status === 200);

  const link = await post('/partner/links', key, { flow: 'transfer', referenceId: 'ref-1' });
  expect([link.status, link.text]).toEqual([201, expect.stringContaining('https://pay.acme.example/w/')]);
});

test("a developer's server gets the webhooks of a sandbox tenant until Ctrl-C", async () => {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    verifyWebhook({ scheme: 'request_money', headers: request.headers, body, secrets: 'whsec_listen_1' });
    received.push([JSON.parse(body.toString()).event, issuesOfWebhook(body.toString())]);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scene.atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await admin(
    'tenant create --id listening --name Some --country MX --source-country US --features request-money --webhook-url https://listen.invalid/hook --webhook-secret whsec_listen_1',
  );
  const key = String(/ key +(raas_sandbox_\S+)/.exec(await admin('key create --tenant listening'))?.[1]);
  const { port } = server.address() as AddressInfo;
  const forward = ['--forward', `http://localhost:${port}/hook`, '--tenant', 'listening', '--json'];
  const listening = runProduct(ADMIN, ['listen', ...forward], env);
  await until('it listens', () => listening.output().includes('Listening to listening'));
  await post('/v1/request-money', key, {});
  await until('both webhooks', () => listening.output().split('  204 in ').length === 3);
  expect((await listening.kill('SIGINT')).code).toBe(0);
  expect(received).toEqual([
    ['operation_error', []],
    ['request_money.failed', []],
  ]);
  expect(listening.output()).toContain('"forwarded": 2');
});

describe('The command line', () => {
  test('helps without a store, and exits with 0', async () => {
    const run = runProduct(ADMIN, ['key', 'create', '--help'], { MONGODB_URI: 'mongodb://127.0.0.1:1/none' });
    expect((await run.exited).code).toBe(0);
    expect(run.output()).toMatch(/^Make an API key.*Usage: .*Examples:\n {2}npm run admin -- key create/s);
  });

  test.each([
    ['tenant show --ID acme', "Unknown option '--ID'"],
    ['tenant remove --id acme', 'There is no command "tenant remove".'],
  ])('%s exits with 2, and prints its usage', async (line, message) => {
    const output = await admin(line, 2);
    expect(output).toContain(message);
    expect(output).toContain('Usage: npm run admin -- ');
    expect(output).not.toContain('    at ');
  });
});
