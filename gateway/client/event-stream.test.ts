import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readCredential } from './credential.ts';
import { createEventStreamTransport } from './event-stream.ts';
import { createFakeHttp } from './testing/fake-http.ts';
import { FAKE_CLOCK, settle } from './testing/fake-sockets.ts';
import type { GraphQLResult } from './transport.ts';

beforeEach(() => void jest.useFakeTimers(FAKE_CLOCK));
afterEach(() => void jest.useRealTimers());

function start(credential = readCredential({ apiKey: 'k' })) {
  const http = createFakeHttp();
  const transport = createEventStreamTransport({
    url: 'https://api.test/graphql',
    credential,
    fetch: http.fetch,
  });
  const ending = new AbortController();
  const results: GraphQLResult[] = [];
  const reported: string[] = [];
  const sink = {
    live: () => void reported.push('live'),
    next: (result: GraphQLResult) => void results.push(result),
  };
  const request = { query: 'subscription { n }', variables: { after: 'c1' } };
  const end = transport.open(request, sink, ending.signal);
  void end.then(({ code }) => reported.push(code));
  return { http, end, results, reported, abort: () => ending.abort() };
}

test('a subscription is posted with the key, and delivers the results of its stream', async () => {
  const { http, end, results, reported } = start();
  await settle();
  const call = http.last();
  expect([call.init.method, call.init.redirect, call.body]).toEqual([
    'POST',
    'manual',
    { query: 'subscription { n }', variables: { after: 'c1' } },
  ]);
  expect(Object.fromEntries(call.headers)).toEqual({
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'x-api-key': 'k',
  });
  const stream = call.stream();
  await settle();
  expect(reported).toEqual(['live']);
  stream.write(':\n\nid: c2\nevent: next\nda');
  stream.write('ta: {"data":{"n":1}}\n\nevent: next\ndata: {"data":{"n":2}}\n\n');
  await settle();
  expect(results).toEqual([{ data: { n: 1 } }, { data: { n: 2 } }]);
  stream.write('event: complete\ndata:\n\n');
  expect(await end).toMatchObject({ code: 'CONNECTION_ENDED', isFinal: false });
  expect(stream.isCancelled()).toBe(true);
});

test.each(['\n', '\r\n', '\r'])(
  'results are the same for each cut of a stream whose lines end with %j',
  async (lineEnd) => {
    const lines = ['id: c2', 'event: next', 'data: {"data":', 'data: {"n":"ä: b"}}', '', ': ping', '', ''];
    const text = ['event: next', '', 'data: 1', '', ...lines].join(lineEnd);
    for (let cut = 1; cut < text.length; cut += 1) {
      const { http, results, abort } = start();
      await settle();
      const stream = http.last().stream();
      stream.write(text.slice(0, cut));
      stream.write(text.slice(cut));
      await settle();
      expect(results).toEqual([{ data: { n: 'ä: b' } }]);
      abort();
    }
  },
);

test('results after the end of a subscription are ignored', async () => {
  const { http, end, results } = start();
  await settle();
  http.last().stream().write('event: complete\ndata:\n\nevent: next\ndata: {"data":{"n":1}}\n\n');
  expect(await end).toMatchObject({ code: 'CONNECTION_ENDED' });
  expect(results).toEqual([]);
});

test("a broken stream is temporary, with the server's reconnection time", async () => {
  for (const how of ['end', 'fail'] as const) {
    const { http, end } = start();
    await settle();
    const stream = http.last().stream();
    stream.write('retry: 2500\n\nretry: soon\n\n');
    await settle();
    stream[how]();
    expect(await end).toMatchObject({ code: 'CONNECTION_LOST', isFinal: false, retryAfterMs: 2_500 });
  }
});

