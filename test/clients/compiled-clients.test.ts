/** @only-in-full */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCases } from '../contract/fixture.ts';
import { runCase, type Target } from '../contract/run-case.ts';
import { exchangeWith } from '../support/http.ts';
import { PARTNER_TENANTS } from '../support/partner-tenants.ts';
import type { Receiver } from '../support/receiver.ts';
import { type Scene, useScene } from '../support/scene.ts';
import { SECRETS } from '../support/seed.ts';
import type { ClientProgram } from './client-program.ts';
import { exchangeByClient } from './exchange-by-client.ts';
import {
  type MadeClient,
  makeClient,
  RECIPES,
  type Recipe,
  runExample,
  startContractProgram,
} from './recipes.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

// The clients in Go and Java, made as their READMEs say, on the tools that this machine has.

/** Cases of the contract, by their files. */
const CASES: readonly (readonly [file: string, title: string])[] = [
  ['request-money/worked-example', 'create, lookup, second create'],
  ['request-money/create', 'amounts keep their digits'],
  ['request-money/create-amounts', 'one more than a double holds, with decimals'],
  ['request-money/create-idempotency', 'the same body again: the same bytes, and no second money request'],
  ['request-money/cancel', 'with a reason'],
  [
    'request-money/simulation',
    'the payer pays: processing, completed, with the webhooks of a real payment; then final',
  ],
  ['request-money/lookup', 'unknown'],
  ['remittance/full-accepted', 'key in X-API-Key'],
  ['partner/account', 'me, by a sandbox key'],
  ['partner/pre-quote', 'digits stay'],
  ['partner/links-create', 'the least: flow and reference; read again it is the same'],
];

const scene = useScene();
const all = readCases(resolve('test/contract'));
const cases = CASES.map(([file, title]) => {
  const found = all.find((one) => one.file === file && one.title === title);
  if (found === undefined) {
    throw new Error(`There is no case "${title}" in ${file}`);
  }
  return [`${file}: ${title}`, found] as const;
});

describe.each(RECIPES)('the client in $language', (recipe) => {
  if (recipe.hasTools()) {
    describeClient(recipe);
  } else {
    test.skip(`(skipped: ${recipe.tools} is not there)`, () => undefined);
  }
});

/** The client, its program, and the server that it calls through a proxy. */
interface Stage {
  readonly made: MadeClient;
  readonly program: ClientProgram;
  readonly proxy: RecordingProxy;
  readonly receiver: Receiver;
  /** Of the server itself. */
  readonly url: string;
}

async function prepare(recipe: Recipe, folder: string, { deploy, atEnd }: Scene): Promise<Stage> {
  const deployment = await deploy({ tenants: PARTNER_TENANTS });
  const { url } = await deployment.start();
  const proxy = await startRecordingProxy(url);
  atEnd(proxy.close);
  const made = await makeClient(recipe, folder, proxy.url);
  const program = startContractProgram(recipe, made);
  atEnd(program.close);
  return { made, program, proxy, receiver: deployment.receiver, url };
}

function describeClient(recipe: Recipe): void {
  let folder: string;
  let stage: Stage;
  let target: Target;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), `client-${recipe.language}-`));
    stage = await prepare(recipe, folder, scene);
    target = { exchange: exchangeByClient(stage.program, stage.proxy), receiver: stage.receiver };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(cases)('does the case %s', (_title, one) => runCase(target, one));

  test('does the example of its README', async () => {
    expect(await runExample(recipe, stage.made, 'raas_sandbox_acme_full')).toBe('pending 1500.50\n');
    expect(await runExample(recipe, stage.made, 'raas_sandbox_acme_full')).toBe(
      'the request is there already\n',
    );
  });

  test('gets the answer of a create that was lost by the same Idempotency-Key', async () => {
    const { program, proxy } = stage;
    const [, { steps }] = cases[0]!;
    const body = String(steps[0]!.request.body).replace('AB12cd34', 'Lost0001');
    proxy.take();
    proxy.loseNextAnswer();
    const answer = await program.call({
      operation: 'createRequestMoney',
      key: 'raas_sandbox_acme_full',
      body,
    });
    expect(answer).toMatchObject({ value: { referenceId: 'Lost0001', status: 'pending' } });
    const [lost, repeated, ...others] = proxy.take();
    expect(others).toEqual([]);
    expect(lost?.response).toMatchObject({ status: 201, text: repeated?.response.text });
    expect(lost?.headers['idempotency-key']).toEqual(expect.stringMatching(/^[\w-]{20,}$/));
    expect(repeated?.headers['idempotency-key']).toBe(lost?.headers['idempotency-key']);
  });

  test('does not repeat a call that may have taken effect', async () => {
    const { program, proxy } = stage;
    proxy.take();
    proxy.loseNextAnswer();
    const body = JSON.stringify({ flow: 'transfer', referenceId: 'lost-1' });
    const answer = await program.call({ operation: 'createLink', key: 'raas_sandbox_wayne_full', body });
    expect(answer).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(proxy.take()).toEqual([
      expect.objectContaining({ response: expect.objectContaining({ status: 201 }) }),
    ]);
  });

  test('gives the items of all pages', async () => {
    const { program, proxy, url } = stage;
    const key = 'raas_sandbox_wayne_full';
    for (const referenceId of ['page-1', 'page-2', 'page-3']) {
      const body = JSON.stringify({ flow: 'transfer', referenceId });
      await program.call({ operation: 'createLink', key, body });
    }
    const headers = { 'X-API-Key': key };
    const { text } = await exchangeWith(url)({ method: 'GET', path: '/partner/links?limit=100', headers });
    const { items } = (JSON.parse(text) as { data: { items: { referenceId: string }[] } }).data;
    proxy.take();
    const { value } = await program.call({ operation: 'allLinks', key });
    expect(value).toEqual(items.map(({ referenceId }) => referenceId));
    expect(proxy.take()).toHaveLength(items.length);
    expect(items.length).toBeGreaterThanOrEqual(4);
  });

  test('verifies webhooks', async () => {
    const { program, receiver } = stage;
    const { rawHeaders, text } = receiver.webhooks.find(({ path }) => path === '/hook')!;
    const headers = Object.fromEntries(rawHeaders.map(([name, value]) => [name, [value]]));
    const asked = { operation: 'verifyWebhook', key: 'k', headers, body: text, secret: String(SECRETS.acme) };
    expect(await program.call(asked)).toEqual({ value: 'verified' });
    expect(await program.call({ ...asked, body: `${text} ` })).toEqual({
      message: expect.stringContaining('signature is of another body'),
    });
  });
}
