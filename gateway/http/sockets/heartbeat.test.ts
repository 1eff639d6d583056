import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import WebSocket from 'ws';
import { createHeartbeat } from './heartbeat.ts';

const PING_MS = 12_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** The part of a socket that a heartbeat needs. */
class Socket extends EventEmitter {
  readonly OPEN = WebSocket.OPEN;
  readonly readyState: number = WebSocket.OPEN;
  pings = 0;
  isTerminated = false;
  /** While data waits, a ping waits behind it. */
  isWaiting = false;
  #sent: () => void = () => undefined;
  readonly #answers: boolean;

  constructor(answers: boolean) {
    super();
    this.#answers = answers;
  }

  ping(_data: unknown, _mask: unknown, sent: () => void): void {
    this.pings += 1;
    this.#sent = sent;
    if (!this.isWaiting) {
      this.drain();
    }
  }

  /** All that waited is sent. */
  drain(): void {
    this.isWaiting = false;
    this.#sent();
    if (this.#answers) {
      this.emit('pong');
    }
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function open(count: number, answers = true) {
  const heartbeat = createHeartbeat();
  const sockets = Array.from({ length: count }, () => new Socket(answers));
  const unresponsive: Socket[] = [];
  for (const socket of sockets) {
    heartbeat.add(socket as unknown as WebSocket, () => unresponsive.push(socket));
  }
  return { heartbeat, sockets, unresponsive };
}

test('Thousands of sockets are pinged a few at a time, until they are gone', () => {
  const { heartbeat, sockets } = open(4_800);
  const pinged = () => sockets.filter(({ pings }) => pings > 0).length;
  const counts = Array.from({ length: 48 }, () => {
    jest.advanceTimersByTime(PING_MS / 48);
    return pinged();
  });
  expect(counts).toEqual(counts.map((_, turn) => (turn + 1) * 100));
  jest.advanceTimersByTime(PING_MS);
  expect(sockets.every(({ pings, isTerminated }) => pings === 2 && !isTerminated)).toBe(true);
  for (const socket of sockets) {
    heartbeat.delete(socket as unknown as WebSocket);
  }
  jest.advanceTimersByTime(2 * PING_MS);
  expect(sockets.every(({ pings }) => pings === 2)).toBe(true);
});

test('A socket that does not answer is ended with its next ping, and its reason is sent first', () => {
  const { sockets, unresponsive } = open(1, false);
  jest.advanceTimersByTime(PING_MS);
  expect(unresponsive).toEqual([]);
  jest.advanceTimersByTime(PING_MS);
  expect(sockets[0]).toMatchObject({ pings: 1, isTerminated: true });
  expect(unresponsive).toEqual(sockets);
});

test('A socket from which messages come is there, whatever becomes of its pings', () => {
  const { heartbeat, sockets } = open(1, false);
  for (const socket of sockets) {
    jest.advanceTimersByTime(PING_MS);
    heartbeat.markAlive(socket as unknown as WebSocket);
    jest.advanceTimersByTime(PING_MS);
    expect(socket).toMatchObject({ pings: 2, isTerminated: false });
    jest.advanceTimersByTime(PING_MS);
    expect(socket.isTerminated).toBe(true);
  }
});

test('A ping that waits behind data may be answered later: by the ping after the one that is due when it is sent', () => {
  const { sockets } = open(1, false);
  for (const socket of sockets) {
    socket.isWaiting = true;
    jest.advanceTimersByTime(4 * PING_MS);
    expect(socket).toMatchObject({ pings: 1, isTerminated: false });
    socket.drain();
    jest.advanceTimersByTime(PING_MS);
    expect(socket.isTerminated).toBe(false);
    jest.advanceTimersByTime(PING_MS);
    expect(socket.isTerminated).toBe(true);
  }
});

test('A client that reads slowly stays; one that reads nothing is ended when its ping has waited for a minute', () => {
  const { sockets } = open(2);
  const [slow, stuck] = sockets as [Socket, Socket];
  slow.isWaiting = true;
  stuck.isWaiting = true;
  jest.advanceTimersByTime(5 * PING_MS);
  slow.drain();
  jest.advanceTimersByTime(PING_MS);
  expect([slow.isTerminated, stuck.isTerminated]).toEqual([false, false]);
  jest.advanceTimersByTime(PING_MS);
  expect([slow.isTerminated, stuck.isTerminated]).toEqual([false, true]);
});
