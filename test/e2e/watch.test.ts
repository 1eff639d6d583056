/** @only-in-full */
import { resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { runProduct } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const WATCH = resolve('dist/bin/watch.js');

const scene = useScene();
let deployment: Deployment;
let server: Server;
let exchange: Exchange;
beforeAll(async () => {
  deployment = await scene.deploy();
  server = await deployment.start();
  exchange = exchangeWith(server.url);
});

async function newMoneyRequest(): Promise<string> {
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
  return referenceId;
}

function watch(reference: string, { key = KEYS.acme, more = [] }: { key?: string; more?: string[] } = {}) {
  return runProduct(WATCH, ['--reference', reference, '--url', server.url, ...more], { KEY: key });
}

const statusesIn = (output: string) =>
  output.split('\n').flatMap((line) => /Z {2}([A-Z]+) {2}/.exec(line)?.[1] ?? []);

test('A watch follows a money request to its end, over a restart of the server, and reports it by its exit code', async () => {
  const reference = await newMoneyRequest();
  const watching = watch(reference, { more: ['--tenant', 'acme'] });
  await until('the present status', () => statusesIn(watching.output()).length === 1);
  await updateStatus(exchange, { referenceId: reference, status: 'processing' });
  await until('the next status', () => statusesIn(watching.output()).length === 2);

  const { port } = new URL(server.url);
  await server.kill('SIGTERM');
  await until('it sees that the server is away', () => watching.output().includes('Trying again'));
  server = await deployment.start({ PORT: port });
  exchange = exchangeWith(server.url);
  await updateStatus(exchange, { referenceId: reference, status: 'completed' });
  expect(await watching.exited).toEqual({ code: 0, signal: null });
  expect(statusesIn(watching.output())).toEqual(['PENDING', 'PROCESSING', 'COMPLETED']);
});

test('A watch ends with 3 where nothing is paid', async () => {
  const reference = await newMoneyRequest();
  await updateStatus(exchange, { referenceId: reference, status: 'cancelled' });
  const [watching, asJson] = [watch(reference), watch(reference, { more: ['--json'] })];
  expect((await watching.exited).code).toBe(3);
  expect(statusesIn(watching.output())).toEqual(['CANCELLED']);
  expect((await asJson.exited).code).toBe(3);
  expect(JSON.parse(asJson.output())).toMatchObject({ status: 'CANCELLED', cursor: expect.any(String) });
});

test.each<[string, { key?: string; more?: string[] }, number, RegExp]>([
  ["another partner's money request", { key: KEYS.globex }, 1, /globex has no money request/],
  ["another partner's key", { more: ['--tenant', 'globex'] }, 1, /KEY is a key of acme, not of globex/],
  ['a key that is none', { key: 'raas_none' }, 1, /API key/],
  ['a key without the scope', { key: KEYS.acmeWithoutPartner }, 1, /scope/],
  ['a key on the command line', { more: ['--key', 'x'] }, 2, /Unknown option/],
])('A watch of %s ends with an error and without a stack', async (_name, options, code, message) => {
  const watching = watch(await newMoneyRequest(), options);
  expect((await watching.exited).code).toBe(code);
  expect(watching.output()).toMatch(message);
  expect(watching.output()).not.toMatch(/\n\s+at /);
});
