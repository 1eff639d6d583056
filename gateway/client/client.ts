import { type BackoffOptions, createBackoff } from './backoff.ts';
import { type Credential, readCredential } from './credential.ts';
import { checkList, readSubscription } from './document.ts';
import { createEventStreamTransport } from './event-stream.ts';
import { type FollowPlan, follow, type Start } from './follower.ts';
import { type HttpDeps, runQuery } from './http.ts';
import type { LiveEvent, LiveList, LiveState } from './live-items.ts';
import { createLiveIterator, type LiveIterator } from './live-iterator.ts';
import { createSocketTransport } from './socket.ts';
import type { WebSocketConstructor } from './socket-connection.ts';
import { type GraphQLRequest, type Transport, unexpected } from './transport.ts';
import {
  type AnyFields,
  type FollowedOperation,
  type Operation,
  textOf,
  type UntypedOperation,
} from './typed-document.ts';

export interface LiveClientOptions {
  /** URL of `/graphql`, such as `https://api.example.com/graphql`. */
  readonly url: string;
  readonly credential: Credential;
  /** The transport of subscriptions. Default: `websocket` if the runtime has WebSockets, otherwise `sse`. */
  readonly transport?: 'websocket' | 'sse';
  /** The WebSocket class: for Node 20 that of the package `ws`. Default: the runtime's. */
  readonly webSocket?: WebSocketConstructor;
  /** Default: the runtime's. */
  readonly fetch?: typeof fetch;
  /**
   * The number of items that may wait for a reader. Beyond it the connection is closed until half of them are read.
   * Default 256.
   */
  readonly buffer?: number;
  /** Waits between attempts. Default: at most 1 s before the second attempt, then twice as much each time, at most 30 s. */
  readonly backoff?: BackoffOptions;
  /** Makes waits random. Default: `Math.random`. */
  readonly random?: () => number;
}

/** How one subscription is followed. */
export interface FollowOptions {
  /** Ends it at once, without an error. */
  readonly signal?: AbortSignal;
  /** Called with each change. An error that it throws ends the subscription with that error. */
  readonly onState?: (state: LiveState) => void;
}

/** A subscription to follow. Its field selects `cursor` and takes a variable as `after`, which the client sets. */
export type Subscription<Data = AnyFields, Variables extends object = AnyFields> = FollowedOperation<
  Data,
  Variables
> &
  FollowOptions & {
    /** The cursor to continue after. Default: the end of the log at the first connection. */
    readonly after?: string | null;
  };

/** A list, and the subscription that keeps it up to date. */
export interface ListAndSubscription<
  List = AnyFields,
  Data = AnyFields,
  ListVariables extends object = AnyFields,
  Variables extends object = AnyFields,
> extends FollowOptions {
  /** The query. It selects `latestEventCursor`. It runs again if the client was disconnected for too long. */
  readonly list: Operation<List, ListVariables>;
  /** The subscription, as in {@link Subscription}. */
  readonly follow: FollowedOperation<Data, Variables>;
}

/** Follows subscriptions, and reconnects as often as needed. Documents with types give the types of items and variables. */
export interface LiveClient {
  /**
   * The events of a subscription: each once, in the order of the log, over restarts and broken connections.
   * The iterator fails with a {@link LiveError} if a retry cannot help; `CURSOR_EXPIRED` means: list again.
   * @throws LiveError `BAD_DOCUMENT` when the subscription cannot be resumed
   */
  follow<Data = AnyFields, Variables extends object = AnyFields>(
    subscription: Subscription<Data, Variables>,
  ): LiveIterator<LiveEvent<Data>>;
  /**
   * A list, then every event after it, without a gap. If the client was disconnected for longer than the server keeps
   * events, it gets a new list, which replaces everything before it.
   * @throws LiveError `BAD_DOCUMENT` when the list has no cursor, or the subscription cannot be resumed
   */
  listThenFollow<
    List = AnyFields,
    Data = AnyFields,
    ListVariables extends object = AnyFields,
    Variables extends object = AnyFields,
  >(
    options: ListAndSubscription<List, Data, ListVariables, Variables>,
  ): LiveIterator<LiveList<List> | LiveEvent<Data>>;
  /** Ends everything at once. */
  close(): void;
}

/** A trusted document of the server, byte for byte: schema/operations/latestEventCursor.graphql. */
export const LATEST_CURSOR = 'query LatestEventCursor {\n  latestEventCursor\n}\n';

