import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, type SubscribePayload } from 'graphql-ws';
import WebSocket from 'ws';
import { documentHash } from '../../gateway/http/documents/document-hash.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { failToStartHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';

const documentOf = (name: string) => readFileSync(join('schema', 'operations', `${name}.graphql`), 'utf8');
const LOOK_UP = documentOf('requestMoney');
const COUNT = 'query Count { requestMonies { totalCount } }\n';
const FOLLOW = 'subscription Follow { requestMoneyStatusChanged { cursor } }';
const OTHER = '{ requestMonies { totalCount } }';

const byId = (text: string) => ({ documentId: `sha256:${documentHash(text)}` });
const byHash = (text: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: documentHash(text) } },
});
const failure = (code: string) => ({ errors: [{ message: expect.any(String), extensions: { code } }] });

const HEADERS = { 'content-type': 'application/json', 'x-api-key': KEYS.acme };

async function post(exchange: Exchange, request: object, key: string = KEYS.acme): Promise<unknown> {
  const headers = { ...HEADERS, 'x-api-key': key };
  const body = JSON.stringify(request);
  return JSON.parse((await exchange({ method: 'POST', path: '/graphql', headers, body })).text);
}

async function get(exchange: Exchange, request: Record<string, unknown>) {
  const texts = Object.entries(request).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const path = `/graphql?${new URLSearchParams(texts)}`;
  const { status, text } = await exchange({ method: 'GET', path, headers: HEADERS });
  return { status, json: JSON.parse(text) as unknown };
}

async function sendBySocket(url: string, request: Record<string, unknown>): Promise<unknown> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { 'X-API-Key': KEYS.acme },
  });
  try {
    const payload = { query: '', ...request } as SubscribePayload;
    return (await client.iterate(payload).next()).value;
  } catch (error) {
    return { errors: error };
  } finally {
    await client.dispose();
  }
}

describe('Documents by hash', () => {
  const scene = useScene();
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-documents-'));
  writeFileSync(join(folder, 'count.graphql'), COUNT);
  writeFileSync(join(folder, 'follow.graphql'), FOLLOW);
  scene.atEnd(async () => rmSync(folder, { recursive: true }));
  let deployment: Deployment;
  let open: Exchange;
  let strict: Exchange;
  let strictUrl: string;
  beforeAll(async () => {
    deployment = await scene.deploy();
    open = exchangeWith((await deployment.start()).url);
    const only = { TRUSTED_DOCUMENTS_DIR: folder, TRUSTED_DOCUMENTS_ONLY: 'true' };
    strictUrl = (await deployment.start(only)).url;
    strict = exchangeWith(strictUrl);
  });

  test("the README's example runs", async () => {
    const referenceId = newReference();
    await createMoneyRequest(open, moneyRequestBody(referenceId));
    const [, example = '{}'] =
      /-d '(\{"documentId".*?\})'/.exec(readFileSync('gateway/http/README.md', 'utf8')) ?? [];
    const { documentId } = JSON.parse(example) as Record<string, unknown>;
    expect({ documentId }).toEqual(byId(LOOK_UP));
    const answer = await post(open, { ...JSON.parse(example), variables: { referenceId } });
    expect(answer).toMatchObject({ data: { requestMoney: { referenceId } } });
  });

  test('a document that only REST may send cannot be named by clients', async () => {
    for (const name of ['createContact', 'updateOperationStatus']) {
      expect(await post(open, byId(documentOf(name)))).toEqual(failure('PERSISTED_QUERY_NOT_FOUND'));
      expect(await post(open, { query: documentOf(name), ...byId(documentOf(name)) })).toMatchObject({
        errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
      });
      expect(await post(strict, { query: documentOf(name) })).toEqual(failure('QUERY_NOT_IN_SAFELIST'));
    }
  });

  test('documents are made known by one partner and run by another on its own data', async () => {
    const query = 'query Apq { requestMonies { totalCount } }';
    expect(await post(open, byHash(query))).toEqual(failure('PERSISTED_QUERY_NOT_FOUND'));
    const first = await post(open, { query, ...byHash(query) });
    expect(await post(open, byHash(query))).toEqual(first);
    const { status, json } = await get(open, byHash(query));
    expect({ status, json }).toEqual({ status: 200, json: first });
    expect(await post(open, byHash(query), KEYS.globex)).toMatchObject({
      data: { requestMonies: { totalCount: 0 } },
    });
    const rejected = await post(open, { query: OTHER, ...byHash(query) });
    expect(rejected).toEqual(failure('PERSISTED_QUERY_HASH_MISMATCH'));
    expect(await post(open, byHash(query), 'raas_sandbox_never_made')).toEqual(failure('UNAUTHENTICATED'));
  });

  describe('with trusted documents alone', () => {
    const count = { data: { requestMonies: { totalCount: expect.any(Number) } } };

    test('they run by hash and in full', async () => {
      for (const request of [
        byId(COUNT),
        byHash(COUNT),
        { query: COUNT },
        { query: COUNT, ...byHash(COUNT) },
      ]) {
        expect(await post(strict, request)).toMatchObject(count);
        expect((await get(strict, request)).json).toMatchObject(count);
        expect(await sendBySocket(strictUrl, request)).toMatchObject(count);
      }
      const answer = await post(strict, { ...byId(LOOK_UP), variables: { referenceId: 'None0000' } });
      expect(answer).toMatchObject({ data: { requestMoney: null } });
    });

    test('all others are rejected, whichever way they come', async () => {
      const introspection = '{ __schema { queryType { name } } }';
      for (const query of [OTHER, COUNT.trim(), introspection, '{ nope', '']) {
        expect(await post(strict, { query })).toEqual(failure('QUERY_NOT_IN_SAFELIST'));
        expect((await get(strict, { query })).json).toEqual(failure('QUERY_NOT_IN_SAFELIST'));
        expect(await sendBySocket(strictUrl, { query })).toEqual(failure('QUERY_NOT_IN_SAFELIST'));
      }
      for (const send of [post.bind(null, strict), sendBySocket.bind(null, strictUrl)]) {
        expect(await send({ query: OTHER, ...byHash(OTHER) })).toEqual(failure('QUERY_NOT_IN_SAFELIST'));
        expect(await send(byHash(OTHER))).toEqual(failure('PERSISTED_QUERY_NOT_FOUND'));
      }
    });

    test('subscriptions begin by hash, and REST goes on', async () => {
      const answers: unknown[] = [];
      const following = sendBySocket(strictUrl, byId(FOLLOW)).then((answer) => answers.push(answer));
      await until('an event of a money request', async () => {
        expect((await createMoneyRequest(strict, moneyRequestBody(newReference()))).status).toBe(201);
        return answers.length > 0;
      });
      await following;
      expect(answers).toMatchObject([
        { data: { requestMoneyStatusChanged: { cursor: expect.any(String) } } },
      ]);
    });
  });
});

describe('a document that clients could not run stops the start', () => {
  const scene = useScene();
  test('with its name', async () => {
    const deployment = await scene.deploy();
    const folder = mkdtempSync(join(tmpdir(), 'remitgraph-documents-'));
    scene.atEnd(async () => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'bad.graphql'), documentOf('createRequestMoney'));
    const output = await failToStartHere({ ...deployment.env, TRUSTED_DOCUMENTS_DIR: folder });
    expect(output).toContain(`Clients cannot run the trusted document ${join(folder, 'bad.graphql')}`);
    expect(output).not.toContain('    at ');
  });
});
