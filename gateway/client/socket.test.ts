import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readCredential } from './credential.ts';
import { createSocketTransport } from './socket.ts';
import { createFakeSockets, FAKE_CLOCK, settle } from './testing/fake-sockets.ts';
import type { GraphQLResult } from './transport.ts';

const NEXT = { data: { n: 1 } };

beforeEach(() => void jest.useFakeTimers(FAKE_CLOCK));
afterEach(() => void jest.useRealTimers());

function start(credential = readCredential({ apiKey: 'k' })) {
  const sockets = createFakeSockets();
  const transport = createSocketTransport({
    url: 'wss://api.test/graphql',
    credential,
    WebSocket: sockets.WebSocket,
  });
  const open = (query = 'subscription { n }') => {
    const ending = new AbortController();
    const results: GraphQLResult[] = [];
    const reported: string[] = [];
    const sink = {
      live: () => void reported.push('live'),
      next: (result: GraphQLResult) => void results.push(result),
    };
    const end = transport.open({ query }, sink, ending.signal);
    void end.then(({ code }) => reported.push(code));
    return { end, results, reported, abort: () => ending.abort() };
  };
  return { sockets, open };
}

test('a subscription is sent when the server has accepted the client, and delivers its results', async () => {
  const { sockets, open } = start();
  const one = open();
  const socket = sockets.last();
  socket.open();
  await settle();
  expect([socket.url, socket.protocol]).toEqual(['wss://api.test/graphql', 'graphql-transport-ws']);
  expect(socket.sent).toEqual([{ type: 'connection_init', payload: { 'X-API-Key': 'k' } }]);
  expect(one.reported).toEqual([]);
  socket.say({ type: 'connection_ack' });
  expect(one.reported).toEqual(['live']);
  expect(socket.sent.slice(1)).toEqual([
    { id: '1', type: 'subscribe', payload: { query: 'subscription { n }' } },
  ]);
  socket.say({ type: 'ping' });
  expect(socket.sent.at(-1)).toEqual({ type: 'pong' });
  socket.say({ id: '1', type: 'next', payload: NEXT });
  socket.say({ id: '1', type: 'complete' });
  await settle();
  expect([one.results, one.reported, socket.closedBy()]).toEqual([
    [NEXT],
    ['live', 'CONNECTION_ENDED'],
    1000,
  ]);
});

test('subscriptions share a socket, which closes with the last of them; the next one opens another', async () => {
  const { sockets, open } = start();
  const [one, two] = [open(), open()];
  const socket = sockets.last();
  await socket.accept();
  const three = open();
  expect(three.reported).toEqual(['live']);
  socket.say({ id: '2', type: 'next', payload: NEXT });
  expect([one, two, three].map(({ results }) => results.length)).toEqual([0, 1, 0]);
  one.abort();
  expect(socket.sent.at(-1)).toEqual({ id: '1', type: 'complete' });
  socket.say({ id: '1', type: 'next', payload: NEXT });
  expect(one.results).toEqual([]);
  two.abort();
  expect(socket.closedBy()).toBeUndefined();
  three.abort();
  expect([socket.closedBy(), sockets.opened.length]).toEqual([1000, 1]);
  open();
  expect(sockets.opened.length).toBe(2);
});

test('a hundred subscriptions share a socket, the limit of the server', () => {
  const { sockets, open } = start();
  for (let count = 0; count < 101; count += 1) {
    open();
  }
  expect(sockets.opened.length).toBe(2);
});

test('a subscription that is ended while its socket opens closes it at once', async () => {
  const { sockets, open } = start();
  const one = open();
  one.abort();
  await one.end;
  expect(sockets.last().closedBy()).toBe(1000);
  sockets.last().open();
  await settle();
  expect(sockets.last().sent).toEqual([]);
});

test('a server that does not respond is noticed: from one ping to the next, and while a socket opens', async () => {
  const { sockets, open } = start();
  const one = open();
  const socket = sockets.last();
  await socket.accept();
  jest.advanceTimersByTime(12_000);
  expect(socket.sent.at(-1)).toEqual({ type: 'ping' });
  socket.say({ type: 'pong' });
  jest.advanceTimersByTime(12_000);
  expect(one.reported).toEqual(['live']);
  jest.advanceTimersByTime(12_000);
  await settle();
  expect([one.reported, socket.closedBy()]).toEqual([['live', 'UNRESPONSIVE'], 1000]);

  const other = open();
  sockets.last().open();
  jest.advanceTimersByTime(20_000);
  await settle();
  expect([other.reported, sockets.last().closedBy()]).toEqual([['UNRESPONSIVE'], 1000]);
});

