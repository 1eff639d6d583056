import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { holdTimers } from '../../test/support/held-time.ts';
import { createTestCertificate, type TestCertificate } from '../../test/support/test-certificate.ts';
import { until } from '../../test/support/until.ts';
import { createAddressGuard } from './address-guard.ts';
import { ANSWER_BYTES, createSender } from './sender.ts';
import { type Receiver, startReceiver } from './testing.ts';

/** More than any attempt takes on a busy machine. */
const TIMEOUT_MS = 30_000;
/** undici reports here that a part of the body of an answer has arrived. */
const BODY_CHANNEL = 'undici:request:bodyChunkReceived';

/** Headers that break the rules of HTTP, or are too long. */
const BAD_HEADERS = {
  'a folded line': 'X-A: b\r\n c',
  'a space before the colon': 'X-A : b',
  'a control character': 'X-A: b\u0001',
  'two lengths': 'Content-Length: 0\r\nContent-Length: 0',
  'a negative length': 'Content-Length: -1',
  'a length that is no number': 'Content-Length: abc',
  'a length and chunks': 'Content-Length: 5\r\nTransfer-Encoding: chunked',
  '300 KB': `X-A: ${'b'.repeat(300_000)}`,
};

const badHeaderPath = (fault: string, status: number) => `/${encodeURIComponent(fault)}/${status}`;
const badHeaderRoutes = Object.entries(BAD_HEADERS).flatMap(([fault, header]) =>
  [200, 503].map((status): [string, RequestListener] => [
    badHeaderPath(fault, status),
    (_request, response) => response.socket?.end(`HTTP/1.1 ${status} Any\r\n${header}\r\n\r\n`),
  ]),
);

describe('An attempt is judged by the status line and the headers of its answer', () => {
  let certificate: TestCertificate;
  let receiver: Receiver;

  const post = async (path: string) => {
    const guard = createAddressGuard(['127.0.0.0/8']);
    const sender = createSender({ guard, timeoutMs: TIMEOUT_MS, ca: [certificate.cert] });
    const request = { url: receiver.url(path), headers: {}, body: Buffer.from('{}') };
    const outcome = await sender.send(request, new AbortController().signal);
    await sender.close();
    return outcome;
  };

  beforeAll(async () => {
    certificate = await createTestCertificate();
    receiver = await startReceiver(certificate, {
      '/endless-drip': (_request, response) => {
        response.writeHead(200).write('drip');
        const timer = setInterval(() => response.write('.'), 500);
        response.on('close', () => clearInterval(timer));
      },
      '/cut': (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half', () => response.socket?.destroy());
      },
      '/closed-early': (_request, response) => {
        response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n');
      },
      '/bad-chunk': (_request, response) => {
        response.socket?.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n');
      },
      '/large-headers': (_request, response) =>
        response.writeHead(200, { 'x-large': 'x'.repeat(200_000) }).end(),
      '/500-cut': (_request, response) => {
        response.writeHead(500, ['content-length', '100', 'retry-after', '7', 'retry-after', '7']);
        response.write('half', () => response.socket?.destroy());
      },
      '/two-waits': (_request, response) =>
        response.writeHead(503, ['retry-after', '7', 'retry-after', '8']).end(),
      '/interim': (_request, response) => {
        response.writeContinue();
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        response.end('ok');
      },
      ...Object.fromEntries(badHeaderRoutes),
      '/large': (_request, response) => response.end(Buffer.alloc(ANSWER_BYTES * 10, 'x')),
      '/endless': (_request, response) => {
        const timer = setInterval(() => response.write(Buffer.alloc(4096, 'x')), 1);
        response.on('close', () => clearInterval(timer));
      },
    });
  });
  afterEach(() => void jest.useRealTimers());
  afterAll(async () => {
    await receiver.close();
    certificate.remove();
  });

  test('a 2xx whose body drips past the time limit is a delivery', async () => {
    let hasDripped = false;
    const note = () => {
      hasDripped = true;
    };
    subscribe(BODY_CHANNEL, note);
    holdTimers();
    const attempt = post('/endless-drip');
    while (!hasDripped) {
      await nextTurn();
    }
    unsubscribe(BODY_CHANNEL, note);
    jest.advanceTimersByTime(TIMEOUT_MS);
    const outcome = await attempt;
    expect(outcome).toMatchObject({ kind: 'delivered', statusCode: 200 });
    expect(outcome.kind === 'aborted' ? '' : outcome.answer.toString()).toMatch(/^drip\.*$/);
  });

  test.each([
    ['breaks off', '/cut', /^half$/],
    ['is missing', '/closed-early', /^$/],
    ['has an invalid chunk', '/bad-chunk', /^$/],
  ])('a 2xx whose body %s is a delivery', async (_what, path, answer) => {
    const outcome = await post(path);
    expect(outcome).toMatchObject({ kind: 'delivered', statusCode: 200 });
    expect(outcome.kind === 'aborted' ? '' : outcome.answer.toString()).toMatch(answer);
  });

  test('a 2xx with 200 KB of headers is a delivery', async () => {
    expect(await post('/large-headers')).toMatchObject({ kind: 'delivered', statusCode: 200 });
  });

  test('interim answers before a 2xx change nothing, on a reused connection either', async () => {
    const guard = createAddressGuard(['127.0.0.0/8']);
    const sender = createSender({ guard, timeoutMs: TIMEOUT_MS, ca: [certificate.cert] });
    const request = { url: receiver.url('/interim'), headers: {}, body: Buffer.from('{}') };
    await until('an answer on a reused connection', async () => {
      const outcome = await sender.send(request, new AbortController().signal);
      expect(outcome).toMatchObject({ kind: 'delivered', statusCode: 200, answer: Buffer.from('ok') });
      return outcome.kind === 'delivered' && outcome.timing?.reused === true;
    });
    await sender.close();
  });

  test.each(Object.keys(BAD_HEADERS))('%s in the headers changes nothing of the status', async (fault) => {
    const delivered = await post(badHeaderPath(fault, 200));
    expect(delivered).toMatchObject({ kind: 'delivered', statusCode: 200 });
    const failed = await post(badHeaderPath(fault, 503));
    expect(failed).toMatchObject({ errorClass: 'http_status', statusCode: 503 });
  });

  test('another status stays that status when its body breaks off', async () => {
    const outcome = await post('/500-cut');
    expect(outcome).toMatchObject({ errorClass: 'http_status', statusCode: 500, retryAfter: '7' });
  });

  test('a Retry-After that is sent with two values is not read', async () => {
    expect(await post('/two-waits')).not.toHaveProperty('retryAfter');
  });

  test.each(['/large', '/endless'])('only the first 16 KB of %s are read', async (path) => {
    const outcome = await post(path);
    expect(outcome).toMatchObject({ kind: 'delivered', statusCode: 200 });
    expect(outcome.kind === 'aborted' ? [] : outcome.answer).toHaveLength(ANSWER_BYTES);
  });
});
