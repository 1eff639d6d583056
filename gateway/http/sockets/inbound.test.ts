import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createInbound } from './inbound.ts';

const PACE = { burst: 30, perSecond: 10 };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function open() {
  const socket = {
    bufferedAmount: 0,
    isPaused: false,
    pause: () => {
      socket.isPaused = true;
    },
    resume: () => {
      socket.isPaused = false;
    },
  };
  const handled: string[] = [];
  const inbound = createInbound(socket, PACE, (message) => handled.push(String(message)));
  const send = (from: number, to: number) => {
    for (let number = from; number <= to; number += 1) {
      inbound.receive(Buffer.from(String(number)));
    }
  };
  return { socket, handled, inbound, send };
}

const numbers = (to: number) => Array.from({ length: to }, (_, index) => String(index + 1));

describe('messages of a socket', () => {
  test('are handled at once, in order, while they are few', () => {
    const { socket, handled, send } = open();
    send(1, 20);
    expect(handled).toEqual(numbers(20));
    expect(socket.isPaused).toBe(false);
  });

  test('leave turns of the event loop to others when they come all at once', () => {
    const { socket, handled, send } = open();
    send(1, 25);
    expect(handled).toHaveLength(20);
    expect(socket.isPaused).toBe(true);
    jest.advanceTimersByTime(1);
    expect(handled).toEqual(numbers(25));
    expect(socket.isPaused).toBe(false);
  });

  test('wait in order when they are more than the pace allows, and are not read then', () => {
    const { socket, handled, send } = open();
    send(1, 50);
    jest.advanceTimersByTime(1);
    expect(handled).toHaveLength(30);
    expect(socket.isPaused).toBe(true);
    jest.advanceTimersByTime(1_000);
    expect(handled.length).toBeGreaterThanOrEqual(39);
    expect(handled.length).toBeLessThanOrEqual(41);
    jest.advanceTimersByTime(1_200);
    expect(handled).toEqual(numbers(50));
    expect(socket.isPaused).toBe(false);
  });

  test('wait while their client does not read what has been sent to it', () => {
    const { socket, handled, send } = open();
    socket.bufferedAmount = 2 * 1024 * 1024;
    send(1, 2);
    jest.advanceTimersByTime(60_000);
    expect(handled).toEqual([]);
    expect(socket.isPaused).toBe(true);
    socket.bufferedAmount = 0;
    jest.advanceTimersByTime(50);
    expect(handled).toEqual(['1', '2']);
    expect(socket.isPaused).toBe(false);
  });

  test('that wait are let go when the socket closes', () => {
    const { socket, handled, inbound, send } = open();
    socket.bufferedAmount = 2 * 1024 * 1024;
    send(1, 2);
    inbound.close();
    socket.bufferedAmount = 0;
    send(3, 3);
    jest.advanceTimersByTime(1_000);
    expect(handled).toEqual([]);
  });
});
