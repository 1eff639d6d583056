import { request as httpRequest, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { paceOf } from '../runner/pace.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { takeTime } from '../support/ticks.ts';
import { until } from '../support/until.ts';

const FOLLOW = 'subscription { requestMoneyStatusChanged { cursor status } }';
/** Most of a key, and of a socket (decisions, section 7). */
const [OF_A_KEY, OF_A_SOCKET] = [1_000, 100];

/** More than a test below needs of one key. */
const SOCKETS = 20;

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let url: string;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { SOCKETS_PER_KEY: String(SOCKETS) } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
});

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** A socket that sends the given bytes, and keeps what it gets. */
async function openSocket(key?: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const received: Message[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as Message));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  scene.atEnd(async () => socket.terminate());
  const send = (message: object) => socket.send(JSON.stringify(message));
  if (key !== undefined) {
    send({ type: 'connection_init', payload: { 'X-API-Key': key } });
    await until('the acknowledgement', () => received.length > 0);
    received.length = 0;
  }
  return {
    received,
    closed,
    send,
    subscribe: (id: string, payload: object) => send({ type: 'subscribe', id, payload }),
    about: (id: string) => received.filter((message) => message.id === id),
    close: () => socket.close(),
    isClosed: () => socket.readyState >= WebSocket.CLOSING,
  };
}

/** An event stream, as far as it has come. */
async function openStream(key: string, query: string) {
  const path = `/graphql?query=${encodeURIComponent(query)}`;
  const headers = { accept: 'text/event-stream', 'x-api-key': key };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(`${url}${path}`, { headers, agent: false }, resolve).on('error', reject).end();
  });
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  scene.atEnd(async () => void response.destroy());
  await until('the beginning', () => text !== '');
  return { text: () => text, ended, close: () => response.destroy(), response };
}

async function makeKey(accountId: AccountId = 'acme/sandbox'): Promise<{ key: string; keyId: string }> {
  const made = await target.subgraphs.apiKeys.create({
    accountId,
    scopes: ['partner'],
    label: 'stream',
  });
  return { key: made.key, keyId: made.apiKey.keyId };
}

const metric = async (name: string) => {
  const { text } = await exchange({ method: 'GET', path: '/metrics' });
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
};
const openSubscriptions = () => metric('graphql_subscriptions_active');

