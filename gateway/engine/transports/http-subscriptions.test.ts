import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { buildSchema, GraphQLError, type GraphQLSchema } from 'graphql';
import { holdTimers } from '../../../test/support/held-time.ts';
import { until } from '../../../test/support/until.ts';
import type { EngineContext } from '../context.ts';
import { type Interceptor, type SubgraphServer, startSubgraph } from '../testing/subgraph-server.ts';
import { BoundedQueue } from './bounded-queue.ts';
import { createHttpTransport, type HttpSubscriptions, type HttpTransport } from './http.ts';
import type { SubgraphFetch, SubgraphResponse } from './transport.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
});

interface Source {
  readonly schema: GraphQLSchema;
  readonly events: BoundedQueue<Record<string, unknown>>;
  returned(): number;
  subscribed(): number;
}

function createSource(): Source {
  const schema = buildSchema(`
    type Query { a: Int }
    type Subscription { ticks(from: Int): Int rejected: Int }`);
  let returned = 0;
  let subscribed = 0;
  const events = new BoundedQueue<Record<string, unknown>>({
    limit: Number.POSITIVE_INFINITY,
    returned: () => {
      returned += 1;
    },
  });
  const fields = schema.getSubscriptionType()!.getFields();
  fields.ticks!.subscribe = () => {
    subscribed += 1;
    return events;
  };
  fields.rejected!.subscribe = () => {
    throw new GraphQLError('Not for you.', { extensions: { code: 'FORBIDDEN' } });
  };
  return { schema, events, returned: () => returned, subscribed: () => subscribed };
}

const fetchOf = (document: string): SubgraphFetch => ({
  subgraph: 's',
  document,
  operationKind: 'subscription',
  operationName: null,
});
const TICKS = fetchOf('subscription ($n: Int) { ticks(from: $n) }');
const context = (overrides: Partial<EngineContext> = {}): EngineContext => ({
  requestId: 'r-1',
  ...overrides,
});

function connect(server: SubgraphServer, subscriptions: HttpSubscriptions, timeoutMs = 30_000) {
  const transport = createHttpTransport({
    url: server.url,
    subscriptions,
    timeoutMs,
    maxResponseBytes: 10_000,
    headers: () => ({ 'x-signed': 'yes' }),
  });
  opened.push(transport);
  return transport;
}

async function serve(schema: GraphQLSchema, intercept?: Interceptor): Promise<SubgraphServer> {
  const server = await startSubgraph(schema, intercept === undefined ? {} : { intercept });
  opened.push(server);
  return server;
}

function isStream(
  value: AsyncIterable<SubgraphResponse> | SubgraphResponse,
): value is AsyncIterableIterator<SubgraphResponse> {
  return Symbol.asyncIterator in value;
}

async function open(transport: HttpTransport, overrides: Partial<EngineContext> = {}, fetch = TICKS) {
  const stream = await transport.subscribe(fetch, { n: 1 }, context(overrides));
  if (!isStream(stream)) {
    throw new Error(JSON.stringify(stream));
  }
  return stream;
}

const SILENCE_MS = 10_000;

const codeOf = (error: { extensions?: { code?: unknown } }) => error.extensions?.code ?? error;

