import type { WebSocket } from 'ws';

/** A socket that has not answered a ping by the next one is gone: its client, or the way to it, has died silently. */
const PING_MS = 12_000;
/** Pings for which an answer may take longer while the one before still waits behind a large message, as event streams have. */
const MOST_WAITS = 5;
/** Sockets take turns, so that thousands are not pinged in one turn of the event loop. */
const TURNS = 48;

/**
 * Pings sockets, and ends those that do not answer: 12 to 24 s after the client has died, and at most 84 s while data waits for
 * a slow connection, for a ping comes behind it.
 */
export interface Heartbeat {
  /** @param unresponsive called before the socket is ended */
  add(socket: WebSocket, unresponsive: () => void): void;
  /** A message has come: its client is there, though the answer to a ping may wait behind others. */
  markAlive(socket: WebSocket): void;
  delete(socket: WebSocket): void;
  stop(): void;
}

interface Beating {
  readonly turn: Set<WebSocket>;
  isAnswered: boolean;
  /** How many more times the answer to the ping may be waited for. */
  waits: number;
  unresponsive(): void;
}

/** Makes one for many sockets. It has one timer, which runs while there are any. */
export function createHeartbeat(): Heartbeat {
  const turns = Array.from({ length: TURNS }, () => new Set<WebSocket>());
  const beating = new Map<WebSocket, Beating>();
  let [present, added] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const beat = () => {
    present = (present + 1) % TURNS;
    for (const socket of turns[present] ?? []) {
      ping(socket, beating.get(socket));
    }
  };
  const markAlive = (socket: WebSocket) => {
    const state = beating.get(socket);
    if (state !== undefined) {
      state.isAnswered = true;
    }
  };
  // One listener for all sockets: each has enough of its own.
  function onPong(this: WebSocket): void {
    markAlive(this);
  }
  return {
    add(socket, unresponsive) {
      added = (added + 1) % TURNS;
      const turn = (turns[added] ?? new Set()).add(socket);
      beating.set(socket, { turn, isAnswered: true, waits: 0, unresponsive });
      socket.on('pong', onPong);
      timer ??= setInterval(beat, PING_MS / TURNS);
    },
    markAlive,
    delete(socket) {
      beating.get(socket)?.turn.delete(socket);
      beating.delete(socket);
      if (beating.size === 0) {
        stop();
      }
    },
    stop,
  };
}

function ping(socket: WebSocket, state: Beating | undefined): void {
  if (state?.isAnswered === false) {
    if (state.waits > 0) {
      state.waits -= 1;
      return;
    }
    state.unresponsive();
    socket.terminate();
  } else if (state !== undefined && socket.readyState === socket.OPEN) {
    state.isAnswered = false;
    state.waits = MOST_WAITS;
    socket.ping(undefined, undefined, () => {
      // It is sent. From now on the client has as long as ever: all the time until the next ping.
      state.waits = state.waits === MOST_WAITS ? 0 : 1;
    });
  }
}
