/**
 * Hostile clients of `npm run bench:subscriptions`, all in one process, until they are killed. Its parent controls it by
 * `ATTACK` whom to attack and how; any message from the parent is answered with what each kind has done so far.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import WebSocket from 'ws';
import { type Attack, FRAMES } from './attacks.ts';

const {
  url,
  key,
  query,
  operationId,
  kinds,
  clients: wanted,
} = JSON.parse(process.env.ATTACK ?? '') as Attack;
const SLOW_READERS = 50;
const HALF_OPEN = 200;
const FLOODERS = 5;
const FLOOD_BATCH = 50;
const MALFORMERS = 10;
const PAYLOAD = 'x'.repeat(10_000);

const done: Record<string, number> = {};
const note = (what: string) => {
  done[what] = (done[what] ?? 0) + 1;
};

const subscribe = (id: number) =>
  JSON.stringify({ id: String(id), type: 'subscribe', payload: { query, variables: { operationId } } });

/** A socket that has been acknowledged. */
function openSocket(options: { readonly autoPong: boolean }): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, GRAPHQL_TRANSPORT_WS_PROTOCOL, {
      perMessageDeflate: false,
      ...options,
    });
    socket.on('open', () => {
      note('sockets opened');
      socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': key } }));
    });
    socket.on('close', (code) => note(`closed with ${code}`));
    socket.on('error', reject);
    socket.once('message', () => {
      // From now on an error is what the attack is for.
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** Has large answers made, and reads none of them. */
async function readSlowly(): Promise<void> {
  const socket = await openSocket({ autoPong: true });
  socket.send(subscribe(1));
  socket.pause();
  while (socket.readyState === WebSocket.OPEN) {
    if (socket.bufferedAmount === 0) {
      socket.send(JSON.stringify({ type: 'ping', payload: { PAYLOAD } }));
      note('pings unread');
    }
    await delay(10);
  }
}

/** Subscribes, and is gone without a word. */
async function stayHalfOpen(): Promise<void> {
  const socket = await openSocket({ autoPong: false });
  socket.send(subscribe(1));
  await new Promise((resolve) => socket.once('close', resolve));
}

/** Subscribes, completes and pings as fast as the server takes it. */
async function flood(): Promise<void> {
  const socket = await openSocket({ autoPong: true });
  for (let id = 1; socket.readyState === WebSocket.OPEN; id += 1) {
    socket.send(subscribe(id));
    socket.send(JSON.stringify({ id: String(id), type: 'complete' }));
    socket.send(JSON.stringify({ type: 'ping' }));
    note('floods');
    if (id % FLOOD_BATCH === 0) {
      await new Promise((resolve) => socket.send('{"type":"ping"}', resolve));
    }
  }
}

/** Sends what is no message, one kind of frame after the other, each on a connection of its own. */
async function malform(turn: number): Promise<void> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = [
    'GET /graphql HTTP/1.1',
    `host: ${hostname}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
    `sec-websocket-protocol: ${GRAPHQL_TRANSPORT_WS_PROTOCOL}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.once('data', () => socket.write(FRAMES[turn % FRAMES.length] ?? ''));
  socket.resume();
  note('malformed frames');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([closed, delay(1_000)]);
  socket.destroy();
}

const ATTACKS: Readonly<Record<Attack['kinds'][number], readonly [number, (turn: number) => Promise<void>]>> =
  {
    slow: [SLOW_READERS, readSlowly],
    'half-open': [HALF_OPEN, stayHalfOpen],
    flooding: [FLOODERS, flood],
    malformed: [MALFORMERS, malform],
  };

async function attackForEver(attack: (turn: number) => Promise<void>): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    await attack(turn).catch((error: Error) => note(error.message));
    await delay(50);
  }
}

process.on('message', () => process.send?.(done));
process.on('disconnect', () => process.exit(0));
for (const kind of kinds) {
  const [clients, attack] = ATTACKS[kind];
  for (let client = 0; client < (wanted ?? clients); client += 1) {
    void attackForEver(attack);
  }
}
