import { afterEach, describe, expect, test } from '@jest/globals';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWebSocketClient } from 'graphql-ws';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import { until } from '../../test/support/until.ts';
import type { StandaloneOptions } from './arguments.ts';
import { startTestGateway, type TestGateway } from './testing/gateway.ts';

const QUERY = 'subscription { bookAdded { title inStock } }';

let graph: TestGateway | undefined;
afterEach(async () => {
  await graph?.close();
  graph = undefined;
});

async function start(options: Partial<StandaloneOptions> = {}): Promise<TestGateway> {
  graph = await startTestGateway(options);
  return graph;
}

/** The reference clients of both protocols. */
const clients = {
  websocket: (url: string) =>
    createWebSocketClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 }),
  sse: (url: string) => createSseClient({ url, fetchFn: fetch, retryAttempts: 0 }),
};

describe.each([
  ['websocket', 'websocket'],
  ['websocket', 'sse'],
  ['sse', 'websocket'],
  ['sse', 'sse'],
] as const)('a client over %s, a subgraph over %s', (front, protocol) => {
  test('delivers events that other subgraphs complete, and the end', async () => {
    const { gateway, added } = await start({ defaultSubscriptions: { protocol } });
    const client = clients[front](gateway.url);
    const events = client.iterate({ query: QUERY });
    added.push({ bookAdded: { id: '4', title: 'Four' } });
    expect((await events.next()).value).toEqual({ data: { bookAdded: { title: 'Four', inStock: 40 } } });
    added.push({ bookAdded: { id: '5', title: 'Five' } });
    added.end();
    expect((await events.next()).value).toEqual({ data: { bookAdded: { title: 'Five', inStock: 50 } } });
    expect((await events.next()).done).toBe(true);
    await client.dispose();
  });

  test('ends at the subgraph when the client leaves', async () => {
    const { gateway, added, left } = await start({ subscriptions: { books: { protocol } } });
    const client = clients[front](gateway.url);
    const events = client.iterate({ query: QUERY });
    added.push({ bookAdded: { id: '4', title: 'Four' } });
    await events.next();
    await events.return?.();
    await until('the subscription ended at the subgraph', () => left() === 1);
    await client.dispose();
  });

  test('ends when the gateway stops, and the gateway does not wait for it', async () => {
    const { gateway, added, left } = await start({ defaultSubscriptions: { protocol } });
    const client = clients[front](gateway.url);
    const events = client.iterate({ query: QUERY });
    added.push({ bookAdded: { id: '4', title: 'Four' } });
    await events.next();
    const last = events.next().then(
      (item) => item.done,
      () => 'failed',
    );
    await gateway.close();
    expect(['failed', true]).toContain(await last);
    await until('the subscription ended at the subgraph', () => left() === 1);
    await client.dispose();
  });
});

test('queries and failures work over both, too', async () => {
  const { gateway } = await start();
  for (const client of [clients.websocket(gateway.url), clients.sse(gateway.url)]) {
    const results = client.iterate({ query: '{ books { id } }' });
    expect((await results.next()).value).toEqual({ data: { books: [{ id: '1' }, { id: '2' }] } });
    expect((await results.next()).done).toBe(true);
    const failed = await client
      .iterate({ query: 'subscription { nope }' })
      .next()
      .then(
        (item) => item.value,
        (error: unknown) => error,
      );
    expect(JSON.stringify(failed)).toContain('Cannot query field');
    await client.dispose();
  }
});

test('an event stream works with EventSource: over GET, with bytes before the first event', async () => {
  const { gateway, left } = await start();
  const url = `${gateway.url}?query=${encodeURIComponent(QUERY)}`;
  const gone = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: gone.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const first = await response.body?.getReader().read();
  expect(Buffer.from((first?.value as Uint8Array | undefined) ?? []).toString()).toBe(':\n\n');
  gone.abort();
  await until('the subscription ended at the subgraph', () => left() === 1);
});

test('a subgraph that cannot be reached is an error with a code', async () => {
  const { gateway, books, logged } = await start();
  await books.close();
  const client = clients.websocket(gateway.url);
  const answer = await client
    .iterate({ query: QUERY })
    .next()
    .then(
      (item) => item.value,
      (error: unknown) => error,
    );
  expect(JSON.stringify(answer)).toContain('SUBGRAPH_UNREACHABLE');
  expect(logged.join()).toContain('subgraph.fetch_failed');
  await client.dispose();
});
