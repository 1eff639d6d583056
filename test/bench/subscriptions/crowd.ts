/**
 * Clients of `npm run bench:subscriptions`, many in a process: sockets of `graphql-transport-ws` that do as little as a client
 * can, so that the processor is the server's, and pollers over HTTP. Its parent talks to it by `crowd-words.ts`.
 */
import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import WebSocket from 'ws';
import { type Arrival, type CrowdOrder, type CrowdWord, machineMs, type Wanted } from './crowd-words.ts';

type Open = Extract<CrowdOrder, { kind: 'open' }>;
type Poll = Extract<CrowdOrder, { kind: 'poll' }>;

/** Sockets that are being opened at once. */
const OPENING = 50;
/** How a `next` begins, whichever server wrote it. */
const NEXT = /^\{"id":"(\d+)","type":"next"/;
const DETAILS = /"statusDetails":"([^"]*)"/;

let arrivals: Arrival[] = [];
let requests = 0;
let bytesTaken = 0;
let problems: string[] = [];
const sockets = new Set<WebSocket>();
const connections = new Set<Socket>();
let bytesGone = 0;
let readsDetails = false;
const timers = new Set<NodeJS.Timeout>();

function send(word: CrowdWord): void {
  process.send?.(word);
}

function count(connection: Socket): void {
  if (!connections.has(connection)) {
    connections.add(connection);
    connection.once('close', () => {
      connections.delete(connection);
      bytesGone += connection.bytesRead + connection.bytesWritten;
    });
  }
}

function bytesSoFar(): number {
  return [...connections].reduce(
    (sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten,
    bytesGone,
  );
}

async function open({ url, query, wanted, perSocket, details = false }: Open): Promise<void> {
  readsDetails = details;
  const groups: { readonly first: number; readonly wanted: readonly Wanted[] }[] = [];
  for (let first = 0; first < wanted.length; first += perSocket) {
    groups.push({ first, wanted: wanted.slice(first, first + perSocket) });
  }
  const queue = groups.values();
  const work = async () => {
    for (const group of queue) {
      await openSocket(url, query, group.first, group.wanted);
    }
  };
  await Promise.all(Array.from({ length: OPENING }, work));
}

function openSocket(url: string, query: string, first: number, wanted: readonly Wanted[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, GRAPHQL_TRANSPORT_WS_PROTOCOL, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    sockets.add(socket);
    const send = (message: object) => {
      requests += 1;
      socket.send(JSON.stringify(message));
    };
    socket.once('upgrade', (response) => count(response.socket));
    socket.on('open', () => send({ type: 'connection_init', payload: { 'X-API-Key': wanted[0]?.key } }));
    socket.once('message', () => {
      for (const [index, { variables }] of wanted.entries()) {
        send({ id: String(first + index), type: 'subscribe', payload: { query, variables } });
      }
      resolve();
      socket.on('message', (bytes: Buffer) => receive(bytes));
    });
    socket.on('error', (error) => problems.push(error.message));
    socket.on('close', (code) => {
      if (sockets.delete(socket)) {
        problems.push(`close ${code}`);
      }
      resolve();
    });
  });
}

function receive(bytes: Buffer): void {
  const at = machineMs();
  const index = NEXT.exec(bytes.toString('latin1', 0, 40))?.[1];
  if (index === undefined) {
    problems.push(String(bytes).slice(0, 200));
  } else {
    const details = readsDetails ? DETAILS.exec(String(bytes))?.[1] : undefined;
    arrivals.push({ index: Number(index), at, ...(readsDetails && { details }) });
  }
}

function poll({ url, query, wanted, everyMs }: Poll): void {
  const agent = new Agent({ keepAlive: true });
  for (const [index, one] of wanted.entries()) {
    let before: string | undefined;
    const call = async () => {
      const text = await post(agent, url, one.key, JSON.stringify({ query, variables: one.variables }));
      if (text !== before && before !== undefined) {
        arrivals.push({ index, at: machineMs() });
      }
      before = text;
    };
    const start = setTimeout(() => {
      const run = () => call().catch((error: Error) => problems.push(error.message));
      void run();
      timers.add(setInterval(run, everyMs));
    }, randomInt(everyMs));
    timers.add(start);
  }
}

function post(agent: Agent, url: string, key: string, body: string): Promise<string> {
  requests += 1;
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': key,
    };
    const call = request(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () =>
        response.statusCode === 200 && !text.includes('"errors"')
          ? resolve(text)
          : reject(new Error(`${response.statusCode} ${text.slice(0, 200)}`)),
      );
      response.once('error', reject);
    });
    call.once('socket', count);
    call.once('error', reject);
    call.end(body);
  });
}

function take(): void {
  const bytes = bytesSoFar();
  send({ kind: 'taken', arrivals, requests, bytes: bytes - bytesTaken, problems });
  [arrivals, requests, bytesTaken, problems] = [[], 0, bytes, []];
}

function close(): void {
  for (const timer of timers) {
    clearTimeout(timer);
  }
  timers.clear();
  for (const socket of sockets) {
    sockets.delete(socket);
    socket.terminate();
  }
}

process.on('message', (order: CrowdOrder) => {
  if (order.kind === 'open') {
    void open(order).then(() => send({ kind: 'opened' }));
  } else if (order.kind === 'poll') {
    poll(order);
    send({ kind: 'polling' });
  } else if (order.kind === 'take') {
    take();
  } else {
    close();
    send({ kind: 'closed' });
  }
});
process.on('disconnect', () => process.exit(0));
send({ kind: 'ready' });
