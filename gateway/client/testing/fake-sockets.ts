import type { jest } from '@jest/globals';
import type { WebSocketConstructor, WebSocketLike } from '../socket-connection.ts';

type Message = Readonly<Record<string, unknown>> & { readonly type?: string; readonly id?: string };
type Listeners = {
  open: () => void;
  error: () => void;
  message: (event: { readonly data: unknown }) => void;
  close: (event: { readonly code: number; readonly reason: string }) => void;
};

/** One socket as its server sees it. */
interface FakeSocket {
  readonly url: string;
  readonly protocol: string;
  /** The client's messages, in order. */
  readonly sent: readonly Message[];
  /** The code that the client has closed it with; undefined while it has not. */
  closedBy(): number | undefined;
  open(): void;
  /** Sends a message to the client, or any text. */
  say(message: Message | string): void;
  /** Opens it and lets the client in. */
  accept(): Promise<void>;
  /** The subscription that the client has begun last. */
  subscription(): { readonly id: string; readonly variables: Readonly<Record<string, unknown>> };
  close(code: number, reason?: string): void;
}

/** Sockets that a client opens. */
interface FakeSockets {
  readonly WebSocket: WebSocketConstructor;
  readonly opened: readonly FakeSocket[];
  last(): FakeSocket;
}

/** Makes a runtime whose sockets lead to the test. */
export function createFakeSockets(): FakeSockets {
  const opened: FakeSocket[] = [];
  class Socket implements WebSocketLike {
    readonly #listeners: Partial<Listeners> = {};
    constructor(url: string, protocol: string) {
      opened.push(createFakeSocket(url, protocol, this, this.#listeners));
    }
    addEventListener<Type extends keyof Listeners>(type: Type, listener: Listeners[Type]): void {
      this.#listeners[type] = listener;
    }
    send(_text: string): void {
      throw new Error('The socket is not open');
    }
    close(_code?: number): void {
      throw new Error('The fake takes its place');
    }
  }
  return { WebSocket: Socket, opened, last: () => opened.at(-1) as FakeSocket };
}

function createFakeSocket(
  url: string,
  protocol: string,
  socket: WebSocketLike,
  listeners: Partial<Listeners>,
): FakeSocket {
  const sent: Message[] = [];
  let closedBy: number | undefined;
  socket.close = (code) => {
    closedBy ??= code;
  };
  const fake: FakeSocket = {
    url,
    protocol,
    sent,
    closedBy: () => closedBy,
    open() {
      socket.send = (text) => void sent.push(JSON.parse(text));
      listeners.open?.();
    },
    say: (message) =>
      listeners.message?.({ data: typeof message === 'string' ? message : JSON.stringify(message) }),
    async accept() {
      fake.open();
      await settle();
      fake.say({ type: 'connection_ack' });
      await settle();
    },
    subscription() {
      const message = sent.filter(({ type }) => type === 'subscribe').at(-1);
      const { variables = {} } = (message?.payload ?? {}) as { variables?: Record<string, unknown> };
      return { id: String(message?.id), variables };
    },
    close: (code, reason = '') => listeners.close?.({ code, reason }),
  };
  return fake;
}

/** Of `jest.useFakeTimers`: streams of Node wait for these, and are no matter of time. */
export const FAKE_CLOCK: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'],
};

/** Lets everything happen that waits for no time to pass. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
