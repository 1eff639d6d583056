import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLiveClient } from './client.ts';
import { LiveError } from './live-error.ts';
import type { LiveState } from './live-items.ts';
import type { LiveIterator } from './live-iterator.ts';
import { FAKE_CLOCK, settle } from './testing/fake-sockets.ts';
import {
  fail,
  names,
  numbers,
  pass,
  read,
  type Started,
  SUBSCRIPTION,
  say,
  start,
  waits,
} from './testing/started-client.ts';

beforeEach(() => void jest.useFakeTimers(FAKE_CLOCK));
afterEach(() => void jest.useRealTimers());

test.each([
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'GRAPHQL_VALIDATION_FAILED',
  'QUERY_NOT_IN_SAFELIST',
  'A_CODE_OF_TOMORROW',
])(
  '%s is final: the iterator fails after the earlier events, and no connection is opened again',
  async (code) => {
    const started = start();
    const { sockets, client, states, onState } = started;
    const { got, done } = read(client.follow({ query: SUBSCRIPTION, after: 'c0', onState }));
    await sockets.last().accept();
    say(started, 1);
    fail(started, code);
    await expect(done).rejects.toMatchObject({ code });
    await pass(60_000);
    expect([numbers(got), sockets.opened.length, names(states)]).toEqual([
      [1],
      1,
      ['connecting', 'live', 'ended'],
    ]);
  },
);

test("waits grow while connections fail, respect the server's reconnection time, and are short again after a good one", async () => {
  const started = start({ transport: 'sse' });
  const { http, client, states, onState } = started;
  read(client.follow({ query: SUBSCRIPTION, after: 'c0', onState }));
  for (const wait of [1_000, 2_000, 4_000]) {
    await settle();
    http.last().fail();
    await pass(wait - 1);
    const calls = http.calls.length;
    await pass(1);
    expect(http.calls.length).toBe(calls + 1);
  }
  http.last().answer(new Response('', { status: 503, headers: { 'retry-after': '20' } }));
  await pass(20_000);
  http.last().answer(new Response('', { status: 503, headers: { 'retry-after': '99999' } }));
  await pass(300_000);
  const stream = http.last().stream();
  await pass(10_000);
  stream.fail();
  await settle();
  expect(waits(states)).toEqual([1_000, 2_000, 4_000, 20_000, 300_000, 1_000]);
  client.close();
});

test('a token that ends is replaced: the function is called for each connection', async () => {
  let made = 0;
  const started = start({
    credential: {
      browserToken: () => {
        made += 1;
        return `t${made}`;
      },
    },
  });
  const { sockets, client } = started;
  const { got, done } = read(client.follow({ query: SUBSCRIPTION, after: 'c0' }));
  await sockets.last().accept();
  expect(sockets.last().sent[0]?.payload).toEqual({ Authorization: 'Bearer t1' });
  say(started, 1);
  sockets.last().close(4403);
  await pass(1_000);
  // About to end when it was issued.
  sockets.last().open();
  await settle();
  sockets.last().close(4403);
  await pass(2_000);
  await sockets.last().accept();
  expect(sockets.last().sent[0]?.payload).toEqual({ Authorization: 'Bearer t3' });
  say(started, 2);
  for (const wait of [4_000, 8_000]) {
    sockets.last().close(4403);
    await pass(wait);
    sockets.last().open();
    await settle();
  }
  sockets.last().close(4403);
  await expect(done).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(numbers(got)).toEqual([1, 2]);
});

test('a key that is rejected at the start is final at once; a key that ends later is final after one more attempt', async () => {
  const wrong = start();
  const first = read(wrong.client.follow({ query: SUBSCRIPTION, after: 'c0' }));
  wrong.sockets.last().open();
  wrong.sockets.last().close(4403);
  await expect(first.done).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });

  const revoked = start();
  const second = read(revoked.client.follow({ query: SUBSCRIPTION, after: 'c0' }));
  await revoked.sockets.last().accept();
  revoked.sockets.last().close(4403);
  await pass(1_000);
  revoked.sockets.last().open();
  revoked.sockets.last().close(4403);
  await expect(second.done).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(revoked.sockets.opened.length).toBe(2);
});

