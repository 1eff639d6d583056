import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LATEST_CURSOR } from './client.ts';
import { FAKE_CLOCK, settle } from './testing/fake-sockets.ts';
import {
  type Changed,
  fail,
  LIST,
  names,
  numbers,
  pass,
  read,
  SUBSCRIPTION,
  say,
  start,
  waits,
} from './testing/started-client.ts';

beforeEach(() => void jest.useFakeTimers(FAKE_CLOCK));
afterEach(() => void jest.useRealTimers());

test('events come over several connections, each after the last event', async () => {
  const started = start();
  const { sockets, client, states, onState } = started;
  const { got, done } = read(
    client.follow<Changed>({ query: SUBSCRIPTION, after: 'c0', variables: { x: 1 }, onState }),
  );
  await sockets.last().accept();
  expect(sockets.last().subscription().variables).toEqual({ x: 1, after: 'c0' });
  say(started, 1);
  say(started, 2, { errors: [{ message: 'No entity' }] });
  sockets.last().close(1012);
  say(started, 3);
  await pass(1_000);
  await sockets.last().accept();
  expect(sockets.last().subscription().variables).toEqual({ x: 1, after: 'c2' });
  say(started, 3);
  await settle();
  client.close();
  await done;
  await settle();
  expect(got).toEqual([
    { kind: 'event', cursor: 'c1', data: { changed: { cursor: 'c1', n: 1 } }, errors: [] },
    {
      kind: 'event',
      cursor: 'c2',
      data: { changed: { cursor: 'c2', n: 2 } },
      errors: [{ message: 'No entity' }],
    },
    { kind: 'event', cursor: 'c3', data: { changed: { cursor: 'c3', n: 3 } }, errors: [] },
  ]);
  expect(names(states)).toEqual(['connecting', 'live', 'resuming', 'live', 'ended']);
  expect([sockets.last().closedBy(), states.at(-1)]).toEqual([1000, { name: 'ended' }]);
});

test('without a cursor it starts at the end of the log, which it reads before it connects', async () => {
  const started = start();
  const { http, sockets, client } = started;
  read(client.follow({ query: SUBSCRIPTION }));
  await settle();
  expect([http.last().body, sockets.opened.length]).toEqual([{ query: LATEST_CURSOR }, 0]);
  http.last().json({ data: { latestEventCursor: 'c7' } });
  await settle();
  await sockets.last().accept();
  expect(sockets.last().subscription().variables).toEqual({ after: 'c7' });
  sockets.last().close(1006);
  await pass(1_000);
  await sockets.last().accept();
  expect([sockets.last().subscription().variables, http.calls.length]).toEqual([{ after: 'c7' }, 1]);
  client.close();
});

test('a list comes first, then every event after it', async () => {
  const started = start();
  const { http, sockets, client } = started;
  const list = { query: LIST, variables: { first: 5 } };
  const { got } = read(client.listThenFollow({ list, follow: { query: SUBSCRIPTION } }));
  await settle();
  expect(http.last().body).toEqual(list);
  http.last().json({ data: { latestEventCursor: 'c4', things: [] } });
  await settle();
  await sockets.last().accept();
  expect(sockets.last().subscription().variables).toEqual({ after: 'c4' });
  say(started, 5);
  await settle();
  expect(got[0]).toEqual({
    kind: 'list',
    because: 'START',
    cursor: 'c4',
    data: { latestEventCursor: 'c4', things: [] },
  });
  expect(numbers(got)).toEqual(['list', 5]);
  client.close();
});

test.each(['CURSOR_EXPIRED', 'INVALID_CURSOR'])(
  '%s: a list is read again; without a list it is an error',
  async (code) => {
    const started = start();
    const { http, sockets, client } = started;
    const listed = read(client.listThenFollow({ list: { query: LIST }, follow: { query: SUBSCRIPTION } }));
    await settle();
    http.last().json({ data: { latestEventCursor: 'c4' } });
    await settle();
    await sockets.last().accept();
    say(started, 5);
    fail(started, code);
    await pass(1_000);
    http.last().json({ data: { latestEventCursor: 'c90' } });
    await settle();
    await sockets.last().accept();
    expect(sockets.last().subscription().variables).toEqual({ after: 'c90' });
    say(started, 91);
    await settle();
    expect(numbers(listed.got)).toEqual(['list', 5, 'list', 91]);
    expect(listed.got[2]).toMatchObject({ because: code, cursor: 'c90' });
    client.close();

    const other = start();
    const { done } = read(other.client.follow({ query: SUBSCRIPTION, after: 'c0' }));
    await other.sockets.last().accept();
    fail(other, code);
    await expect(done).rejects.toMatchObject({ code, isFinal: true });
  },
);

