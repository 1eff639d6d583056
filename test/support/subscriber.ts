import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { until } from './until.ts';

export interface SubscriberOptions {
  /** The server's, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly connectionParams?: Record<string, unknown>;
  /** Of the request that opens the socket, such as those that a browser adds. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface SubscriptionError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly serviceName?: string };
}

/** The events of a subscription so far. */
export interface Subscription<T> {
  readonly events: readonly T[];
  /** Errors in results, or the error that the subscription was rejected with. */
  readonly errors: readonly SubscriptionError[];
  /** Whether the server said that there is no more. */
  completed(): boolean;
  /** The first events, once there are so many. */
  take(count: number): Promise<readonly T[]>;
  /** Wants no more. */
  stop(): void;
}

/** A client of `graphql-transport-ws`: the one that our users have. It never reconnects by itself. */
export interface Subscriber {
  subscribe<T>(query: string, variables?: Record<string, unknown>): Subscription<T>;
  /** Code and reason, once the socket is closed, whichever side closed it. */
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Whether the server acknowledged the connection. */
  acknowledged(): boolean;
  close(): Promise<void>;
}

/** Opens a connection; resolves when the server acknowledged or closed it. */
export async function openSubscriber({
  url,
  connectionParams,
  headers,
}: SubscriberOptions): Promise<Subscriber> {
  const state = { acknowledged: false };
  const acknowledgement = promise<void>();
  const closing = promise<{ code: number; reason: string }>();
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: headers === undefined ? WebSocket : withHeaders(headers),
    lazy: false,
    retryAttempts: 0,
    ...(connectionParams && { connectionParams }),
    onNonLazyError: () => undefined,
    on: {
      connected: () => {
        state.acknowledged = true;
        acknowledgement.resolve();
      },
      closed: (event) => {
        const { code, reason } = event as { code: number; reason: string };
        closing.resolve({ code, reason });
      },
    },
  });
  await Promise.race([acknowledgement.promise, closing.promise]);
  return {
    subscribe: (query, variables = {}) => subscribe(client, query, variables),
    closed: closing.promise,
    acknowledged: () => state.acknowledged,
    close: async () => {
      await client.dispose();
      await closing.promise;
    },
  };
}

/** A `WebSocket` whose opening request has these headers. */
function withHeaders(headers: Readonly<Record<string, string>>): unknown {
  return class extends WebSocket {
    constructor(address: string, protocols?: string | string[]) {
      super(address, protocols, { headers });
    }
  };
}

function subscribe<T>(client: Client, query: string, variables: Record<string, unknown>): Subscription<T> {
  const events: T[] = [];
  const errors: SubscriptionError[] = [];
  let completed = false;
  const stop = client.subscribe<T>(
    { query, variables },
    {
      next: ({ data, errors: inResult = [] }) => {
        errors.push(...(inResult as SubscriptionError[]));
        if (data) {
          events.push(data);
        }
      },
      // The socket's end arrives here too; `closed` has its code and reason.
      error: (error) => errors.push(...(Array.isArray(error) ? (error as SubscriptionError[]) : [])),
      complete: () => {
        completed = true;
      },
    },
  );
  return {
    events,
    errors,
    completed: () => completed,
    stop,
    take: async (count) => {
      await until(`${count} events, now ${events.length}`, () => events.length >= count);
      return events.slice(0, count);
    },
  };
}

function promise<T>() {
  let resolve: (value: T) => void = () => undefined;
  const pending = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise: pending, resolve: (value: T) => resolve(value) };
}
