import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sweepOf } from '../support/depth.ts';
import { type Exchange, exchangeWith, openConnection } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { failToStartHere } from '../support/server-here.ts';
import { failToStart } from '../support/server-process.ts';
import { followStatuses } from '../support/statuses.ts';
import { until } from '../support/until.ts';

const scene = useScene();

describe('A second start', () => {
  test('in the DATA_DIR of a running embedded store fails and names its holder', async () => {
    const deployment = await scene.deploy({ store: 'embedded', processes: true });
    const first = await deployment.start();
    const second = await failToStart(deployment.env);
    expect([second.code, second.signal]).toEqual([1, null]);
    expect(second.output).toContain(`is in use by process ${first.pid}`);
    // The first has lost nothing by it.
    const referenceId = newReference();
    const exchange = exchangeWith(first.url);
    expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
    expect((await lookUp(exchange, referenceId)).status).toBe(200);
  });

  test('on a port that is taken fails and says so', async () => {
    const deployment = await scene.deploy();
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    scene.atEnd(async () => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const second = await failToStart({ ...deployment.env, PORT: String(port) });
    expect([second.code, second.signal]).toEqual([1, null]);
    expect(second.output).toMatch(
      new RegExp(`^PORT: cannot listen on 127\\.0\\.0\\.1, port ${port}: .*EADDRINUSE`, 'm'),
    );
    expect(second.output).not.toMatch(/^ {4}at /m);
  });
});

describe('A start with an invalid configuration', () => {
  test('in the environment names all of them and ends with 1', async () => {
    const { env } = await scene.deploy();
    const issues = {
      PORT: 'http',
      ROLE: 'king',
      ENCRYPTION_KEY: 'abc',
      API_KEY_PEPPER: 'short',
      WEBHOOK_RETRY_SECONDS: '1,x',
      WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/33',
      SEED_FILE: '/nowhere/seed.json',
      MTLS_PORT: '4443',
    };
    const { code, output } = await failToStart({ ...env, ...issues });
    expect(code).toBe(1);
    for (const name of [...Object.keys(issues), 'MTLS_CERT_FILE', 'MTLS_KEY_FILE', 'MTLS_CA_FILE']) {
      expect(output.includes(`${name}: `) || name === 'MTLS_PORT').toBe(true);
    }
    expect(output).not.toContain('    at ');
  });

  test('in production without secrets names the three of them', async () => {
    const { env } = await scene.deploy();
    const { INTERNAL_API_KEY: _, ...rest } = env;
    expect(await failToStartHere({ ...rest, NODE_ENV: 'production' })).toMatch(
      /INTERNAL_API_KEY.*\n.*ENCRYPTION_KEY.*\n.*API_KEY_PEPPER/,
    );
  });

  test('in the seed file names all of them, and where they are', async () => {
    const deployment = await scene.deploy();
    const seedFile = join(deployment.dataDir, 'bad.json');
    const tenant = { tenantId: '', name: 'X', webhookUrl: 'http://plain.test', apiKeys: [{ key: 'short' }] };
    writeFileSync(seedFile, JSON.stringify({ tenants: [tenant], fxRates: [{ source: 'ABC' }] }));
    const output = await failToStartHere({ ...deployment.env, SEED_FILE: seedFile });
    for (const place of [
      'tenants.0.tenantId',
      'tenants.0.webhookUrl',
      'tenants.0.apiKeys.0.key',
      'fxRates.0',
    ]) {
      expect(output).toContain(place);
    }
  });

  test('shows no secret', async () => {
    const { env } = await scene.deploy();
    const secrets = {
      MONGODB_URI: 'mongodb://user:hunter2@127.0.0.1:1/x?serverSelectionTimeoutMS=200',
      API_KEY_PEPPER: 'pepper-pepper-pepper-pepper-pepper',
    };
    const output = await failToStartHere({ ...env, ...secrets });
    expect(output).toContain('MONGODB_URI');
    expect(output).not.toMatch(/hunter2|pepper-pepper|internal_key_of_tests/);
  });
});

describe('A restart', () => {
  test('with the same seed changes nothing; keys revoked meanwhile stay revoked', async () => {
    const deployment = await scene.deploy();
    const first = await deployment.start();
    const exchange = exchangeWith(first.url);
    const referenceId = newReference();
    const created = await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const database = await deployment.database();
    await database.collection('apiKeys').updateOne({ label: 'live' }, { $set: { revokedAt: new Date() } });
    const seeded = () =>
      Promise.all(['tenants', 'routes', 'apiKeys'].map((name) => database.collection(name).countDocuments()));
    const before = await seeded();
    expect(Math.min(...before)).toBeGreaterThan(3);
    expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const second = exchangeWith((await deployment.start()).url);
    expect((await lookUp(second, referenceId, KEYS.acmeLive)).status).toBe(401);
    const found = await lookUp(second, referenceId);
    expect(JSON.parse(found.text)).toMatchObject(JSON.parse(created.text));
    expect(await seeded()).toEqual(before);
  });
});

/** An identity validator that answers on request: it holds a create under way. */
async function startHeldValidator() {
  const held: ServerResponse[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    request.resume().on('end', () => held.push(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  scene.atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen`,
    requests: () => held.length,
    clear: () => {
      for (const response of held.splice(0)) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":"clear"}');
      }
    },
  };
}

const isRefused = (exchange: Exchange) =>
  exchange({ method: 'GET', path: '/health/ready' }).then(
    ({ status }) => status === 503,
    () => true,
  );

/** That both stop a process is shown by `gateway/app/stop-signals`, too. */
const SIGNALS = sweepOf(['SIGTERM', 'SIGINT'] as const, () => 'signal');

describe.each(SIGNALS)('%s', (signal) => {
  test('lets running requests finish, says goodbye to sockets, ends with 0', async () => {
    const validator = await startHeldValidator();
    const env = { SANDBOX_IDENTITY_VALIDATOR_URL: validator.url };
    const deployment = await scene.deploy({ processes: true, env });
    const server = await deployment.start();
    const exchange = exchangeWith(server.url);
    const socket = await scene.subscriber({
      url: server.url,
      connectionParams: { 'X-API-Key': KEYS.acme },
    });
    followStatuses(socket);
    const referenceId = newReference();
    const underWay = createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await until('the create at the validator', () => validator.requests() === 1);

    const ended = server.kill(signal);
    expect(await socket.closed).toEqual({ code: 1012, reason: 'Service restart' });
    await until('no new traffic', () => isRefused(exchange));
    expect(server.exit()).toBeUndefined();
    validator.clear();
    expect((await underWay).status).toBe(201);
    expect(await ended).toEqual({ code: 0, signal: null });

    const database = await deployment.database();
    expect(await database.collection('moneyRequests').countDocuments({ referenceId })).toBe(1);
    // Its webhook came, or the next process sends it.
    const deliveries = await database.collection('webhookDeliveries').find().toArray();
    expect(deliveries.map(({ event }) => event)).toEqual(['operation_created']);
  });
});

test('A server with time to drain is not ready, and answers calls until that time is over', async () => {
  const deployment = await scene.deploy({ env: { DRAIN_SECONDS: '2' } });
  const server = await deployment.start();
  const exchange = exchangeWith(server.url);
  const connection = await openConnection(server.url);
  const isAnswered = (times: number) => connection.received().split('{"status":"ok"}').length === times + 1;
  connection.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the connection to be idle', () => isAnswered(1));
  const ended = server.kill('SIGTERM');
  const from = performance.now();
  await until('it is not ready', async () => {
    const { status, text } = await exchange({ method: 'GET', path: '/health/ready' });
    return status === 503 && JSON.parse(text).draining === true;
  });
  // A balancer has not noticed yet: it uses the connections that it has, and opens others.
  connection.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the idle connection to be answered', () => isAnswered(2));
  expect(connection.received()).toMatch(/connection: close\r\n/i);
  const statuses = new Set<number>();
  await until('no new traffic', async () => {
    const answer = await lookUp(exchange, 'AB12cd34').catch(() => undefined);
    if (answer) {
      statuses.add(answer.status);
    }
    return answer === undefined;
  });
  expect(performance.now() - from).toBeGreaterThanOrEqual(2_000);
  expect([...statuses]).toEqual([404]);
  expect(await ended).toEqual({ code: 0, signal: null });
});

test('A request on an open connection while the server drains is answered as ever, or not at all', async () => {
  const validator = await startHeldValidator();
  const deployment = await scene.deploy({ env: { SANDBOX_IDENTITY_VALIDATOR_URL: validator.url } });
  const server = await deployment.start();
  const body = JSON.stringify(moneyRequestBody(newReference()));
  const head = `Host: x\r\nX-API-Key: ${KEYS.acme}\r\n`;
  const connection = await openConnection(server.url);
  connection.write(`POST /v1/request-money HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  await until('the create at the validator', () => validator.requests() === 1);
  const ended = server.kill('SIGTERM');
  await until('no new traffic', () => isRefused(exchangeWith(server.url)));
  connection.write(`GET /v1/request-money/AB12cd34 HTTP/1.1\r\n${head}\r\n`);
  validator.clear();
  await connection.closed;
  expect(await ended).toEqual({ code: 0, signal: null });
  const answers = connection.received().split(/(?=HTTP\/1\.1 \d)/);
  expect(answers[0]).toMatch(/^HTTP\/1\.1 201 /);
  for (const answer of answers) {
    expect(answer).toMatch(/\r\nx-request-id: /i);
    expect(answer).not.toMatch(/^HTTP\/1\.1 503 /);
  }
});
