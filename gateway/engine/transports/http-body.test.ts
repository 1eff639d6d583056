import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { codeOf, context, createHarness, query } from '../testing/http-harness.ts';
import type { SubgraphFetch } from './transport.ts';

const { serve, connect, close } = createHarness();
afterEach(close);

const BODY = '{"data":{"a":"é"}}';

async function answering(encoding: string, body: Buffer | string, type = 'application/json') {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-encoding': encoding }).end(body);
    return true;
  });
  return connect(server.url, { maxResponseBytes: 1_000, subscriptions: { protocol: 'sse' } });
}

describe('An answer that is compressed without a request for it', () => {
  test.each<[string, Buffer | string]>([
    ['gzip', gzipSync(BODY)],
    ['X-GZip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
    ['br', brotliCompressSync(BODY)],
    ['identity', BODY],
    ['none', BODY],
    ['', BODY],
  ])('is read: %s', async (encoding, body) => {
    expect(await (await answering(encoding, body)).execute(query, {}, context())).toEqual({
      data: { a: 'é' },
    });
  });

  test.each<[string, string, Buffer | string, string]>([
    ['of an unknown kind', 'zap', BODY, 'SUBGRAPH_RESPONSE_INVALID'],
    ['twice', 'gzip, br', BODY, 'SUBGRAPH_RESPONSE_INVALID'],
    ['in name only', 'gzip', BODY, 'SUBGRAPH_RESPONSE_INVALID'],
    ['in part', 'gzip', gzipSync(BODY).subarray(0, 12), 'SUBGRAPH_RESPONSE_INVALID'],
    ['to little of much', 'gzip', gzipSync('x'.repeat(100_000)), 'SUBGRAPH_RESPONSE_TOO_LARGE'],
    ['to little of much by br', 'br', brotliCompressSync('x'.repeat(100_000)), 'SUBGRAPH_RESPONSE_TOO_LARGE'],
  ])('fails with a code: %s', async (_name, encoding, body, code) => {
    expect(await codeOf((await answering(encoding, body)).execute(query, {}, context()))).toBe(code);
  });

  test('is no event stream', async () => {
    const fetch: SubgraphFetch = { ...query, document: 'subscription { a }', operationKind: 'subscription' };
    const transport = await answering('gzip', gzipSync('event: next'), 'text/event-stream');
    expect(await codeOf(transport.subscribe(fetch, {}, context()))).toBe('SUBGRAPH_RESPONSE_INVALID');
  });
});

test('Bytes that are not UTF-8 are not an answer', async () => {
  const transport = await answering('', Buffer.from('{"data":{"a":"\xe9"}}', 'latin1'));
  expect(await codeOf(transport.execute(query, {}, context()))).toBe('SUBGRAPH_RESPONSE_INVALID');
});
