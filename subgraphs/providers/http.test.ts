import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { holdCallTimes } from '../../test/support/held-time.ts';
import { until } from '../../test/support/until.ts';
import { createProviders } from './create.ts';
import { createHttpCards, createHttpFunding, createHttpIdentity, createHttpUbn } from './http.ts';
import { providerKey } from './provider-key.ts';
import type { FundingRequest, ProviderCall } from './types.ts';

const PERSON = {
  firstName: 'Ana',
  lastName: 'Ruiz',
  secondLastName: 'Díaz',
  dob: '1990-01-31',
  country: 'MX',
};
const CARD = {
  number: '4111111111111111',
  nameOnCard: 'Ana Ruiz',
  expirationDate: '1230',
  country: 'MX',
  currency: 'MXN',
};
const ACCOUNT = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
const REQUEST: FundingRequest = {
  tenantId: 'acme',
  operationId: 'corr-1',
  payer: { phoneNumber: '+12125550123', firstName: 'Bob', lastName: 'Roe' },
  amount: '82.19',
  currency: 'USD',
  recipientAmount: '1500.50',
  recipientCurrency: 'MXN',
};
const CALL: ProviderCall = { idempotencyKey: 'acme:corr-1:CIP', accountId: 'acme/live' };
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) {
    await close();
  }
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  closing.push(async () => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/call`;
}

const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body);

function using<Provider extends { close(): Promise<void> }>(provider: Provider): Provider {
  closing.push(provider.close);
  return provider;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** The one request that `send` makes to an address. */
async function sentBy(send: (url: string) => Promise<unknown>) {
  const seen: { key: unknown; type: unknown; body: unknown }[] = [];
  const url = await listen((request, response) => {
    void textOf(request).then((body) => {
      const { 'idempotency-key': key, 'content-type': type } = request.headers;
      seen.push({ key, type, body: JSON.parse(body) });
      response.end('{"result":"accepted"}');
    });
  });
  await send(url);
  expect(seen).toHaveLength(1);
  return seen[0];
}

describe('the request', () => {
  test('identity: name, date of birth and country', async () => {
    const { dob, country, ...name } = PERSON;
    expect(await sentBy((url) => using(createHttpIdentity({ url })).check(PERSON, CALL))).toEqual({
      key: 'acme:corr-1:CIP',
      type: 'application/json',
      body: { name, dob, country },
    });
  });

  test.each<[string, (url: string) => Promise<unknown>, object]>([
    ['a card', (url) => using(createHttpCards({ url })).verify(CARD, CALL), CARD],
    ['an account', (url) => using(createHttpUbn({ url })).verify(ACCOUNT, CALL), ACCOUNT],
    ['a request for money', (url) => using(createHttpFunding({ url })).request(REQUEST, CALL), REQUEST],
  ])('%s', async (_what, send, body) => {
    expect(await sentBy(send)).toMatchObject({ key: 'acme:corr-1:CIP', body });
  });

  test('an idempotency key of any characters', async () => {
    const idempotencyKey = providerKey('acme', 'año 1\n', 'CIP');
    const sent = await sentBy((url) =>
      using(createHttpUbn({ url })).verify(ACCOUNT, { ...CALL, idempotencyKey }),
    );
    expect(sent?.key).toBe('acme:a%C3%B1o%201%0A:CIP');
  });
});

describe('the meaning of an answer', () => {
  test.each([
    ['clear', { kind: 'accepted' }],
    ['hit', { kind: 'rejected', code: 'ERROR_CIP_NOT_COMPLETED' }],
    ['not_found', { kind: 'rejected', code: 'ERROR_CIP_NOT_FOUND' }],
    ['level_one_required', { kind: 'rejected', code: 'ERROR_MUST_PERFORM_LEVEL_ONE_FIRST' }],
    ['subscriber_not_found', { kind: 'rejected', code: 'ERROR_SUBSCRIBER_NOT_FOUND' }],
    ['accepted', { kind: 'unavailable' }],
  ])('of the validator: %s', async (result, expected) => {
    const url = await listen(answering(200, JSON.stringify({ result })));
    expect(await using(createHttpIdentity({ url })).check(PERSON, CALL)).toMatchObject(expected);
  });

  const rejecting = (more: object) => answering(200, JSON.stringify({ result: 'refused', ...more }));
  test.each<[string, RequestListener, object]>([
    ['accepted', answering(200, '{"result":"accepted","more":1}'), { kind: 'accepted' }],
    [
      'rejected, no more said',
      rejecting({}),
      {
        kind: 'rejected',
        code: 'CARD_VERIFICATION_ERROR',
        reason: 'The card provider rejected the card.',
      },
    ],
    ['rejected with a reason', rejecting({ reason: ' Stolen. ' }), { kind: 'rejected', reason: 'Stolen.' }],
    [
      'a reason of which nothing shows',
      rejecting({ reason: '\u200b\u00ad' }),
      { kind: 'rejected', reason: 'The card provider rejected the card.' },
    ],
    ['a long reason', rejecting({ reason: 'x'.repeat(500) }), { kind: 'rejected', reason: 'x'.repeat(200) }],
    [
      'a reason that repeats the number',
      rejecting({ reason: 'No 4111 1111 1111 1111 here' }),
      { kind: 'rejected', reason: 'No …1111 here' },
    ],
    ['its own code', rejecting({ code: 'CARD_VERIFICATION_ERROR' }), { kind: 'rejected' }],
    ["another's code", rejecting({ code: 'ERROR_INVALID_OPERATION' }), { kind: 'unavailable' }],
    [
      '20 KB of headers',
      (_request, response) =>
        response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end('{"result":"accepted"}'),
      { kind: 'accepted' },
    ],
    [
      'interim answers before it',
      (_request, response) => {
        response.writeContinue();
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        response.end('{"result":"accepted"}');
      },
      { kind: 'accepted' },
    ],
    ['another result', answering(200, '{"result":"maybe"}'), { kind: 'unavailable' }],
    ['no JSON', answering(200, 'accepted'), { kind: 'unavailable' }],
    ['a 201', answering(201, '{"result":"accepted"}'), { kind: 'unavailable' }],
    ['a 404', answering(404, '{"result":"accepted"}'), { kind: 'unavailable' }],
    ['a 500', answering(500, '{"result":"accepted"}'), { kind: 'unavailable' }],
    [
      'a redirect',
      (_request, response) => response.writeHead(302, { location: '/' }).end(),
      { kind: 'unavailable' },
    ],
    [
      'more than 64 KiB of headers',
      (_request, response) =>
        response.writeHead(200, { 'x-large': 'x'.repeat(70_000) }).end('{"result":"accepted"}'),
      { kind: 'unavailable' },
    ],
    [
      'more than 64 KiB',
      answering(200, `{"result":"accepted","x":"${'x'.repeat(70_000)}"}`),
      { kind: 'unavailable' },
    ],
    ['a broken connection', (request) => request.socket.destroy(), { kind: 'unavailable' }],
    ['silence', () => undefined, { kind: 'unavailable' }],
  ])('of the others: %s', async (name, answer, expected) => {
    // Only what gets no answer runs out of its time.
    const timeoutMs = name === 'silence' ? 300 : 30_000;
    const cards = using(createHttpCards({ url: await listen(answer), timeoutMs }));
    expect(await cards.verify(CARD, CALL)).toMatchObject(expected);
  });

  test.each([
    'ERROR_CONTACT_NOT_FOUND',
    'ERROR_INVALID_OPERATION',
    'ERROR_OPERATION_NOT_FOUND',
    'ERROR_OPERATION_ALREADY_COMPLETED',
  ])('of the funding provider: %s', async (code) => {
    const funding = using(createHttpFunding({ url: await listen(rejecting({ code })) }));
    expect(await funding.request(REQUEST, CALL)).toMatchObject({ kind: 'rejected', code });
  });
});

/** Providers of which only that of cards has an address. */
function withCardsAt(url: string, concurrency = 1) {
  return using(createProviders({ CARD_PROVIDER_URL: url, PIPELINE_TENANT_CONCURRENCY: concurrency }));
}

test('every step of the pipeline can be at the same provider at once', async () => {
  const called: (() => void)[] = [];
  const url = await listen((_request, response) => {
    called.push(() => response.end('{"result":"accepted"}'));
  });
  const providers = withCardsAt(url, 100);
  const answers = Array.from({ length: 100 }, () => providers.cards.verify(CARD, CALL));
  await until('all calls are there', () => called.length === 100);
  for (const answer of called) {
    answer();
  }
  expect(new Set((await Promise.all(answers)).map(({ kind }) => kind))).toEqual(new Set(['accepted']));
});

describe('a withdrawal', () => {
  test('a withdrawal is a POST to /cancel under the key of the request', async () => {
    const seen: { url: unknown; headers: unknown; body: unknown }[] = [];
    const url = await listen((request, response) => {
      void textOf(request).then((body) => {
        const { 'idempotency-key': key, 'x-environment': environment } = request.headers;
        seen.push({ url: request.url, headers: { key, environment }, body: JSON.parse(body) });
        response.end('{"result":"cancelled"}');
      });
    });
    for (const address of [url, `${url}/`, `${url}?token=t`]) {
      expect(await using(createHttpFunding({ url: address })).cancel(REQUEST, CALL)).toEqual({
        kind: 'cancelled',
      });
    }
    const headers = { key: 'acme:corr-1:CIP', environment: 'live' };
    const body = { tenantId: 'acme', operationId: 'corr-1' };
    expect(seen).toEqual([
      { url: '/call/cancel', headers, body },
      { url: '/call/cancel', headers, body },
      { url: '/call/cancel?token=t', headers, body },
    ]);
  });

  test.each([
    ['cancelled', 200, '{"result":"cancelled"}'],
    ['not_found', 200, '{"result":"not_found"}'],
    ['already_paid', 200, '{"result":"already_paid"}'],
    ['unavailable', 200, '{"result":"CANCELLED"}'],
    ['unavailable', 200, '{"result":"accepted"}'],
    ['unavailable', 200, '{"result":"cancelled","operationId":"corr-2"}'],
    ['unavailable', 200, 'cancelled'],
    ['unavailable', 404, '{"result":"not_found"}'],
    ['unavailable', 503, ''],
  ])('is %s after %i %s', async (kind, status, body) => {
    const url = await listen(answering(status, body));
    expect((await using(createHttpFunding({ url })).cancel(REQUEST, CALL)).kind).toBe(kind);
  });

  test('a call that may have reached the payer differs from one that certainly has not', async () => {
    const times = holdCallTimes();
    const funding = (url: string) => using(createHttpFunding({ url })).request(REQUEST, CALL);
    const refused = await listen(answering(200, '{"result":"accepted"}'));
    await closing.pop()?.();
    await closing.pop()?.();
    expect(await funding(refused)).toMatchObject({ kind: 'unavailable', notSent: true });
    const losing: RequestListener[] = [
      () => times.end(),
      (_request, response) => response.destroy(),
      answering(500, '{"result":"refused"}'),
      answering(404, ''),
      answering(200, 'accepted'),
    ];
    for (const listener of losing) {
      const answer = await funding(await listen(listener));
      expect(answer.kind).toBe('unavailable');
      expect(answer).not.toHaveProperty('notSent');
    }
    times.release();
  });
});
