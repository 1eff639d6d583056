import type { WebSocket } from 'ws';

/** How many messages of a socket are handled: so many at once, and so many a second in the long run. */
export interface Pace {
  readonly burst: number;
  readonly perSecond: number;
}

/** The pace of a client that has been quiet for two seconds: a page may open a hundred subscriptions at once. */
export function paceOf(perSecond: number): Pace {
  return { burst: 2 * perSecond, perSecond };
}

/** Where no setting says otherwise. */
export const CLIENT_PACE = paceOf(200);

/** Messages of one socket that are handled in a turn of the event loop: others come between. */
const IN_A_TURN = 20;
/** With more bytes on their way to a client, its messages wait: their answers would wait with the rest. */
const MOST_UNREAD_BYTES = 128 * 1024;
/** How often it is looked whether the client has read them. */
const LOOK_MS = 50;

/** Messages of one socket. */
export interface Inbound {
  receive(message: Buffer): void;
  /** Lets go what waits. */
  close(): void;
}

/**
 * Hands messages on in their order, no faster than the pace. Messages beyond it are not read from the connection, and so wait
 * with its client: nobody else's messages wait for it, and it fills no memory here. Nothing is lost.
 */
export function createInbound(
  socket: Pick<WebSocket, 'pause' | 'resume' | 'bufferedAmount'>,
  pace: Pace,
  handle: (message: Buffer) => void,
): Inbound {
  return new PacedInbound(socket, pace, handle);
}

/** A class, because there is one for each of thousands of sockets. */
class PacedInbound implements Inbound {
  /** Undefined while nothing waits. */
  #waiting: Buffer[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How many may be handled at the time of `#countedAt`. */
  #left: number;
  #countedAt = performance.now();
  #handledInTurn = 0;

  constructor(
    private readonly socket: Pick<WebSocket, 'pause' | 'resume' | 'bufferedAmount'>,
    private readonly pace: Pace,
    private readonly handle: (message: Buffer) => void,
  ) {
    this.#left = pace.burst;
  }

  receive(message: Buffer): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(message);
      return;
    }
    this.#waiting = [message];
    this.#work();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  /** Handles what waits, as far as it may. */
  #work(): void {
    const waiting = this.#waiting ?? [];
    while (waiting.length > 0) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) {
        this.socket.pause();
        this.#timer = setTimeout(() => this.#resume(), waitMs);
        return;
      }
      this.#count();
      this.handle(waiting.shift() as Buffer);
    }
    this.#waiting = undefined;
  }

  #resume(): void {
    this.#work();
    if (this.#waiting === undefined) {
      this.socket.resume();
    }
  }

  #count(): void {
    this.#left -= 1;
    if (this.#handledInTurn === 0) {
      setImmediate(() => {
        this.#handledInTurn = 0;
      });
    }
    this.#handledInTurn += 1;
  }

  /** How long the next message waits, milliseconds. */
  #waitMs(): number {
    if (this.socket.bufferedAmount > MOST_UNREAD_BYTES) {
      return LOOK_MS;
    }
    const { burst, perSecond } = this.pace;
    const now = performance.now();
    this.#left = Math.min(burst, this.#left + ((now - this.#countedAt) / 1_000) * perSecond);
    this.#countedAt = now;
    if (this.#left < 1) {
      return Math.ceil(((1 - this.#left) / perSecond) * 1_000);
    }
    return this.#handledInTurn < IN_A_TURN ? 0 : 1;
  }
}
