import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import WebSocket from 'ws';
import type { Principal, RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { until } from '../../../test/support/until.ts';
import { BoundedQueue, type Engine } from '../../engine/index.ts';
import { createTestGraph } from '../../engine/testing/index.ts';
import { createClientDocuments } from '../documents/client-documents.ts';
import { createStreamDrain } from '../drain.ts';
import { CLIENT_PACE } from '../sockets/inbound.ts';
import { createClientStreams, EVENT_FIELDS } from './client-streams.ts';
import { countOfPartners } from './open-counts.ts';
import { addGraphQL } from './route.ts';
import { addWebSocket } from './websocket.ts';

const PRINCIPAL: Principal = { accountId: 'acme/sandbox', keyId: 'k', scopes: ['partner'] };
/** Size of one event: the operating system buffers some megabytes for a connection whose client does not read. */
const EVENT_BYTES = 200_000;
const CHANGES = 80;
const LIMITS = { events: 10, bytes: 10_000_000 };
const FOLLOW = 'subscription ($after: String) { changed(after: $after) { n text } }';

interface Change {
  readonly n: number;
  readonly cursor: string;
  readonly occurredAt: string;
  readonly text: string;
}

/** The events that a client has received. */
interface Received {
  readonly numbers: number[];
  /** The error that it ended with. */
  readonly errors: { readonly extensions: { readonly code: string; readonly cursor?: string } }[];
}

let app: FastifyInstance;
let url: string;
/** All changes so far: a follower may start after any of them. */
let log: Change[];
let queues: Set<BoundedQueue<{ changed: Change }>>;
let ended: string[];

/** Follows the log as the product does: past events are read on demand, new ones are pushed. */
function follow(after: string | null) {
  const queue = new BoundedQueue<{ changed: Change }>({
    limit: Number.POSITIVE_INFINITY,
    returned: () => void queues.delete(queue),
  });
  const missed = after === null ? [] : log.slice(log.findIndex(({ cursor }) => cursor === after) + 1);
  for (const changed of missed) {
    queue.push({ changed });
  }
  queues.add(queue);
  return queue;
}

function publish(): void {
  const n = log.length + 1;
  const changed = {
    n,
    cursor: `c${n}`,
    occurredAt: new Date().toISOString(),
    text: 'x'.repeat(EVENT_BYTES),
  };
  log.push(changed);
  for (const queue of queues) {
    queue.push({ changed });
  }
}

beforeEach(async () => {
  log = [];
  queues = new Set();
  ended = [];
  const { engine } = createTestGraph({
    subgraphs: {
      one: `type Query { a: Int } type Subscription { changed(after: String): Change! }
        type Change { n: Int! cursor: String! occurredAt: String! text: String! }`,
    },
    resolvers: {
      Subscription: { changed: { subscribe: (_source, { after = null }) => follow(after as string | null) } },
    },
    engine: { eventFields: EVENT_FIELDS },
  });
  app = Fastify({ forceCloseConnections: true });
  app.decorateRequest('principal', null);
  const clients = createClientStreams({
    limits: LIMITS,
    metrics: { started: () => undefined, sent: () => undefined, ended: (reason) => ended.push(reason) },
    log: app.log,
  });
  const shared = {
    engine: engine as unknown as Engine<RequestContext>,
    documents: createClientDocuments(),
    credentials: { authenticate: async () => PRINCIPAL },
    revocations: { watch: () => () => undefined },
    sockets: countOfPartners(1_000, 1),
    drain: createStreamDrain({ seconds: 0 }),
    clients,
  };
  await addGraphQL(app, shared);
  addWebSocket(app, {
    ...shared,
    limits: { take: () => ({ allowed: true, quotas: [] }) },
    pace: CLIENT_PACE,
    requestLog: { record: () => undefined },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`;
});
afterEach(() => app.close());

interface Client extends Received {
  pause(): void;
  resume(): void;
  close(): void;
}

async function openSocket(after?: string): Promise<Client> {
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws');
  const received: Received = { numbers: [], errors: [] };
  const acknowledged = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { type: string; payload?: unknown };
      if (message.type === 'connection_ack') {
        resolve();
      } else if (message.type === 'error') {
        received.errors.push(...(message.payload as Received['errors']));
      } else if (message.type === 'next') {
        received.numbers.push((message.payload as { data: { changed: Change } }).data.changed.n);
      }
    });
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': 'key' } }));
  await acknowledged;
  socket.send(
    JSON.stringify({ type: 'subscribe', id: '1', payload: { query: FOLLOW, variables: { after } } }),
  );
  return {
    ...received,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  };
}

async function openEventStream(after?: string, query = FOLLOW): Promise<Client & { ids(): string[] }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      accept: 'text/event-stream',
      'x-api-key': 'key',
      ...(after === undefined ? {} : { 'last-event-id': after }),
    };
    httpRequest(`${url}?query=${encodeURIComponent(query)}`, { headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  const received: Received = { numbers: [], errors: [] };
  const ids: string[] = [];
  let rest = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      ids.push(...(/^id: (.*)$/m.exec(block)?.slice(1) ?? []));
      const data = /^data: (.+)$/m.exec(block)?.[1];
      const result = data === undefined ? {} : JSON.parse(data);
      received.numbers.push(...(result.data ? [result.data.changed.n] : []));
      received.errors.push(...(result.errors ?? []));
    }
  });
  return {
    ...received,
    ids: () => ids,
    pause: () => response.pause(),
    resume: () => response.resume(),
    close: () => response.destroy(),
  };
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe.each<[string, (after?: string) => Promise<Client>]>([
  ['a socket', openSocket],
  ['an event stream', openEventStream],
])('a client of %s that does not read', (_name, open) => {
  test('ends with its last cursor, delays nobody, and resumes after it without a gap', async () => {
    const slow = await open();
    const reading = [await openSocket(), await openEventStream()];
    await until('all follow', () => queues.size === 3);
    slow.pause();
    for (let n = 1; n <= CHANGES; n += 1) {
      publish();
      await until(`change ${n} at those that read`, () =>
        reading.every(({ numbers }) => numbers.length === n),
      );
    }
    for (const { numbers, errors } of reading) {
      expect([numbers, errors]).toEqual([upTo(CHANGES), []]);
    }
    // Nothing is buffered or read for it any more, although it has not read its end yet.
    expect([ended, queues.size, slow.numbers.length]).toEqual([['slow'], 2, 0]);

    slow.resume();
    await until('its end', () => slow.errors.length > 0);
    const last = slow.numbers.length;
    expect(slow.numbers).toEqual(upTo(last));
    expect(last).toBeLessThan(CHANGES - LIMITS.events);
    expect(slow.errors).toMatchObject([{ extensions: { code: 'SLOW_CONSUMER', cursor: `c${last}` } }]);

    const again = await open(`c${last}`);
    await until('the rest', () => again.numbers.length === CHANGES - last);
    expect(again.numbers).toEqual(upTo(CHANGES, last + 1));
    for (const client of [slow, again, ...reading]) {
      client.close();
    }
  });
});

test('a flood of pings waits at its client while that reads no answers, and delays nobody', async () => {
  const reading = [await openSocket(), await openEventStream()];
  const flooding = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws');
  await once(flooding, 'open');
  flooding.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': 'key' } }));
  await once(flooding, 'message');
  await until('both follow', () => queues.size === 2);
  let pongs = 0;
  flooding.on('message', () => {
    pongs += 1;
  });
  flooding.pause();
  // The server answers a ping with its payload, which would be 60 MB in memory.
  const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(1_000_000) } });
  for (let n = 1; n <= 60; n += 1) {
    flooding.send(ping);
    publish();
    await until(`change ${n}`, () => reading.every(({ numbers }) => numbers.length === n));
  }
  // The operating system buffers most of the rest: some megabytes for each direction.
  expect(flooding.bufferedAmount).toBeGreaterThan(30_000_000);
  flooding.resume();
  await until('all answers', () => pongs === 60);
  flooding.close();
  for (const client of reading) {
    expect(client.numbers).toEqual(upTo(60));
    client.close();
  }
});

test('an event stream has the cursor of each event as its id for every selection', async () => {
  const stream = await openEventStream();
  await until('it follows', () => queues.size === 1);
  publish();
  publish();
  await until('both', () => stream.numbers.length === 2);
  expect(stream.ids()).toEqual(['c1', 'c2']);
  stream.close();
});

test('an EventSource that reconnects with its first URL continues after the last event that it got', async () => {
  publish();
  publish();
  publish();
  const stream = await openEventStream('c2', 'subscription { changed(after: "c1") { n } }');
  await until('the missed ones', () => stream.numbers.length > 0);
  expect(stream.ids()).toEqual(['c3']);
  stream.close();
});
