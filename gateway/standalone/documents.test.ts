import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, type SubscribePayload } from 'graphql-ws';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { documentHash } from '../http/documents/document-hash.ts';
import { readArguments, type StandaloneOptions } from './arguments.ts';
import { startGateway } from './gateway.ts';
import { startTestGateway, type TestGateway } from './testing/gateway.ts';

const TRUSTED = '# Trusted\nquery Books { books { title } }\n';
const EVENTS = 'subscription Added { bookAdded { title } }';
const GRAPHQL_TYPE = 'application/graphql-response+json';
const STREAM = 'text/event-stream';

let folder: string;
let graph: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
  await writeFile(join(folder, 'books.graphql'), TRUSTED);
  await writeFile(join(folder, 'events.graphql'), EVENTS);
  graph = await startTestGateway({ documents: folder });
});
afterAll(async () => {
  await graph.close();
  await rm(folder, { recursive: true });
});

const BOOKS = { books: [{ title: 'Emma' }, { title: 'Dune' }] };
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});
const byHash = (text: string) => persisted(documentHash(text));
const byId = (text: string) => ({ documentId: `sha256:${documentHash(text)}` });
/** A document that no client has sent yet. */
let made = 0;
const newQuery = () => `query New${made++} { books { id } }`;

async function send(method: 'GET' | 'POST', request: Record<string, unknown>, accept = GRAPHQL_TYPE) {
  const texts = Object.entries(request).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const response =
    method === 'GET'
      ? await fetch(`${graph.gateway.url}?${new URLSearchParams(Object.fromEntries(texts))}`, {
          headers: { accept },
        })
      : await fetch(graph.gateway.url, {
          method,
          headers: { accept, 'content-type': 'application/json' },
          body: JSON.stringify(request),
        });
  const text = await response.text();
  const [, event] = /^event: next\ndata: (.*)\n\nevent: complete\n/m.exec(text) ?? [];
  return {
    status: response.status,
    caching: response.headers.get('cache-control'),
    type: response.headers.get('content-type'),
    json: JSON.parse(event ?? text) as Record<string, unknown>,
  };
}

const failure = (code: string) => ({ errors: [{ message: expect.any(String), extensions: { code } }] });
const NOT_FOUND = failure('PERSISTED_QUERY_NOT_FOUND');

describe.each(['GET', 'POST'] as const)('by %s', (method) => {
  test.each([
    ['documentId', byId(TRUSTED)],
    ["Apollo's hash", byHash(TRUSTED)],
    ['both names', { ...byId(TRUSTED), ...byHash(TRUSTED) }],
    ['hash and an empty query', { ...byHash(TRUSTED), query: '' }],
    ['hash and the text', { ...byId(TRUSTED), query: TRUSTED }],
  ])('a trusted document runs by %s', async (_name, request) => {
    const { status, json } = await send(method, request);
    expect({ status, json }).toEqual({ status: 200, json: { data: BOOKS } });
    expect((await send(method, { ...request, operationName: 'Books' })).json).toEqual({ data: BOOKS });
    expect((await send(method, request, STREAM)).json).toEqual({ data: BOOKS });
  });

  test("Apollo's exchange: not found, sent in full with its hash, found", async () => {
    const query = newQuery();
    const unknown = await send(method, byHash(query), 'application/json');
    expect(unknown).toMatchObject({ status: 200, caching: 'no-store' });
    expect(unknown.json).toEqual({
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    });
    expect((await send(method, byId(query))).status).toBe(400);
    const streamed = await send(method, byHash(query), STREAM);
    expect(streamed).toMatchObject({ status: 200, type: `${STREAM}; charset=utf-8`, json: NOT_FOUND });
    const data = { books: [{ id: '1' }, { id: '2' }] };
    expect((await send(method, { query, ...byHash(query) })).json).toEqual({ data });
    expect((await send(method, byHash(query))).json).toEqual({ data });
    expect((await send(method, byId(query))).json).toEqual({ data });
  });

  const good = documentHash(TRUSTED);
  test.each<[string, Record<string, unknown>]>([
    ['a hash that is too short', persisted(good.slice(1))],
    ['a hash in capitals', persisted(good.toUpperCase())],
    ['a hash of other letters', persisted('g'.repeat(64))],
    ['a hash that is a number', persisted(5)],
    ['no hash', persisted(undefined)],
    ['version 2', persisted(good, 2)],
    ['a version that is text', persisted(good, '1')],
    ['a list for an object', { extensions: { persistedQuery: [good] } }],
    ['text for an object', { extensions: { persistedQuery: good } }],
    ['a documentId without its prefix', { documentId: good }],
    ['a documentId with another prefix', { documentId: `md5:${good}` }],
    ['a documentId that is too long', { documentId: `sha256:${good}0` }],
  ])('%s is rejected', async (_name, request) => {
    for (const accept of [GRAPHQL_TYPE, 'application/json', STREAM]) {
      const answer = await send(method, request, accept);
      const status = accept === GRAPHQL_TYPE ? 422 : 400;
      expect(answer).toMatchObject({ status, json: failure('BAD_REQUEST') });
    }
  });

  test('a hash cannot be registered with another text', async () => {
    const [known, unknown] = [newQuery(), newQuery()];
    await send(method, { query: known, ...byHash(known) });
    for (const hash of [byHash(known), byId(unknown)]) {
      const answer = await send(method, { query: '{ fail }', ...hash }, 'application/json');
      expect(answer).toMatchObject({ status: 400, json: failure('PERSISTED_QUERY_HASH_MISMATCH') });
    }
    expect((await send(method, byHash(known))).json).toHaveProperty('data.books');
    expect((await send(method, byHash(unknown))).json).toEqual(NOT_FOUND);
  });

  test('100 clients at once register one document', async () => {
    const query = newQuery();
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const first = await send(method, byHash(query));
        return 'data' in first.json ? first : send(method, { query, ...byHash(query) });
      }),
    );
    expect(new Set(answers.map(({ json }) => JSON.stringify(json)))).toEqual(
      new Set(['{"data":{"books":[{"id":"1"},{"id":"2"}]}}']),
    );
    expect((await send(method, byHash(query))).status).toBe(200);
  });
});

