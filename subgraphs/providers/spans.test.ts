import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type SpanEnd, type SpanInfo, type Tracing, UNTRACED } from '../kernel/tracing/tracing.ts';
import { createHttpUbn } from './http.ts';

const ACCOUNT = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
const CALL = { idempotencyKey: 'acme:corr-1:CIP', accountId: 'acme/live' } as const;
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** The `traceparent` of each request. */
const seen: unknown[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers.traceparent);
  response.writeHead(503).end('{}');
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function call(tracing?: Tracing): Promise<void> {
  const url = `http://127.0.0.1:${port}/secret-path?key=secret-key`;
  const provider = createHttpUbn({ url, ...(tracing && { tracing }) });
  await provider.verify(ACCOUNT, CALL);
  await provider.close();
}

test('a call is a span that says which provider and how it ended, but no path; the provider gets the span', async () => {
  const spans: [SpanInfo, SpanEnd][] = [];
  await call({
    ...UNTRACED,
    span: async (info, work, end) => {
      const result = await work({ traceparent: TRACEPARENT });
      spans.push([info, end(result)]);
      return result;
    },
  });
  const attributes = {
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'server.port': port,
    'remitgraph.provider': 'ubn',
  };
  const end = { attributes: { 'http.response.status_code': 503 }, errorType: '503' };
  expect(spans).toEqual([[{ name: 'POST', kind: 'client', attributes }, end]]);
  expect(seen).toEqual([TRACEPARENT]);
});

test('without tracing nothing is added to a call', async () => {
  await call();
  expect(seen).toEqual([undefined]);
});