const BUFFER = 256;
const BACKOFF: BackoffOptions = { baseMs: 1_000, capMs: 30_000 };

/**
 * Makes a client. It opens nothing before an iterator is read. @throws TypeError when an option is wrong, or the runtime does
 * not have what it needs
 */
export function createLiveClient(options: LiveClientOptions): LiveClient {
  const { backoff = BACKOFF, buffer = BUFFER, random = Math.random } = options;
  if (!(buffer >= 1)) {
    throw new TypeError('buffer must be 1 or more');
  }
  const credential = readCredential(options.credential);
  const http: HttpDeps = { url: readUrl(options.url).href, credential, fetch: options.fetch ?? fetch };
  const transport = createTransport(options, http);
  const closing = new AbortController();
  const start = <List, Data>(plan: FollowPlan<List>, { signal, onState }: FollowOptions) => {
    const publish = (state: LiveState) => onState?.(state);
    return createLiveIterator<LiveList<List> | LiveEvent<Data>>({
      limit: buffer,
      signals: signal === undefined ? [closing.signal] : [closing.signal, signal],
      onState: publish,
      run: (waiting, ending) =>
        follow<List, Data>(
          plan,
          {
            transport,
            backoff: createBackoff(backoff, random),
            waiting,
            credentialCanChange: credential.canChange,
            publish,
          },
          ending,
        ),
    });
  };
  return {
    follow<Data, Variables extends object>(subscription: Subscription<Data, Variables>) {
      const readStart = (signal: AbortSignal) => readCursor(http, { query: LATEST_CURSOR }, signal);
      const after = subscription.after ?? undefined;
      const plan = { ...planOf(subscription), after, readStart, startsAgain: false };
      // Without a list there are only events.
      return start<never, Data>(plan, subscription) as LiveIterator<LiveEvent<Data>>;
    },
    listThenFollow<List, Data, ListVariables extends object, Variables extends object>({
      list,
      follow: subscription,
      ...others
    }: ListAndSubscription<List, Data, ListVariables, Variables>) {
      const request = requestOf(list);
      checkList(request.query, request.operationName);
      const readStart = async (signal: AbortSignal): Promise<Start<List>> => {
        const { cursor, data } = await readCursor(http, request, signal);
        return { cursor, list: data as List };
      };
      return start<List, Data>(
        { ...planOf(subscription), after: undefined, readStart, startsAgain: true },
        others,
      );
    },
    close: () => closing.abort(),
  };
}

/** The operation as it is sent. */
function requestOf({ query, variables, operationName }: UntypedOperation): GraphQLRequest {
  return {
    query: textOf(query),
    ...(variables && { variables: { ...variables } }),
    ...(operationName !== undefined && { operationName }),
  };
}

function planOf(subscription: UntypedOperation): Pick<FollowPlan<never>, 'key' | 'subscribeAfter'> {
  const request = requestOf(subscription);
  const { key, afterVariable } = readSubscription(request.query, request.operationName);
  return {
    key,
    subscribeAfter: (cursor) => ({
      ...request,
      variables: { ...request.variables, [afterVariable]: cursor },
    }),
  };
}

/** Runs a query that selects the cursor. @throws LiveError */
async function readCursor(http: HttpDeps, request: GraphQLRequest, signal: AbortSignal) {
  const data = await runQuery(http, request, signal);
  const { latestEventCursor: cursor } = data;
  if (typeof cursor !== 'string') {
    throw unexpected('The answer has no latestEventCursor');
  }
  return { cursor, data };
}

function readUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Reported below.
  }
  // fetch rejects a URL with a password, and would fail each time.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TypeError('url must be a whole URL that begins with https:// or http://, without a password');
  }
  return url;
}

function createTransport({ transport, webSocket }: LiveClientOptions, http: HttpDeps): Transport {
  const { WebSocket: own } = globalThis as { readonly WebSocket?: WebSocketConstructor };
  const WebSocket = webSocket ?? own;
  if (transport === 'sse' || (transport === undefined && WebSocket === undefined)) {
    return createEventStreamTransport(http);
  }
  if (WebSocket === undefined) {
    throw new TypeError('This runtime has no WebSocket: give webSocket, that of the package ws, or use sse');
  }
  return createSocketTransport({
    url: http.url.replace(/^http/, 'ws'),
    credential: http.credential,
    WebSocket,
  });
}
