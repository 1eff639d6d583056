import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type RestOptions, restConfig } from './rest-config.ts';
import { RestError } from './rest-error.ts';

const URL_OF_CREATE = 'https://api.test/v1/request-money';
const BUSY = () => Response.json({ error: { code: 'SERVICE_UNAVAILABLE', message: 'm' } }, { status: 503 });
const DONE = () => Response.json({ referenceId: 'AB12cd34' });
const BROKEN = () => {
  throw new TypeError('fetch failed');
};

/** A client whose attempts get the answers in turn. */
function clientOf(answers: (() => Response)[], options: Partial<RestOptions> = {}) {
  const sent: { readonly headers: Headers; readonly init: RequestInit; readonly body: unknown }[] = [];
  const config = restConfig({
    url: 'https://api.test/',
    apiKey: 'raas_sandbox_k',
    random: () => 1,
    fetch: async (_url, init = {}) => {
      sent.push({ headers: new Headers(init.headers), init, body: init.body });
      return (answers.shift() ?? DONE)();
    },
    ...options,
  });
  return { config, sent, call: config.fetch };
}

const create = { method: 'POST', body: '{"amount":"10.10"}' };
const failureOf = async (work: Promise<unknown>): Promise<RestError> => {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof RestError) {
    return failure;
  }
  throw new Error(`Not a RestError: ${String(failure)}`);
};

const settle = () => new Promise((done) => setImmediate(done));
const STEP_MS = 50;

/** Runs a call on a clock that the test moves. @returns its result, and the sum of its waits: a multiple of {@link STEP_MS} */
async function onTestClock<T>(work: Promise<T>): Promise<{ result: T; waitedMs: number }> {
  const began = Date.now();
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  while (!isDone) {
    // Several, because a body is read in some.
    await settle();
    await settle();
    await settle();
    if (!isDone) {
      jest.advanceTimersByTime(STEP_MS);
    }
  }
  return { result: await done, waitedMs: Date.now() - began };
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a call', () => {
  test('sends the key, and amounts as numbers with the same digits', async () => {
    const { config, call, sent } = clientOf([]);
    await call(URL_OF_CREATE, create);
    expect(config.baseUrl).toBe('https://api.test');
    expect(sent[0]?.headers.get('x-api-key')).toBe('raas_sandbox_k');
    expect(sent[0]?.body).toBe('{"amount":10.10}');
    expect(sent[0]?.init.redirect).toBe('manual');
  });

  test('answers with amounts as texts', async () => {
    const text = '{"amount":1500.50,"page":2}';
    const { call } = clientOf([() => new Response(text, { headers: { 'content-length': '27' } })]);
    expect(await (await call('https://api.test/v1/request-money/a')).text()).toBe(
      '{"amount":"1500.50","page":2}',
    );
  });

  test('to another address is not made, because it would send the key there', async () => {
    const { call, sent } = clientOf([]);
    for (const url of ['https://other.test/v1/request-money', 'http://api.test/v1/request-money']) {
      await expect(call(url, create)).rejects.toThrow('The key is for https://api.test, not for');
    }
    expect(sent).toEqual([]);
  });

  test.each(['<html>', '', '{"referenceId":'])(
    'with the successful answer %j, which is not JSON, is an error',
    async (text) => {
      const { call, sent } = clientOf([() => new Response(text)]);
      expect(await failureOf(call(URL_OF_CREATE, create))).toMatchObject({
        code: 'UNEXPECTED_ANSWER',
        status: 200,
        body: text,
      });
      expect(sent).toHaveLength(1);
    },
  );

  test.each(['"date","amount"\r\n"2026-11-21","10.10"\r\n', ''])(
    'answers with the CSV file %j as it is',
    async (file) => {
      const headers = { 'content-type': 'text/csv; charset=utf-8' };
      const { call } = clientOf([() => new Response(file, { headers })]);
      const answer = await call('https://api.test/v1/statements/st_1.csv');
      expect([await answer.text(), answer.headers.get('content-type')]).toEqual([
        file,
        headers['content-type'],
      ]);
    },
  );

  test.each(['application/json', 'text/csv'])(
    'with an answer of %s of more than 16 MiB is an error',
    async (type) => {
      const answerOf = (bytes: number) => () =>
        new Response(`1${' '.repeat(bytes - 1)}`, { headers: { 'content-type': type } });
      const largest = 16 * 1024 * 1024;
      const { call, sent } = clientOf([answerOf(largest), answerOf(largest + 1)]);
      expect((await (await call('https://api.test/partner/me')).text()).length).toBe(largest);
      expect(await failureOf(call('https://api.test/partner/me'))).toMatchObject({
        code: 'UNEXPECTED_ANSWER',
        status: 200,
        body: '',
      });
      expect(sent).toHaveLength(2);
    },
  );

  test('keeps the key and the Idempotency-Key that the caller passes', async () => {
    const { call, sent } = clientOf([]);
    const headers = { 'X-API-Key': 'other', 'Idempotency-Key': 'mine' };
    await call(URL_OF_CREATE, { ...create, headers });
    expect([sent[0]?.headers.get('x-api-key'), sent[0]?.headers.get('idempotency-key')]).toEqual([
      'other',
      'mine',
    ]);
  });
});

