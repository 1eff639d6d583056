import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import {
  codeOf,
  context,
  createGate,
  createHarness,
  mutation,
  query,
  schema,
} from '../testing/http-harness.ts';
import { type Interceptor, startSubgraph } from '../testing/subgraph-server.ts';
import { createHttpTransport } from './http.ts';

const { serve, connect, opened, close } = createHarness();
afterEach(close);

/** Answers every request in the same way. */
const answering =
  (status: number, type: string | null, body: string): Interceptor =>
  (_request, response) => {
    response.writeHead(status, type === null ? {} : { 'content-type': type }).end(body);
    return true;
  };

describe('a request', () => {
  test('has the document, variables, both media types, the request id and custom headers', async () => {
    const server = await serve();
    const transport = connect(server.url, {
      headers: ({ requestId }) => ({ 'x-signed': `for ${requestId}` }),
    });
    expect(await transport.execute(query, { n: 1 }, context())).toEqual({ data: { a: null } });
    const [received] = server.received;
    expect(received?.body).toEqual({ query: query.document, operationName: 'Q', variables: { n: 1 } });
    expect(received?.headers).toMatchObject({
      accept: 'application/graphql-response+json, application/json;q=0.9',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'x-request-id': 'r-1',
      'x-signed': 'for r-1',
    });
  });

  test('uses kept connections, and no more than allowed', async () => {
    const server = await serve();
    const transport = connect(server.url, { connections: 2 });
    await Promise.all(Array.from({ length: 20 }, () => transport.execute(query, {}, context())));
    await transport.execute(query, {}, context());
    expect(server.received).toHaveLength(21);
    expect(server.connections()).toBe(2);
  });

  test('does not reuse a connection that was unused for too long, whatever the server offers', async () => {
    const server = await serve((_request, response) => {
      response.setHeader('keep-alive', 'timeout=60');
      return false;
    });
    const transport = connect(server.url, { connections: 1, idleMs: 20 });
    await transport.execute(query, {}, context());
    await until('the connection is closed', () => server.open() === 0);
    await transport.execute(query, {}, context());
    expect(server.connections()).toBe(2);
  });
});

describe('an answer', () => {
  test.each([
    [
      'a GraphQL error with status 400',
      400,
      'application/json',
      '{"errors":[{"message":"no","path":["a",0],"extensions":{"code":"X"}}]}',
      { errors: [{ message: 'no', path: ['a', 0], extensions: { code: 'X' } }] },
    ],
    [
      'data and errors, with status 294',
      294,
      'application/graphql-response+json; charset=utf-8',
      '{"data":{"a":null},"errors":[{"message":"e"}]}',
      { data: { a: null }, errors: [{ message: 'e' }] },
    ],
    [
      'data null with errors',
      200,
      'application/json',
      '{"data":null,"errors":[{"message":"e"}]}',
      { data: null, errors: [{ message: 'e' }] },
    ],
    [
      'an error of the wrong form',
      200,
      'application/json',
      '{"errors":[null]}',
      { errors: [{ message: 'The subgraph reported an error without a message.' }] },
    ],
    ['no content type', 200, null, '{"data":{"a":1}}', { data: { a: 1 } }],
  ])('with %s is taken', async (_name, status, type, body, expected) => {
    const server = await serve(answering(status, type, body));
    expect(await connect(server.url).execute(query, {}, context())).toEqual(expected);
  });

  test.each([
    ['HTML', 200, 'text/html', '<p>', 'SUBGRAPH_RESPONSE_INVALID'],
    ['broken JSON', 200, 'application/json', '{"data":', 'SUBGRAPH_RESPONSE_INVALID'],
    ['other JSON', 200, 'application/json', '{"ok":true}', 'SUBGRAPH_RESPONSE_INVALID'],
    ['a list', 200, 'application/json', '[]', 'SUBGRAPH_RESPONSE_INVALID'],
    ['data null alone', 200, 'application/json', '{"data":null}', 'SUBGRAPH_RESPONSE_INVALID'],
    ['status 503', 503, 'text/plain', 'busy', 'SUBGRAPH_HTTP_ERROR'],
    ['a redirect', 302, 'application/json', '{}', 'SUBGRAPH_HTTP_ERROR'],
    [
      'too many bytes',
      200,
      'application/json',
      `{"data":{"a":"${'x'.repeat(500)}"}}`,
      'SUBGRAPH_RESPONSE_TOO_LARGE',
    ],
  ])('with %s fails', async (_name, status, type, body, code) => {
    const server = await serve(answering(status, type, body));
    const failures: string[] = [];
    const transport = connect(server.url, {
      maxResponseBytes: 200,
      onFailure: (error, fetch) => failures.push(`${fetch.subgraph} ${error.extensions.code}`),
    });
    expect(await codeOf(transport.execute(query, {}, context()))).toBe(code);
    expect(failures).toEqual([`s ${code}`]);
    expect(server.received).toHaveLength(1);
  });

  test('that is late fails with a time-out', async () => {
    const gate = createGate();
    const server = await serve(gate.intercept);
    const transport = connect(server.url, { timeoutMs: 30 });
    expect(await codeOf(transport.execute(query, {}, context()))).toBe('SUBGRAPH_TIMEOUT');
    gate.release();
  });

  test('that is no longer needed is aborted', async () => {
    const gate = createGate();
    const server = await serve(gate.intercept);
    const gone = new AbortController();
    const transport = connect(server.url, { connections: 1 });
    const first = codeOf(transport.execute(query, {}, context({ signal: gone.signal })));
    const queued = codeOf(transport.execute(query, {}, context({ signal: gone.signal })));
    await until('a request upstream', () => gate.waiting() === 1);
    const reason = new Error('gone');
    gone.abort(reason);
    expect(await first).toBe(reason);
    expect(await queued).toBe(reason);
    expect(await codeOf(transport.execute(query, {}, context({ signal: gone.signal })))).toBe(reason);
    gate.release();
    expect(await transport.execute(query, {}, context())).toEqual({ data: { a: 1 } });
    expect(server.received).toHaveLength(2);
  });
});

