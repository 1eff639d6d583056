import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FastifyInstance } from 'fastify';
import { createReadGraph } from './documents.ts';
import { createMcpHttp } from './http.ts';
import { createMcpServer } from './server.ts';
import { fullAnswer, serverOf } from './testing.ts';

const TOKEN = 'a-token-of-agents';
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  const graph = createReadGraph({
    url: new URL('http://localhost:4000'),
    key: 'raas_sandbox_x',
    fetch: serverOf(fullAnswer(() => 'text')),
  });
  app = createMcpHttp({ token: TOKEN, createServer: () => createMcpServer({ graph, withAnswers: false }) });
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`;
});
afterAll(() => app.close());

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const callOfFind = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'find', arguments: { text: 'Ana' } },
};
const post = (headers: Record<string, string>, body = PING) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${TOKEN}`,
      ...headers,
    },
    body,
  });

describe('MCP over HTTP', () => {
  test('answers each message on its own, without a session', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    await client.close();
    const answer = await post({});
    expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
  });

  test('runs tools', async () => {
    const answers = await Promise.all(
      [1, 2].map(async () => (await post({}, JSON.stringify(callOfFind))).json()),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ id: 2, result: { structuredContent: { matches: expect.any(Array) } } });
    }
  });

  test.each([
    ['no token', { authorization: '' }, 401],
    ['another token', { authorization: 'Bearer another-token-of-agents' }, 401],
    ["a page's origin", { origin: 'http://localhost:3000' }, 403],
    ['a proxy', { 'x-forwarded-for': '203.0.113.1' }, 403],
    ['another content type', { 'content-type': 'text/plain' }, 415],
    ['no event streams', { accept: 'application/json' }, 406],
  ])('refuses %s', async (_what, headers, status) => {
    expect((await post(headers)).status).toBe(status);
  });

  test('refuses the name of another host, as after DNS rebinding', async () => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { host: 'evil.example', authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: PING,
    });
    expect(statusCode).toBe(403);
  });

  test('refuses several messages at once, of which one may cancel another', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    const answer = await post({}, JSON.stringify([callOfFind, cancel]));
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { message: 'Send one message in each request.' },
    ]);
  });

  test('refuses large messages and other methods', async () => {
    expect(
      (await post({}, JSON.stringify({ ...JSON.parse(PING), params: { _meta: { x: 'x'.repeat(70_000) } } })))
        .status,
    ).toBe(413);
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(url, { method, headers: { authorization: `Bearer ${TOKEN}` } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });
});