describe('a configuration', () => {
  test.each(['http://api.test', 'http://127.api.test', 'api.test', 'ftp://127.0.0.1', ''])(
    'is not made for the address %j',
    (url) => {
      expect(() => restConfig({ url, apiKey: 'k' })).toThrow(TypeError);
    },
  );

  test.each([
    'https://api.test/below',
    'http://localhost:4000',
    'http://127.0.0.1:4000',
    'http://[::1]:4000',
  ])('is made for the address %s', (url) => {
    expect(restConfig({ url, apiKey: 'k' }).baseUrl).toBe(url);
  });

  test.each(['', 'secret\n', 'secret\r\nHost: x', 'secret\u2026'])(
    'is not made for the key %j, and the error does not contain the key',
    (apiKey) => {
      const make = () => restConfig({ url: 'https://api.test', apiKey });
      expect(make).toThrow('apiKey must be one line of ASCII characters');
      expect(make).not.toThrow('secret');
    },
  );
});

describe('a repetition', () => {
  test('of a create sends the same Idempotency-Key and body, after broken connections and 503', async () => {
    const { call, sent } = clientOf([BROKEN, BUSY, DONE]);
    const { result } = await onTestClock(call(URL_OF_CREATE, create));
    expect(result.status).toBe(200);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set(['{"amount":10.10}']));
  });

  test('of a create below a path has the same Idempotency-Key', async () => {
    const { call, sent } = clientOf([BUSY], { url: 'https://api.test/pay/', random: () => 0 });
    await onTestClock(call('https://api.test/pay/v1/request-money', create));
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect([keys.length, keys[0]]).toEqual([2, keys[1]]);
    expect(keys[0]).not.toBeNull();
  });

  test('of another create has another Idempotency-Key', async () => {
    const { call, sent } = clientOf([]);
    await call(URL_OF_CREATE, create);
    await call(URL_OF_CREATE, create);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
  });

  test('waits a random time up to a bound that doubles', async () => {
    const longest = clientOf([BUSY, BUSY, BUSY]);
    const { waitedMs } = await onTestClock(longest.call(URL_OF_CREATE, create));
    expect(waitedMs).toBe(500 + 1_000 + 2_000);
    const half = clientOf([BUSY, BUSY], { random: () => 0.5 });
    expect((await onTestClock(half.call(URL_OF_CREATE, create))).waitedMs).toBe(250 + 500);
  });

  test('waits for Retry-After at least, and is made of every call that was limited', async () => {
    const limited = () =>
      Response.json(
        { success: false, error: { code: 'RATE_LIMITED', message: 'm', details: null } },
        { status: 429, headers: { 'retry-after': '7' } },
      );
    const { call, sent } = clientOf([limited]);
    const { waitedMs } = await onTestClock(call('https://api.test/partner/links', { method: 'POST' }));
    expect([waitedMs, sent.length]).toEqual([7_500, 2]);
  });

  test('is not made if the server wants a wait that is too long', async () => {
    const limited = () => new Response('{}', { status: 429, headers: { 'retry-after': '61' } });
    const { call, sent } = clientOf([limited]);
    expect(await failureOf(call(URL_OF_CREATE, create))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 61_000,
    });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['POST', '/partner/links'],
    ['POST', '/v1/user/register-v2'],
    ['POST', '/v1/user/operations/request-money-full'],
    ['PUT', '/partner/data-requests/dr_1'],
  ])('is not made of %s %s after a broken connection: the server may have acted', async (method, path) => {
    const { call, sent } = clientOf([BROKEN]);
    const failure = await failureOf(call(`https://api.test${path}`, { method, body: '{}' }));
    expect([failure.code, failure.status, sent.length]).toEqual(['CONNECTION_LOST', undefined, 1]);
    expect(failure.cause).toBeInstanceOf(TypeError);
  });

  test.each([
    ['GET', '/partner/links'],
    ['POST', '/v1/user/operations/request-money-v2/usr_1'],
    ['POST', '/v1/request-money/AB12cd34/cancel'],
    ['POST', '/partner/users/usr_1/block'],
    ['POST', '/partner/pre-quote-lite'],
  ])('is made of %s %s', async (method, path) => {
    const { call, sent } = clientOf([BROKEN, DONE]);
    await onTestClock(call(`https://api.test${path}`, { method }));
    expect(sent).toHaveLength(2);
  });

  test('ends after the last attempt, with its error', async () => {
    const { call, sent } = clientOf([BUSY, BUSY, BUSY, BUSY, DONE]);
    const failure = failureOf(call(URL_OF_CREATE, create));
    expect((await onTestClock(failure)).result).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(sent).toHaveLength(4);
  });

  test('ends when the caller aborts', async () => {
    const controller = new AbortController();
    const { call, sent } = clientOf([BUSY, DONE]);
    const work = call(URL_OF_CREATE, { ...create, signal: controller.signal });
    const reason = work.catch((error: unknown) => error);
    await settle();
    jest.advanceTimersByTime(100);
    controller.abort(new Error('enough'));
    expect(await reason).toEqual(new Error('enough'));
    expect(sent).toHaveLength(1);
  });
});

test('an attempt that takes too long is a lost connection', async () => {
  jest.useRealTimers();
  const { call } = clientOf([], {
    attempts: 1,
    timeoutMs: 20,
    fetch: (_url, init) =>
      new Promise((_resolve, reject) => {
        const { signal } = init ?? {};
        const timer = setInterval(() => {
          if (signal?.aborted) {
            clearInterval(timer);
            reject(signal.reason);
          }
        }, 5);
      }),
  });
  expect((await failureOf(call(URL_OF_CREATE, create))).code).toBe('CONNECTION_LOST');
});