describe('without an answer', () => {
  /** Closes each connection after its request, until the `fine`th request, which gets an answer. */
  async function startRude(fine: number): Promise<{ url: string; requests: () => number }> {
    let requests = 0;
    const body = '{"data":{"a":7}}';
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        requests += 1;
        if (requests < fine) {
          socket.destroy();
        } else {
          socket.end(
            `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
        }
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    opened.push({ close: async () => void server.close() });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: () => requests };
  }

  test('a query is sent again, as often as there are delays', async () => {
    const patient = await startRude(3);
    expect(await connect(patient.url).execute(query, {}, context())).toEqual({ data: { a: 7 } });
    expect(patient.requests()).toBe(3);
    const rude = await startRude(99);
    expect(await codeOf(connect(rude.url).execute(query, {}, context()))).toBe('SUBGRAPH_UNREACHABLE');
    expect(rude.requests()).toBe(3);
  });

  test('a mutation is not', async () => {
    const rude = await startRude(2);
    expect(await codeOf(connect(rude.url).execute(mutation, {}, context()))).toBe('SUBGRAPH_UNREACHABLE');
    expect(rude.requests()).toBe(1);
  });

  test('a query waits for a subgraph that is about to listen', async () => {
    const before = await startSubgraph(schema);
    const { url } = before;
    await before.close();
    const transport = connect(url, { retryDelaysMs: Array(2_000).fill(10) });
    const pending = transport.execute(query, {}, context());
    opened.push(await startSubgraph(schema, { port: Number(new URL(url).port) }));
    expect(await pending).toEqual({ data: { a: null } });
  });

  test('waiting ends with the caller', async () => {
    const server = await startSubgraph(schema);
    await server.close();
    const gone = new AbortController();
    const transport = connect(server.url, { retryDelaysMs: [60_000] });
    const pending = codeOf(transport.execute(query, {}, context({ signal: gone.signal })));
    setImmediate(() => gone.abort(new Error('gone')));
    expect(await pending).toEqual(new Error('gone'));
  });

  test('a query whose answer breaks off is not sent again', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"da', () => response.destroy());
      return true;
    });
    expect(await codeOf(connect(server.url).execute(query, {}, context()))).toBe('SUBGRAPH_UNREACHABLE');
    expect(server.received).toHaveLength(1);
  });
});

test('a URL of another scheme is an error at once', () => {
  expect(() => createHttpTransport({ url: 'ftp://x/' })).toThrow('http: or https:');
});

describe('a 401', () => {
  const answer = answering(401, 'application/json', '{"errors":[{"message":"no such key"}]}');
  const subscription = { ...query, document: 'subscription { a }', operationKind: 'subscription' } as const;

  test('goes to the client by default, but not if it is about the gateway', async () => {
    const { url } = await serve(answer);
    const subscriptions = { protocol: 'sse' } as const;
    const open = connect(url, { subscriptions });
    const closed = connect(url, { subscriptions, unauthorizedIsFailure: true });
    const itsAnswer = { errors: [{ message: 'no such key' }] };
    expect(await open.execute(query, {}, context())).toEqual(itsAnswer);
    expect(await open.subscribe(subscription, {}, context())).toEqual(itsAnswer);
    expect(await codeOf(closed.execute(query, {}, context()))).toBe('SUBGRAPH_HTTP_ERROR');
    expect(await codeOf(closed.subscribe(subscription, {}, context()))).toBe('SUBGRAPH_HTTP_ERROR');
  });
});
