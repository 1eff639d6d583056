import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { createHttpScreening, createSandboxScreening, type Screening } from './screening.ts';

const PERSON = { name: { firstName: 'Ana', lastName: 'Ruiz' }, dob: '1990-01-31', country: 'MX' };
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

/** On a busy machine a call must not run out of time, but for those that get no answer. */
async function screenBy(answer: RequestListener, timeoutMs = 30_000): Promise<Screening> {
  const screening = createHttpScreening({ url: await listen(answer), timeoutMs });
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
    expect(await screening.screen(PERSON, 'live')).toEqual({ ok: true, value: 'clear' });
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
    const timeoutMs = code === 'IDENTITY_VALIDATOR_TIMEOUT' ? 200 : undefined;
    const screened = await (await screenBy(answer, timeoutMs)).screen(PERSON, 'sandbox');
    expect(screened).toMatchObject({ ok: false, failures: [{ code }] });
  });

  test('one that does not answer 20 times in a row is left alone, and called again soon', async () => {
    let called = 0;
    let answer = answering(503, '');
    const url = await listen((request, response) => {
      called += 1;
      answer(request, response);
    });
    const screening = createHttpScreening({ url, leaveAloneMs: 100 });
    closing.push(() => screening.close());
    const codes = async () => {
      const screened = await screening.screen(PERSON, 'live');
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
      await screening.screen(PERSON, 'live');
    }
    expect(called).toBe(30);
  });

  test('nobody listens', async () => {
    const screening = createHttpScreening({ url: 'http://127.0.0.1:1/screen' });
    closing.push(() => screening.close());
    const screened = await screening.screen(PERSON, 'sandbox');
    expect(screened).toMatchObject({ failures: [{ code: 'IDENTITY_VALIDATOR_UNAVAILABLE' }] });
  });
});

describe('screening without a validator', () => {
  const screening = createSandboxScreening();
  const screen = (lastName: string, environment: 'sandbox' | 'live' = 'sandbox') =>
    screening.screen({ ...PERSON, name: { firstName: 'Ana', lastName } }, environment);

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
    expect(await screen('Ruiz', 'live')).toMatchObject({
      failures: [{ code: 'IDENTITY_VALIDATOR_NOT_CONFIGURED' }],
    });
  });
});