test('a server that does not respond is noticed: no response, and no ping for 30 s', async () => {
  const silent = start();
  await settle();
  jest.advanceTimersByTime(20_000);
  expect(await silent.end).toMatchObject({ code: 'UNRESPONSIVE', isFinal: false });

  const { http, end, reported } = start();
  await settle();
  const stream = http.last().stream();
  for (let ping = 0; ping < 5; ping += 1) {
    await settle();
    jest.advanceTimersByTime(29_000);
    stream.write(':\n\n');
  }
  await settle();
  expect(reported).toEqual(['live']);
  jest.advanceTimersByTime(30_000);
  expect(await end).toMatchObject({ code: 'UNRESPONSIVE' });
  expect(http.last().isAborted()).toBe(true);
});

const failure = (status: number, code?: string, headers?: Readonly<Record<string, string>>) =>
  new Response(code && JSON.stringify({ errors: [{ message: 'No', extensions: { code } }] }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

test.each<[string, Response, string, boolean, number | undefined]>([
  ['an unknown key', failure(401, 'UNAUTHENTICATED'), 'UNAUTHENTICATED', true, undefined],
  [
    'a document that is not valid',
    failure(400, 'GRAPHQL_VALIDATION_FAILED'),
    'GRAPHQL_VALIDATION_FAILED',
    true,
    undefined,
  ],
  ['another path', new Response('<html>', { status: 404 }), 'UNEXPECTED_ANSWER', true, undefined],
  [
    'a redirection',
    new Response(null, { status: 302, headers: { location: 'https://evil.test' } }),
    'UNEXPECTED_ANSWER',
    true,
    undefined,
  ],
  [
    'a page',
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'UNEXPECTED_ANSWER',
    true,
    undefined,
  ],
  ['too many calls', failure(429, 'RATE_LIMITED', { 'retry-after': '7' }), 'RATE_LIMITED', false, 7_000],
  [
    'too many calls, by a proxy',
    new Response('slow down', { status: 429 }),
    'RATE_LIMITED',
    false,
    undefined,
  ],
  [
    'an outage',
    failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '5' }),
    'SERVICE_UNAVAILABLE',
    false,
    5_000,
  ],
  ['an outage, by a proxy', new Response('<html>', { status: 502 }), 'SERVICE_UNAVAILABLE', false, undefined],
  [
    'a time of long ago',
    failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': 'Fri, 01 Jan 2021 00:00:00 GMT' }),
    'SERVICE_UNAVAILABLE',
    false,
    0,
  ],
  [
    'an error',
    failure(500, 'INTERNAL_SERVER_ERROR', { 'retry-after': 'soon' }),
    'INTERNAL_SERVER_ERROR',
    false,
    undefined,
  ],
])('an answer that is no stream: %s', async (_name, response, code, isFinal, retryAfterMs) => {
  const { http, end, reported } = start();
  await settle();
  http.last().answer(response);
  const error = await end;
  expect([error.code, error.isFinal, error.retryAfterMs]).toEqual([code, isFinal, retryAfterMs]);
  // An unread body, such as a page, is cancelled.
  expect(http.last().isAborted()).toBe(true);
  expect(reported).not.toContain('live');
});

test('a lost connection is temporary; an unreadable result is not', async () => {
  const away = start();
  await settle();
  away.http.last().fail();
  expect(await away.end).toMatchObject({ code: 'CONNECTION_LOST', isFinal: false });

  const other = start();
  await settle();
  other.http.last().stream().write('event: next\ndata: nonsense\n\n');
  expect(await other.end).toMatchObject({ code: 'UNEXPECTED_ANSWER', isFinal: true });
});

test('an ended subscription aborts its call in every state', async () => {
  const opening = start();
  await settle();
  opening.abort();
  await opening.end;
  expect(opening.http.last().isAborted()).toBe(true);

  const live = start();
  await settle();
  live.http.last().stream();
  await settle();
  live.abort();
  await live.end;
  expect(live.http.last().isAborted()).toBe(true);

  const withoutToken = start(readCredential({ browserToken: () => new Promise(() => undefined) }));
  await settle();
  withoutToken.abort();
  await withoutToken.end;
  expect(withoutToken.http.calls).toEqual([]);
});