test('a function without a token is called again, unless its error is final', async () => {
  const answers = [new Error('away'), new LiveError('SIGNED_OUT', 'Sign in again')];
  const { sockets, client } = start({ credential: { browserToken: () => Promise.reject(answers.shift()) } });
  const { done } = read(client.follow({ query: SUBSCRIPTION, after: 'c0' }));
  sockets.last().open();
  await pass(1_000);
  sockets.last().open();
  await expect(done).rejects.toMatchObject({ code: 'SIGNED_OUT' });
  expect(sockets.opened.length).toBe(2);
});

test.each<[string, (started: Started, items: LiveIterator<unknown>, ending: AbortController) => unknown]>([
  ['return()', (_started, items) => items.return()],
  ['its signal', (_started, _items, ending) => ending.abort()],
  ['close()', ({ client }) => client.close()],
])('%s ends everything at once: the socket, the wait, and the reader that waits', async (_name, end) => {
  for (const phase of ['opening', 'live', 'waiting', 'listing']) {
    const started = start();
    const { sockets, http, client, states, onState } = started;
    const ending = new AbortController();
    const after = phase === 'listing' ? null : 'c0';
    const items = client.follow({ query: SUBSCRIPTION, after, signal: ending.signal, onState });
    const pending = items.next();
    if (phase === 'live' || phase === 'waiting') {
      await sockets.last().accept();
    }
    if (phase === 'waiting') {
      sockets.last().close(1012);
    }
    await settle();
    await end(started, items, ending);
    expect(await pending).toEqual({ value: undefined, done: true });
    await pass(60_000);
    expect(await items.next()).toEqual({ value: undefined, done: true });
    expect(states.at(-1)).toEqual({ name: 'ended' });
    expect([sockets.opened.length, http.calls.length]).toEqual(phase === 'listing' ? [0, 1] : [1, 0]);
    expect(phase === 'listing' ? http.last().isAborted() : sockets.last().closedBy() === 1000).toBe(true);
  }
});

test('waiting events are dropped when the subscription is ended', async () => {
  const started = start();
  const items = started.client.follow({ query: SUBSCRIPTION, after: 'c0' });
  const first = items.next();
  await started.sockets.last().accept();
  say(started, 1);
  say(started, 2);
  expect((await first).value?.cursor).toBe('c1');
  started.client.close();
  expect(await items.next()).toEqual({ value: undefined, done: true });
});

test('no connection is opened before the first read, and none if the subscription has ended by then', async () => {
  const { sockets, http, client } = start();
  const items = client.follow({ query: SUBSCRIPTION, after: 'c0' });
  client.follow({ query: SUBSCRIPTION });
  await pass(60_000);
  await items.return();
  expect(await items.next()).toEqual({ value: undefined, done: true });
  expect(await client.follow({ query: SUBSCRIPTION, signal: AbortSignal.abort() }).next()).toMatchObject({
    done: true,
  });
  expect([sockets.opened, http.calls]).toEqual([[], []]);
});

test('an error of onState ends the subscription and its connection', async () => {
  const { sockets, client } = start();
  const onState = ({ name }: LiveState) => {
    if (name === 'live') {
      throw new Error('The screen is gone');
    }
  };
  const { done } = read(client.follow({ query: SUBSCRIPTION, after: 'c0', onState }));
  await sockets.last().accept();
  await expect(done).rejects.toThrow('The screen is gone');
  expect(sockets.last().closedBy()).toBe(1000);
});

test('invalid options fail before a connection is opened, with the reason', () => {
  const { client } = start();
  expect(() => client.follow({ query: 'subscription { changed { cursor } }' })).toThrow('after: $after');
  expect(() => client.listThenFollow({ list: { query: '{ a }' }, follow: { query: SUBSCRIPTION } })).toThrow(
    'latestEventCursor',
  );
  const make = (options: object) => () =>
    createLiveClient({ url: 'https://api.test/graphql', credential: { apiKey: 'k' }, ...options });
  expect(make({ url: '/graphql' })).toThrow('whole URL');
  expect(make({ url: 'ftp://api.test/graphql' })).toThrow('whole URL');
  expect(make({ url: 'https://user:secret@api.test/graphql' })).toThrow('without a password');
  expect(make({ buffer: 0 })).toThrow('buffer');
  expect(make({ credential: { apiKey: '' } })).toThrow('apiKey');
  expect(make({ credential: {} })).toThrow('browserToken');
});