test('a list that fails in part is read again', async () => {
  const { http, sockets, client } = start();
  const { got } = read(client.listThenFollow({ list: { query: LIST }, follow: { query: SUBSCRIPTION } }));
  await settle();
  const errors = [{ message: 'Away', extensions: { code: 'SUBGRAPH_UNREACHABLE' } }];
  http.last().json({ data: { latestEventCursor: 'c4', things: null }, errors });
  await pass(1_000);
  http.last().json({ data: { latestEventCursor: 'c5', things: [] } });
  await settle();
  expect([numbers(got), sockets.opened.length, http.calls.length]).toEqual([['list'], 1, 2]);
  client.close();
});

test('a client that gets SLOW_CONSUMER reconnects soon each time, if it makes progress', async () => {
  const started = start();
  const { sockets, client, states, onState } = started;
  read(client.follow({ query: SUBSCRIPTION, after: 'c0', onState }));
  for (const n of [1, 2, 3]) {
    await sockets.last().accept();
    say(started, n);
    fail(started, 'SLOW_CONSUMER');
    await pass(1_000);
  }
  for (const wait of [2_000, 4_000]) {
    await sockets.last().accept();
    fail(started, 'SLOW_CONSUMER');
    await pass(wait);
  }
  expect(waits(states)).toEqual([1_000, 1_000, 1_000, 2_000, 4_000]);
  client.close();
});

test('a slow reader has at most a full buffer waiting; the rest is read again after it', async () => {
  const started = start({ buffer: 4 });
  const { sockets, client, states, onState } = started;
  const items = client.follow({ query: SUBSCRIPTION, after: 'c0', onState });
  const first = items.next();
  await sockets.last().accept();
  for (let n = 1; n <= 9; n += 1) {
    say(started, n);
  }
  await pass(60_000);
  expect([sockets.last().closedBy(), sockets.opened.length]).toEqual([1000, 1]);
  const read2 = [await first, await items.next(), await items.next()];
  await settle();
  await sockets.last().accept();
  expect([sockets.opened.length, sockets.last().subscription().variables]).toEqual([2, { after: 'c5' }]);
  for (let n = 6; n <= 7; n += 1) {
    say(started, n);
  }
  const rest = [await items.next(), await items.next(), await items.next(), await items.next()];
  expect(numbers([...read2, ...rest].map(({ value }) => value as { kind: string; data: unknown }))).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
  expect(states).toContainEqual({
    name: 'resuming',
    inMs: 0,
    because: expect.objectContaining({ code: 'SLOW_READER' }),
  });
  client.close();
});

test('a result without its event, or an event without its cursor, is not skipped', async () => {
  const started = start();
  const { sockets, client } = started;
  const { got, done } = read(client.follow({ query: SUBSCRIPTION, after: 'c0' }));
  await sockets.last().accept();
  const next = (payload: object) =>
    sockets.last().say({ id: sockets.last().subscription().id, type: 'next', payload });
  next({ data: null, errors: [{ message: 'Away', extensions: { code: 'SUBGRAPH_TIMEOUT' } }] });
  say(started, 2);
  await pass(1_000);
  await sockets.last().accept();
  expect(sockets.last().subscription().variables).toEqual({ after: 'c0' });
  say(started, 1);
  next({ data: { changed: { n: 2 } } });
  await expect(done).rejects.toMatchObject({ code: 'BAD_DOCUMENT' });
  expect(numbers(got)).toEqual([1]);
});

test('results after a result without its event, in the same piece of a stream, wait for the next connection', async () => {
  const { http, client } = start({ transport: 'sse' });
  const { got } = read(client.follow({ query: SUBSCRIPTION, after: 'c0' }));
  await settle();
  const text = (n: number) => `event: next\ndata: {"data":{"changed":{"cursor":"c${n}","n":${n}}}}\n\n`;
  const away = '{"data":null,"errors":[{"message":"Away","extensions":{"code":"SUBGRAPH_TIMEOUT"}}]}';
  http
    .last()
    .stream()
    .write(`${text(1)}event: next\ndata: ${away}\n\n${text(3)}`);
  await pass(1_000);
  expect([numbers(got), http.last().body.variables]).toEqual([[1], { after: 'c1' }]);
  client.close();
});

test('its only own document is trusted by the server', () => {
  expect(LATEST_CURSOR).toBe(readFileSync('schema/operations/latestEventCursor.graphql', 'utf8'));
});