test.each<[number, string, boolean]>([
  [1000, 'CONNECTION_LOST', false],
  [1012, 'CONNECTION_LOST', false],
  [1013, 'CONNECTION_LOST', false],
  [1006, 'CONNECTION_LOST', false],
  [1001, 'CONNECTION_LOST', false],
  [4500, 'CONNECTION_LOST', false],
  [4408, 'CONNECTION_LOST', false],
  [4400, 'PROTOCOL_ERROR', true],
  [4406, 'PROTOCOL_ERROR', true],
  [4409, 'PROTOCOL_ERROR', true],
  [4429, 'PROTOCOL_ERROR', true],
  [4401, 'UNAUTHENTICATED', true],
  [4403, 'UNAUTHENTICATED', true],
])('a close with %i is %s; final: %s', async (closeCode, code, isFinal) => {
  const { sockets, open } = start();
  const [one, two] = [open(), open()];
  await sockets.last().accept();
  sockets.last().close(closeCode, 'Reason');
  // The caller connects again, after the last event that it got: this layer never does.
  expect(sockets.opened.length).toBe(1);
  for (const { end } of [one, two]) {
    expect(await end).toMatchObject({
      code,
      isFinal,
      message: expect.stringContaining(`${closeCode} Reason`),
    });
  }
});

test('a rejected operation ends with its first error, and the others continue', async () => {
  const { sockets, open } = start();
  const [one, two] = [open(), open()];
  await sockets.last().accept();
  const errors = [{ message: 'Too old', extensions: { code: 'CURSOR_EXPIRED' } }];
  sockets.last().say({ id: '1', type: 'error', payload: errors });
  expect(await one.end).toMatchObject({ code: 'CURSOR_EXPIRED', isFinal: true, message: 'Too old', errors });
  expect(two.reported).toEqual(['live']);
});

test.each([
  ['no JSON', 'nonsense'],
  ['no message', '{"no":"type"}'],
  ['no result', { id: '1', type: 'next', payload: 7 }],
  ['a second welcome', { type: 'connection_ack' }],
  ['no errors', { id: '1', type: 'error', payload: 'wrong' }],
])('a server that sends what is %s speaks another protocol: that is final', async (_name, message) => {
  const { sockets, open } = start();
  const one = open();
  await sockets.last().accept();
  sockets.last().say(message);
  expect(await one.end).toMatchObject({ code: 'UNEXPECTED_ANSWER', isFinal: true });
  expect(sockets.last().closedBy()).toBe(1000);
});

test('a missing token ends the connection with its reason, and is requested again for the next one', async () => {
  const tokens = [async () => Promise.reject(new Error('away')), async () => 't2'];
  const { sockets, open } = start(readCredential({ browserToken: () => tokens.shift()?.() ?? 'none' }));
  const one = open();
  sockets.last().open();
  const error = await one.end;
  expect(error).toMatchObject({ code: 'NO_CREDENTIAL', isFinal: false });
  expect(error.cause).toEqual(new Error('away'));
  open();
  sockets.last().open();
  await settle();
  expect(sockets.last().sent).toEqual([{ type: 'connection_init', payload: { Authorization: 'Bearer t2' } }]);
});

test('a runtime that rejects the URL is a final error', async () => {
  class Refusing {
    constructor() {
      throw new Error('Mixed content');
    }
  }
  const transport = createSocketTransport({
    url: 'ws://api.test/graphql',
    credential: readCredential({ apiKey: 'k' }),
    WebSocket: Refusing as unknown as ReturnType<typeof createFakeSockets>['WebSocket'],
  });
  const sink = { live: () => undefined, next: () => undefined };
  const error = await transport.open({ query: '' }, sink, new AbortController().signal);
  expect([error.isFinal, error.cause]).toEqual([true, new Error('Mixed content')]);
});
