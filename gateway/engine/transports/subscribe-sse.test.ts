import { afterEach, describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { type SubgraphServer, startSubgraph } from '../testing/subgraph-server.ts';
import { createHttpTransport, type HttpTransport } from './http.ts';

const SUBSCRIPTION = {
  subgraph: 's',
  document: 'subscription { name }',
  operationKind: 'subscription',
  operationName: null,
} as const;

const opened: (SubgraphServer | HttpTransport)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
});

/** A subscription whose answer comes byte by byte. */
async function subscribe(contentType: string, answer: string) {
  const schema = buildSchema('type Query { a: Int } type Subscription { name: String }');
  const server = await startSubgraph(schema, {
    intercept: (_request, response) => {
      response.writeHead(200, { 'content-type': contentType });
      for (const byte of Buffer.from(answer)) {
        response.write(Buffer.of(byte));
      }
      response.end();
      return true;
    },
  });
  const transport = createHttpTransport({
    url: server.url,
    subscriptions: { protocol: 'sse' },
    maxResponseBytes: 10_000,
  });
  opened.push(server, transport);
  return transport.subscribe(SUBSCRIPTION, {}, { requestId: 'r-1' });
}

async function eventsOf(stream: Awaited<ReturnType<typeof subscribe>>) {
  if (!(Symbol.asyncIterator in stream)) {
    throw new Error(JSON.stringify(stream));
  }
  const events: unknown[] = [];
  for await (const event of stream) {
    events.push(event);
  }
  return events;
}

describe('bytes of a subscription over SSE', () => {
  test('make the same text, however the connection cuts them', async () => {
    const stream = await subscribe(
      'text/event-stream',
      'event: next\ndata: {"data":{"name":"José 🪙"}}\n\nevent: complete\n\n',
    );
    expect(await eventsOf(stream)).toEqual([{ data: { name: 'José 🪙' } }]);
  });

  test('may begin with a byte order mark', async () => {
    const stream = await subscribe(
      'text/event-stream',
      '\uFEFFevent: next\ndata: {"data":{"name":"A"}}\n\nevent: complete\n\n',
    );
    expect(await eventsOf(stream)).toEqual([{ data: { name: 'A' } }]);
  });

  test('of an answer that is no stream make the same text, too', async () => {
    const answer = await subscribe('application/json', '{"errors":[{"message":"No, José 🪙"}]}');
    expect(answer).toMatchObject({ errors: [{ message: 'No, José 🪙' }] });
  });
});