describe.each<HttpSubscriptions['protocol']>(['websocket', 'sse'])('events over %s', (protocol) => {
  test('come in order and end with the source', async () => {
    const source = createSource();
    const stream = await open(connect(await serve(source.schema), { protocol }));
    await until('a subscriber', () => source.subscribed() === 1);
    for (const ticks of [1, 2, 3]) {
      source.events.push({ ticks });
    }
    expect(await stream.next()).toEqual({ value: { data: { ticks: 1 } }, done: false });
    source.events.end();
    expect(await stream.next()).toEqual({ value: { data: { ticks: 2 } }, done: false });
    expect(await stream.next()).toEqual({ value: { data: { ticks: 3 } }, done: false });
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test('wait with the length of their text', async () => {
    const source = createSource();
    const stream = await open(connect(await serve(source.schema), { protocol }));
    await until('a subscriber', () => source.subscribed() === 1);
    const push = jest.spyOn(BoundedQueue.prototype, 'push');
    source.events.push({ ticks: 1 });
    await stream.next();
    const lengths = push.mock.calls.map(([, bytes = 0]) => bytes);
    push.mockRestore();
    expect(Math.max(...lengths)).toBeGreaterThanOrEqual('{"data":{"ticks":1}}'.length);
    await stream.return?.();
  });

  test('end at once when the caller ends them while waiting, also at the subgraph', async () => {
    const source = createSource();
    const stream = await open(connect(await serve(source.schema), { protocol }));
    await until('a subscriber', () => source.subscribed() === 1);
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    await until('its end', () => source.returned() === 1);
  });

  test('end when the caller disconnects', async () => {
    const source = createSource();
    const gone = new AbortController();
    const stream = await open(connect(await serve(source.schema), { protocol }), { signal: gone.signal });
    await until('a subscriber', () => source.subscribed() === 1);
    const waiting = stream.next().catch((error: unknown) => error);
    gone.abort(new Error('gone'));
    expect(String(await waiting)).toContain('gone');
    await until('its end', () => source.returned() === 1);
    await expect(
      connect(await serve(source.schema), { protocol }).subscribe(
        TICKS,
        {},
        context({ signal: gone.signal }),
      ),
    ).rejects.toThrow('gone');
  });

  test('fail with a code when the connection is cut', async () => {
    const source = createSource();
    const server = await serve(source.schema);
    const stream = await open(connect(server, { protocol }));
    await until('a subscriber', () => source.subscribed() === 1);
    server.cut();
    expect(codeOf(await stream.next().catch((error) => error))).toBe('SUBGRAPH_UNREACHABLE');
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test('that the subgraph does not start fail with its own message', async () => {
    const server = await serve(createSource().schema);
    const transport = connect(server, { protocol });
    const answer = await transport.subscribe(fetchOf('subscription { rejected }'), {}, context());
    const response = isStream(answer) ? (await answer.next()).value : answer;
    expect(response).toMatchObject({
      errors: [{ message: 'Not for you.', extensions: { code: 'FORBIDDEN' } }],
    });
    if (isStream(answer)) {
      expect(await answer.next()).toEqual({ value: undefined, done: true });
    }
  });

  test('fail with a code when nothing listens at the URL', async () => {
    const server = await startSubgraph(createSource().schema);
    await server.close();
    const pending = connect(server, { protocol }).subscribe(TICKS, {}, context());
    expect(codeOf(await pending.catch((error) => error))).toBe('SUBGRAPH_UNREACHABLE');
  });
});

describe('over SSE', () => {
  const streaming =
    (...pieces: string[]): Interceptor =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces) {
        response.write(piece);
      }
      return true;
    };

  test('custom headers are sent, and another URL is used if given', async () => {
    const source = createSource();
    const main = await serve(source.schema);
    const other = await serve(source.schema);
    const stream = await open(connect(main, { protocol: 'sse', url: other.url }));
    expect(main.received).toHaveLength(0);
    expect(other.received[0]).toMatchObject({
      headers: { 'x-signed': 'yes' },
      body: { variables: { n: 1 } },
    });
    await stream.return?.();
  });

  test.each([
    ['is no JSON', 'event: next\ndata: {\n\n', 'SUBGRAPH_RESPONSE_INVALID'],
    ['is no response', 'event: next\ndata: {"a":1}\n\n', 'SUBGRAPH_RESPONSE_INVALID'],
    ['has no end', `event: next\ndata: ${'x'.repeat(20_000)}`, 'SUBGRAPH_RESPONSE_TOO_LARGE'],
  ])('an event that %s ends the stream', async (_name, text, code) => {
    const server = await serve(createSource().schema, streaming(text));
    const stream = await open(connect(server, { protocol: 'sse' }));
    expect(codeOf(await stream.next().catch((error) => error))).toBe(code);
  });

  test('a missing field of an event is reported, and the stream continues', async () => {
    const events = ['{"data":{}}', '{"data":{"ticks":1}}'].map((data) => `event: next\ndata: ${data}\n\n`);
    const server = await serve(createSource().schema, streaming(...events));
    const stream = await open(connect(server, { protocol: 'sse' }));
    expect((await stream.next()).value).toMatchObject({
      data: {},
      errors: [{ path: ['ticks'], extensions: { code: 'SUBGRAPH_RESPONSE_INVALID' } }],
    });
    expect((await stream.next()).value).toEqual({ data: { ticks: 1 } });
    await stream.return?.();
  });

  test('a slow reader slows the sender, and loses nothing', async () => {
    let written = 0;
    const total = 4_000;
    const filler = 'x'.repeat(5_000);
    const server = await serve(createSource().schema, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = (): void => {
        while (written < total) {
          written += 1;
          if (!response.write(`event: next\ndata: {"data":{"n":${written},"filler":"${filler}"}}\n\n`)) {
            response.once('drain', write);
            return;
          }
        }
        response.end('event: complete\ndata:\n\n');
      };
      write();
      return true;
    });
    const stream = await open(connect(server, { protocol: 'sse' }));
    let last = -1;
    // Until the sender has stopped by itself.
    while (written !== last) {
      last = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(written).toBeLessThan(total);
    let seen = 0;
    for await (const event of stream) {
      seen += 1;
      expect(event.data?.n).toBe(seen);
    }
    expect(seen).toBe(total);
  });

  test.each<[string, (response: Parameters<Interceptor>[1]) => unknown, string]>([
    ['does not end', (response) => response.write('{"errors":['), 'SUBGRAPH_TIMEOUT'],
    ['breaks off', (response) => response.write('{', () => response.destroy()), 'SUBGRAPH_UNREACHABLE'],
    ['has no events', (response) => response.end('{"data":{"ticks":1}}'), 'SUBGRAPH_RESPONSE_INVALID'],
  ])('an answer that is no stream and %s is a failure with a code', async (_name, answer, code) => {
    const server = await serve(createSource().schema, (_request, response) => {
      answer(response.writeHead(200, { 'content-type': 'application/json' }));
      return true;
    });
    const timeoutMs = code === 'SUBGRAPH_TIMEOUT' ? 300 : undefined;
    const pending = connect(server, { protocol: 'sse' }, timeoutMs).subscribe(TICKS, {}, context());
    expect(codeOf(await pending.catch((error) => error))).toBe(code);
  });

  test('events of a silent stream fail, and it is closed', async () => {
    const closed = jest.fn();
    const server = await serve(createSource().schema, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: next\ndata: {"data":{"ticks":1}}\n\n');
      response.on('close', closed);
      return true;
    });
    holdTimers();
    const stream = await open(connect(server, { protocol: 'sse', silenceMs: SILENCE_MS }));
    expect(await stream.next()).toEqual({ value: { data: { ticks: 1 } }, done: false });
    jest.advanceTimersByTime(SILENCE_MS);
    expect(codeOf(await stream.next().catch((error) => error))).toBe('SUBGRAPH_TIMEOUT');
    jest.useRealTimers();
    await until('its end', () => closed.mock.calls.length === 1);
  });

  test('a comment breaks the silence', async () => {
    let send: (text: string) => void = () => undefined;
    const server = await serve(createSource().schema, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      send = (text) => response.write(text);
      return true;
    });
    holdTimers();
    const stream = await open(connect(server, { protocol: 'sse', silenceMs: SILENCE_MS }));
    for (const _comment of [1, 2, 3]) {
      jest.advanceTimersByTime(SILENCE_MS - 1);
      send(':\n\n');
      // A real moment for the system to pass it on, and a turn of the event loop to read it.
      await sleep(20);
      await nextTurn();
    }
    send('event: next\ndata: {"data":{"ticks":1}}\n\nevent: complete\ndata:\n\n');
    expect(await stream.next()).toEqual({ value: { data: { ticks: 1 } }, done: false });
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test('a stream that does not start ends with a time-out', async () => {
    const server = await serve(createSource().schema, () => true);
    const pending = connect(server, { protocol: 'sse' }, 30).subscribe(TICKS, {}, context());
    expect(codeOf(await pending.catch((error) => error))).toBe('SUBGRAPH_TIMEOUT');
  });
});