test('a query beside a hash must be text', async () => {
  const answer = await send('POST', { ...byId(TRUSTED), query: 5 });
  expect(answer).toMatchObject({ status: 422, json: failure('BAD_REQUEST') });
});

test('GET runs no mutation by hash either', async () => {
  const mutation = 'query Look { books { id } } mutation Add { addBook(title: "x") { id } }';
  await send('POST', { query: mutation, operationName: 'Look', ...byHash(mutation) });
  const before = graph.books.received.length;
  for (const request of [byHash(mutation), byId(mutation), { ...byHash(mutation), query: mutation }]) {
    const answer = await send('GET', { ...request, operationName: 'Add' });
    expect(answer).toMatchObject({ status: 405, json: failure('METHOD_NOT_ALLOWED') });
  }
  expect(graph.books.received).toHaveLength(before);
  expect((await send('GET', { ...byHash(mutation), operationName: 'Look' })).status).toBe(200);
  expect((await send('GET', byId(EVENTS))).status).toBe(405);
});

describe('over a WebSocket', () => {
  async function sendBySocket(request: Record<string, unknown>): Promise<unknown> {
    const url = graph.gateway.url.replace('http', 'ws');
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    try {
      // Clients of graphql-ws send what they are given; the protocol requires a query.
      const payload = { query: '', ...request } as SubscribePayload;
      return (await client.iterate(payload).next()).value;
    } catch (error) {
      return { errors: error };
    } finally {
      await client.dispose();
    }
  }

  test('documents run by hash, and can be registered', async () => {
    expect(await sendBySocket(byId(TRUSTED))).toEqual({ data: BOOKS });
    const query = 'mutation Add($t: String!) { addBook(title: $t) { title } }';
    expect(await sendBySocket(byHash(query))).toEqual(NOT_FOUND);
    const variables = { t: 'New' };
    expect(await sendBySocket({ query, variables, ...byHash(query) })).toEqual({
      data: { addBook: { title: 'New' } },
    });
    expect(await sendBySocket({ variables, ...byHash(query) })).toEqual({
      data: { addBook: { title: 'New' } },
    });
    expect((await send('GET', byHash(query))).json).toEqual(failure('METHOD_NOT_ALLOWED'));
  });

  test('subscriptions start by hash', async () => {
    graph.added.push({ bookAdded: { id: '4', title: 'Four' } });
    expect(await sendBySocket(byId(EVENTS))).toEqual({ data: { bookAdded: { title: 'Four' } } });
  });

  test.each([
    [persisted('x'), 'BAD_REQUEST'],
    [{ documentId: 5 }, 'BAD_REQUEST'],
    [{ query: '{ fail }', ...byHash(TRUSTED) }, 'PERSISTED_QUERY_HASH_MISMATCH'],
    [{ query: '' }, 'GRAPHQL_PARSE_FAILED'],
    [{ query: '{ books' }, 'GRAPHQL_PARSE_FAILED'],
    [{ query: '{ books { id } }', operationName: 'None' }, 'OPERATION_RESOLUTION_FAILURE'],
  ])('%j is rejected', async (request, code) => {
    expect(await sendBySocket(request)).toMatchObject({ errors: [{ extensions: { code } }] });
  });
});

test('a folder with a document that clients could not run stops the start', async () => {
  const bad = await mkdtemp(join(tmpdir(), 'documents-'));
  await writeFile(join(bad, 'bad.graphql'), '{ nope }');
  const args = ['--supergraph', graph.supergraphFile, '--port', '0', '--documents', bad];
  const starting = startGateway(readArguments(args) as StandaloneOptions, createLogger({ level: 'silent' }));
  await expect(starting).rejects.toThrow(join(bad, 'bad.graphql'));
  await rm(bad, { recursive: true });
});
