import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { holdCallTimes } from '../../../test/support/held-time.ts';
import { until } from '../../../test/support/until.ts';
import { createBlindIndex } from '../../kernel/crypto/blind-index.ts';
import { createScreening, type Screening, type ScreeningCall, type ScreeningOptions } from './screening.ts';

const PERSON = { name: { firstName: 'Ana', lastName: 'Ruiz' }, dob: '1990-01-31', country: 'MX' };
const LIVE: ScreeningCall = { accountId: 'acme/live', referenceId: 'AB12cd34' };
const SANDBOX: ScreeningCall = { ...LIVE, accountId: 'acme/sandbox' };
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) {
    await close();
  }
});

async function listen(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  closing.push(async () => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen`;
}

/** On a busy machine a call must not run out of time. */
async function screenBy(answer: RequestListener): Promise<Screening> {
  return screenAt(await listen(answer), { timeoutMs: 30_000 });
}

function screenAt(url: string, options: Partial<ScreeningOptions> = {}): Screening {
  const screening = createScreening({
    urls: { live: url, sandbox: url },
    blindIndex: createBlindIndex(Buffer.alloc(32, 7)),
    ...options,
  });
  closing.push(() => screening.close());
  return screening;
}

const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body);

describe('screening by the identity validator', () => {
  test('posts name, date of birth and country', async () => {
    let received = '';
    const screening = await screenBy((request, response) => {
      request.on('data', (chunk) => {
        received += chunk;
      });
      request.on('end', () => response.end('{"result":"clear"}'));
    });
    expect(await screening.screen(PERSON, LIVE)).toEqual({ ok: true, value: 'clear' });
    expect(JSON.parse(received)).toEqual(PERSON);
  });

  test.each<[string, RequestListener, string]>([
    ['a hit', answering(200, '{"result":"hit"}'), 'OFAC_HIT'],
    ['a 500', answering(500, 'oops'), 'IDENTITY_VALIDATOR_UNAVAILABLE'],
    ['a 503', answering(503, '{"result":"clear"}'), 'IDENTITY_VALIDATOR_UNAVAILABLE'],
    ['a broken connection', (request) => request.socket.destroy(), 'IDENTITY_VALIDATOR_UNAVAILABLE'],
    ['silence', () => undefined, 'IDENTITY_VALIDATOR_TIMEOUT'],
    [
      'an answer that does not end',
      (_request, response) => response.write('{"result":'),
      'IDENTITY_VALIDATOR_TIMEOUT',
    ],
    ['no JSON', answering(200, 'clear'), 'IDENTITY_VALIDATOR_BAD_RESPONSE'],
    ['another result', answering(200, '{"result":"maybe"}'), 'IDENTITY_VALIDATOR_BAD_RESPONSE'],
    ['a 404', answering(404, '{"result":"clear"}'), 'IDENTITY_VALIDATOR_BAD_RESPONSE'],
    ['a redirect', answering(302, ''), 'IDENTITY_VALIDATOR_BAD_RESPONSE'],
  ])('%s', async (_name, answer, code) => {
    const times = holdCallTimes();
    closing.push(async () => times.release());
    let asked = false;
    const screening = await screenBy((request, response) => {
      asked = true;
      answer(request, response);
    });
    const screen = screening.screen(PERSON, SANDBOX);
    if (code === 'IDENTITY_VALIDATOR_TIMEOUT') {
      await until('the call', () => asked);
      times.end();
    }
    const screened = await screen;
    expect(screened).toMatchObject({ ok: false, failures: [{ code }] });
  });

  test('one that does not answer 20 times in a row is left alone, and called again soon', async () => {
    let called = 0;
    let answer = answering(503, '');
    const url = await listen((request, response) => {
      called += 1;
      answer(request, response);
    });
    const screening = screenAt(url, { leaveAloneMs: 100 });
    const codes = async () => {
      const screened = await screening.screen(PERSON, LIVE);
      return screened.ok ? [] : screened.failures.map(({ code }) => code);
    };
    for (let call = 1; call <= 20; call += 1) {
      expect(await codes()).toEqual(['IDENTITY_VALIDATOR_UNAVAILABLE']);
    }
    answer = answering(200, '{"result":"clear"}');
    await until('a call that is let through', async () => {
      const failed = await codes();
      return failed.length === 0;
    });
    expect(called).toBe(21);
    expect(await codes()).toEqual([]);
    expect(called).toBe(22);
  });

  test('answers that make no sense do not count', async () => {
    let called = 0;
    const screening = await screenBy((request, response) => {
      called += 1;
      answering(200, '{}')(request, response);
    });
    for (let call = 1; call <= 30; call += 1) {
      await screening.screen(PERSON, LIVE);
    }
    expect(called).toBe(30);
  });

  test('nobody listens', async () => {
    const screening = screenAt('http://127.0.0.1:1/screen');
    const screened = await screening.screen(PERSON, SANDBOX);
    expect(screened).toMatchObject({ failures: [{ code: 'IDENTITY_VALIDATOR_UNAVAILABLE' }] });
  });
});

describe('the environment of a create', () => {
  test.each([
    ['a sandbox create is never screened by the validator of live ones', SANDBOX, 'sandbox'],
    ['a live create is never screened by the test validator', LIVE, 'live'],
  ] as const)('%s', async (_title, call, environment) => {
    const called: string[] = [];
    const validator = (name: string) =>
      listen((request, response) => {
        called.push(`${name} ${request.headers['x-environment']}`);
        answering(200, '{"result":"clear"}')(request, response);
      });
    const urls = { live: await validator('live'), sandbox: await validator('sandbox') };
    await screenAt('', { urls }).screen(PERSON, call);
    expect(called).toEqual([`${environment} ${environment}`]);
    const onlyOther = { ...urls, [environment]: undefined };
    await screenAt('', { urls: onlyOther }).screen(PERSON, call);
    expect(called).toHaveLength(1);
  });

  test('the same person of the same create has the same Idempotency-Key, another one has another', async () => {
    const keys: unknown[] = [];
    const screening = await screenBy((request, response) => {
      keys.push(request.headers['idempotency-key']);
      answering(200, '{"result":"clear"}')(request, response);
    });
    const others: [typeof PERSON, ScreeningCall][] = [
      [{ ...PERSON, dob: '1990-02-01' }, LIVE],
      [PERSON, { ...LIVE, referenceId: 'AB12cd35' }],
      [PERSON, { ...LIVE, accountId: 'globex/sandbox' }],
      [PERSON, SANDBOX],
    ];
    for (const [person, call] of [[PERSON, LIVE], [PERSON, LIVE], ...others] as typeof others) {
      await screening.screen(person, call);
    }
    expect(keys[0]).toMatch(/^acme\/live:AB12cd34:[\w-]{43}:SCREENING$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(5);
  });
});

describe('screening without a validator', () => {
  const screening = createScreening({
    urls: { live: undefined, sandbox: undefined },
    blindIndex: createBlindIndex(Buffer.alloc(32, 7)),
  });
  const screen = (lastName: string, call = SANDBOX) =>
    screening.screen({ ...PERSON, name: { firstName: 'Ana', lastName } }, call);

  test.each([
    ['OFACHIT', 'OFAC_HIT'],
    ['VALIDATORDOWN', 'IDENTITY_VALIDATOR_UNAVAILABLE'],
  ])('%s is %s', async (lastName, code) => {
    expect(await screen(lastName)).toMatchObject({ ok: false, failures: [{ code }] });
  });

  test.each(['Ruiz', 'CIPFAIL', 'ofachit', 'constructor'])('%s is clear', async (lastName) => {
    expect(await screen(lastName)).toEqual({ ok: true, value: 'clear' });
  });

  test('a live key needs a validator', async () => {
    expect(await screen('Ruiz', LIVE)).toMatchObject({
      failures: [{ code: 'IDENTITY_VALIDATOR_NOT_CONFIGURED' }],
    });
  });
});