describe('Operations that cannot be run', () => {
  test.each<[string, object, string]>([
    ['a document that is no GraphQL', { query: 'subscription {' }, 'GRAPHQL_PARSE_FAILED'],
    [
      'a field that is not there',
      { query: 'subscription { nothing { cursor } }' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a query with one', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['a mutation with one', { query: 'mutation { nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a variable that is missing',
      { query: 'query ($id: ID!) { operation(id: $id) { id } }' },
      'BAD_USER_INPUT',
    ],
    [
      'a variable of a subscription that is missing',
      { query: 'subscription ($id: ID!) { operationStatusChanged(operationId: $id) { cursor } }' },
      'BAD_USER_INPUT',
    ],
    [
      'a document that is not known',
      { query: '', extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
      'PERSISTED_QUERY_NOT_FOUND',
    ],
    [
      'two operations without a name',
      { query: 'query A { __typename } query B { __typename }' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
  ])('is one error message: %s', async (_name, payload, code) => {
    const socket = await openSocket(KEYS.acme);
    socket.subscribe('one', payload);
    socket.subscribe('two', { query: '{ __typename }' });
    await until('the other', () => socket.about('two').length === 2);
    await until('the error', () => socket.about('one').length > 0);
    expect(socket.about('one')).toMatchObject([
      { type: 'error', payload: [{ message: expect.any(String), extensions: { code } }] },
    ]);
    socket.close();
  });

  test('answers an operation that fails while it runs by a message with a payload', async () => {
    const socket = await openSocket(KEYS.acmeBare);
    socket.subscribe('one', { query: '{ users { totalCount } }' });
    await until('both', () => socket.about('one').length > 0);
    expect(socket.about('one')[0]).toMatchObject({ payload: expect.anything() });
    socket.close();
  });
});

describe('Sockets', () => {
  test('are so many of a key and of a partner at most; one that closes makes room', async () => {
    // A partner without sockets of other tests.
    const make = () => makeKey('globex/sandbox');
    const [one, two, three] = [await make(), await make(), await make()];
    const isTooMany = async (key: string) => {
      const socket = await openSocket();
      socket.send({ type: 'connection_init', payload: { 'X-API-Key': key } });
      return (await socket.closed) === 1013;
    };
    const openAll = (key: string) => Promise.all(Array.from({ length: SOCKETS }, () => openSocket(key)));
    const ofOne = await openAll(one.key);
    expect(await isTooMany(one.key)).toBe(true);
    const ofTwo = await openAll(two.key);
    expect(await isTooMany(three.key)).toBe(true);
    const ofOther = await openSocket(KEYS.acme);
    ofOne[0]?.close();
    await ofOne[0]?.closed;
    await until('there is room', async () => {
      const socket = await openSocket();
      socket.send({ type: 'connection_init', payload: { 'X-API-Key': three.key } });
      await until('an answer', () => socket.received.length > 0 || socket.isClosed());
      const isLetIn = !socket.isClosed();
      socket.close();
      return isLetIn;
    });
    for (const socket of [...ofOne, ...ofTwo, ofOther]) {
      socket.close();
    }
  });
});

describe('Subscriptions', () => {
  test(`are ${OF_A_SOCKET} on a socket at most; one that ends makes room`, async () => {
    const { key } = await makeKey();
    const socket = await openSocket(key);
    for (let id = 0; id < OF_A_SOCKET; id += 1) {
      socket.subscribe(`s${id}`, { query: FOLLOW });
    }
    await until('all', async () => (await openSubscriptions()) === OF_A_SOCKET);
    socket.subscribe('more', { query: FOLLOW });
    await until('the error', () => socket.about('more').length > 0);
    expect(socket.received).toMatchObject([
      { id: 'more', type: 'error', payload: [{ extensions: { code: 'SUBSCRIPTION_LIMIT_EXCEEDED' } }] },
    ]);
    socket.subscribe('query', { query: '{ __typename }' });
    await until('a query', () => socket.about('query').length === 2);

    socket.send({ type: 'complete', id: 's0' });
    await until('one less', async () => (await openSubscriptions()) === OF_A_SOCKET - 1);
    socket.subscribe('again', { query: FOLLOW });
    await until('it', async () => (await openSubscriptions()) === OF_A_SOCKET);
    expect(socket.about('again')).toEqual([]);
    socket.close();
    await until('none', async () => (await openSubscriptions()) === 0);
  });

  test(`are ${OF_A_KEY} of a key at most, over event streams too; other keys have theirs`, async () => {
    const { key } = await makeKey();
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(key)));
    for (const socket of sockets) {
      for (let id = 0; id < OF_A_KEY / 10; id += 1) {
        socket.subscribe(`s${id}`, { query: FOLLOW });
      }
    }
    await until('all', async () => (await openSubscriptions()) === OF_A_KEY);
    const one = await openSocket(key);
    one.subscribe('more', { query: FOLLOW });
    await until('the error', () => one.received.length > 0);
    expect(one.received).toMatchObject([
      { id: 'more', type: 'error', payload: [{ extensions: { code: 'SUBSCRIPTION_LIMIT_EXCEEDED' } }] },
    ]);
    const stream = await openStream(key, FOLLOW);
    await stream.ended;
    expect(stream.text()).toContain('"code":"SUBSCRIPTION_LIMIT_EXCEEDED"');

    const other = await openStream((await makeKey()).key, FOLLOW);
    await until('another key', async () => (await openSubscriptions()) === OF_A_KEY + 1);
    other.close();
    for (const socket of [...sockets, one]) {
      socket.close();
    }
    await until('none', async () => (await openSubscriptions()) === 0);
    const after = await openStream(key, FOLLOW);
    await until('room again', async () => (await openSubscriptions()) === 1);
    after.close();
    await until('none', async () => (await openSubscriptions()) === 0);
  });
});

describe('A key that is revoked', () => {
  test('ends its event streams and sockets; nothing is sent by then', async () => {
    const { key, keyId } = await makeKey();
    const stream = await openStream(key, FOLLOW);
    const socket = await openSocket(key);
    socket.subscribe('one', { query: FOLLOW });
    const other = await openStream(KEYS.acme, FOLLOW);
    expect((await createMoneyRequest(exchange, moneyRequestBody(newReference()))).status).toBe(201);
    await until('the event', () => stream.text().includes('PENDING') && other.text().includes('PENDING'));

    // As another process does it: this one does not know of it at once.
    await target.connection
      .collection<{ _id: string }>('apiKeys')
      .updateOne({ _id: keyId }, { $set: { revokedAt: new Date() } });
    const [, seconds] = await takeTime(() => Promise.all([stream.ended, socket.closed]));
    expect(seconds).toBeLessThan(60 * paceOf());
    const before = stream.text();
    await createMoneyRequest(exchange, moneyRequestBody(newReference()));
    await until('another event', () => other.text().split('PENDING').length > 2);
    expect(stream.text()).toBe(before);
    expect(before).not.toContain('event: complete');
    expect(await socket.closed).toBe(4403);
    expect(other.response.destroyed).toBe(false);
    other.close();
  });

  test('so does one that loses its scope', async () => {
    const { key, keyId } = await makeKey();
    const stream = await openStream(key, FOLLOW);
    const socket = await openSocket(key);
    await target.connection
      .collection<{ _id: string }>('apiKeys')
      .updateOne({ _id: keyId }, { $set: { scopes: [] } });
    await Promise.all([stream.ended, socket.closed]);
    expect(await socket.closed).toBe(4403);
  });

  test('a client that does not read has nothing held for it', async () => {
    const { key, keyId } = await makeKey();
    const stream = await openStream(key, FOLLOW);
    stream.response.pause();
    await target.subgraphs.apiKeys.revoke(keyId);
    await until('none', async () => (await openSubscriptions()) === 0);
    stream.close();
  });
});

test('A socket without a connection_init is closed', async () => {
  const socket = await openSocket();
  expect(await socket.closed).toBe(4408);
});
