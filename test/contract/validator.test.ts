import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

/** The validator's answers, by the last name in the request; for other names it never answers. */
const ANSWERS: Readonly<Record<string, { status: number; body: string }>> = {
  Clear: { status: 200, body: '{"result":"clear"}' },
  Hit: { status: 200, body: '{"result":"hit"}' },
  Down: { status: 503, body: 'down' },
  Rejecting: { status: 400, body: '{"result":"clear"}' },
  Moved: { status: 302, body: '{"result":"clear"}' },
  Garbled: { status: 200, body: '{"result":' },
  Undecided: { status: 200, body: '{"result":"maybe"}' },
};

/** A partner that is held up by another is held up each time. */
const ATTEMPTS = 8;

const scene = useScene();
const requests: string[] = [];
let exchange: Exchange;
let unreachable: Exchange;
beforeAll(async () => {
  const url = await startValidator();
  const { env } = await scene.deploy();
  exchange = await serveWith({ ...env, SANDBOX_IDENTITY_VALIDATOR_URL: url });
  unreachable = await serveWith({ ...env, SANDBOX_IDENTITY_VALIDATOR_URL: 'http://127.0.0.1:1/screen' });
});

async function startValidator(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString();
    requests.push(text);
    const answer = ANSWERS[(JSON.parse(text) as { name: { lastName: string } }).name.lastName];
    if (answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  scene.atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen`;
}

async function serveWith(env: Readonly<Record<string, string>>): Promise<Exchange> {
  const { app, close } = await buildTestApp(env);
  scene.atEnd(close);
  return injectInto(app);
}

function bodyFor(lastName: string, referenceId = newReference()) {
  const { requestData } = moneyRequestBody(referenceId);
  const person = { name: { firstName: 'Ana', lastName }, dob: '1990-02-28' };
  return moneyRequestBody(referenceId, { requestData: { ...requestData, ...person } });
}

const issue = (code: string) => ({ error: { code, message: expect.any(String) } });

describe('Screening by an identity validator', () => {
  test('sends name, dob and country, and creates when all is clear', async () => {
    const body = bodyFor('Clear');
    expect((await createMoneyRequest(exchange, body)).status).toBe(201);
    expect(requests.at(-1)).toBe(
      '{"name":{"firstName":"Ana","lastName":"Clear"},"dob":"1990-02-28","country":"MX"}',
    );
  });

  test.each([
    ['Hit', 403, { code: 'OFAC_HIT', message: expect.any(String) }],
    ['Down', 503, issue('IDENTITY_VALIDATOR_UNAVAILABLE')],
    ['Rejecting', 503, issue('IDENTITY_VALIDATOR_BAD_RESPONSE')],
    ['Moved', 503, issue('IDENTITY_VALIDATOR_BAD_RESPONSE')],
    ['Garbled', 503, issue('IDENTITY_VALIDATOR_BAD_RESPONSE')],
    ['Undecided', 503, issue('IDENTITY_VALIDATOR_BAD_RESPONSE')],
    ['Silent', 503, issue('IDENTITY_VALIDATOR_TIMEOUT')],
  ])('%s: rejects, and nothing is stored', async (lastName, status, expected) => {
    const body = bodyFor(lastName);
    const response = await createMoneyRequest(exchange, body);
    expect([response.status, JSON.parse(response.text)]).toEqual([status, expected]);
    expect(response.headers['content-type']).toBe('application/json');
    expect((await lookUp(exchange, body.referenceId)).status).toBe(404);
  });

  test('a name of the sandbox rule means nothing to it', async () => {
    expect((await createMoneyRequest(unreachable, bodyFor('OFACHIT'))).status).toBe(503);
  });

  test('unreachable: 503', async () => {
    const response = await createMoneyRequest(unreachable, bodyFor('Clear'));
    expect([response.status, JSON.parse(response.text)]).toEqual([
      503,
      issue('IDENTITY_VALIDATOR_UNAVAILABLE'),
    ]);
  });

  test('one that keeps a partner waiting keeps no other waiting', async () => {
    // Nobody waits for the validator longer than 5 s, which a busy machine may take for the other one, too.
    for (let attempt = 1; ; attempt += 1) {
      let answered = 0;
      const waiting = Array.from({ length: 10 }, () =>
        createMoneyRequest(exchange, bodyFor('Silent')).then(() => {
          answered += 1;
        }),
      );
      const other = await createMoneyRequest(exchange, bodyFor('Clear'), { key: KEYS.globex });
      const before = answered;
      await Promise.all(waiting);
      expect(other.status).toBe(201);
      if (before === 0 || attempt === ATTEMPTS) {
        expect(before).toBe(0);
        return;
      }
    }
  });

  test('a replay is not screened again', async () => {
    const body = bodyFor('Clear');
    const options = { idempotencyKey: `screened-${body.referenceId}` };
    const first = await createMoneyRequest(exchange, body, options);
    const times = requests.length;
    expect((await createMoneyRequest(exchange, body, options)).text).toBe(first.text);
    expect(requests.length).toBe(times);
  });
});
