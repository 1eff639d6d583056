import { onAbort, wait } from './abort.ts';
import type { Backoff } from './backoff.ts';
import { badDocument, errorOf, LiveError } from './live-error.ts';
import type { LiveEvent, LiveList, LiveState } from './live-items.ts';
import type { Waiting } from './live-iterator.ts';
import type { GraphQLRequest, GraphQLResult, Transport } from './transport.ts';
import { isRecord } from './transport.ts';

/** The start: a cursor, and the list that was read with it, if there is one. */
export interface Start<List> {
  readonly cursor: string;
  readonly list?: List;
}

/** The options of a follower. */
export interface FollowPlan<List> {
  /** The subscription that continues after a cursor. */
  subscribeAfter(cursor: string): GraphQLRequest;
  /** The name of the subscription's field in results. */
  readonly key: string;
  /** The start; undefined to call `readStart`. */
  readonly after: string | undefined;
  /** Reads the start. @throws LiveError */
  readStart(signal: AbortSignal): Promise<Start<List>>;
  /** Whether to start again if the server no longer knows the cursor. */
  readonly startsAgain: boolean;
}

interface FollowDeps<List, Data> {
  readonly transport: Transport;
  readonly backoff: Backoff;
  readonly waiting: Waiting<LiveList<List> | LiveEvent<Data>>;
  /** Whether the credential may be a different one at the next attempt. */
  readonly credentialCanChange: boolean;
  /** An error that it throws ends the follower. */
  publish(state: LiveState): void;
}

/** After a connection of at least this duration, waits are short again. */
const HEALTHY_MS = 10_000;
/** The longest wait that a server can ask for. */
const MOST_RETRY_AFTER_MS = 5 * 60_000;
const LOST_CURSOR: readonly string[] = ['CURSOR_EXPIRED', 'INVALID_CURSOR'];

interface Position {
  /** Of the last event that was put; undefined until the start is known. */
  cursor: string | undefined;
  /** The reason for reading the next list. */
  because: LiveList<unknown>['because'];
  /** Whether the server accepted the last connection. */
  wasLive: boolean;
  /** Whether the key or token was rejected since the last accepted connection. */
  wasRejected: boolean;
}

interface Outcome {
  readonly error: LiveError;
  /** Whether the next waits are short again. */
  readonly wentWell: boolean;
}

/**
 * Follows over as many connections as it takes, until the signal is aborted. Each continues after the last event that
 * the iterator took, so every event comes exactly once.
 * @throws LiveError that is final, or any error of `report`
 */
export async function follow<List, Data>(
  plan: FollowPlan<List>,
  deps: FollowDeps<List, Data>,
  signal: AbortSignal,
): Promise<void> {
  const { backoff, waiting, publish } = deps;
  const position: Position = {
    cursor: plan.after,
    because: 'START',
    wasLive: false,
    wasRejected: false,
  };
  publish({ name: 'connecting' });
  while (!signal.aborted) {
    const { error, wentWell } = await connectOnce(plan, deps, position, signal);
    if (signal.aborted) {
      return;
    }
    if (wentWell) {
      backoff.reset();
    }
    if (error.code === 'SLOW_READER') {
      publish({ name: 'resuming', because: error, inMs: 0 });
      await waiting.room(signal);
    } else {
      prepareNext(plan, deps, position, error);
      const inMs = Math.max(backoff.next(), Math.min(error.retryAfterMs ?? 0, MOST_RETRY_AFTER_MS));
      publish({ name: 'resuming', because: error, inMs });
      await wait(inMs, signal);
    }
  }
}

/** Decides on the next connection. @throws the error, if there should be none */
function prepareNext<List, Data>(
  { startsAgain }: FollowPlan<List>,
  { credentialCanChange }: FollowDeps<List, Data>,
  position: Position,
  error: LiveError,
): void {
  const { code } = error;
  if (code === 'UNAUTHENTICATED') {
    // The token has ended, or was about to end when it was issued: a new one may be valid. A key stays the same.
    if (!position.wasLive && (position.wasRejected || !credentialCanChange)) {
      throw error;
    }
    position.wasRejected = !position.wasLive;
  } else if (startsAgain && LOST_CURSOR.includes(code)) {
    position.cursor = undefined;
    position.because = code as Position['because'];
  } else if (error.isFinal) {
    throw error;
  }
}

/** Opens one connection, and waits for its end. @throws any error of `report` */
async function connectOnce<List, Data>(
  plan: FollowPlan<List>,
  deps: FollowDeps<List, Data>,
  position: Position,
  signal: AbortSignal,
): Promise<Outcome> {
  position.wasLive = false;
  try {
    position.cursor ??= await begin(plan, deps, position, signal);
  } catch (error) {
    if (error instanceof LiveError) {
      return { error, wentWell: false };
    }
    throw error;
  }
  return readEvents(plan, deps, position, position.cursor, signal);
}

/** Reads the start, and passes on the list. @throws LiveError */
async function begin<List, Data>(
  plan: FollowPlan<List>,
  { waiting }: FollowDeps<List, Data>,
  { because }: Position,
  signal: AbortSignal,
): Promise<string> {
  const { cursor, list } = await plan.readStart(signal);
  if (list !== undefined && !signal.aborted && !waiting.put({ kind: 'list', data: list, cursor, because })) {
    throw slowReader();
  }
  return cursor;
}

async function readEvents<List, Data>(
  plan: FollowPlan<List>,
  { transport, waiting, publish }: FollowDeps<List, Data>,
  position: Position,
  after: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const connection = new AbortController();
  const unlisten = onAbort(signal, () => connection.abort());
  let liveSince: number | undefined;
  let failure: { readonly error: unknown } | undefined;
  /** Runs a callback for an open connection. If it fails, the connection ends. */
  const orEnd = (work: () => void) => {
    try {
      if (!connection.signal.aborted) {
        work();
      }
    } catch (error) {
      failure = { error };
      connection.abort();
    }
  };
  const take = (result: GraphQLResult) => {
    const event = readEvent<Data>(plan.key, result);
    if (!waiting.put(event)) {
      throw slowReader();
    }
    position.cursor = event.cursor;
  };
  const sink = {
    live: () =>
      orEnd(() => {
        position.wasLive = true;
        position.wasRejected = false;
        liveSince = Date.now();
        publish({ name: 'live' });
      }),
    next: (result: GraphQLResult) => orEnd(() => take(result)),
  };
  const end = await transport.open(plan.subscribeAfter(after), sink, connection.signal);
  unlisten();
  const error = failure === undefined ? end : failure.error;
  if (!(error instanceof LiveError)) {
    throw error;
  }
  const lasted = liveSince === undefined ? 0 : Date.now() - liveSince;
  // A slow client that gets events on each connection reconnects quickly each time.
  const wasOnlySlow = error.code === 'SLOW_CONSUMER' && position.cursor !== after;
  return { error, wentWell: lasted >= HEALTHY_MS || wasOnlySlow };
}

const slowReader = () =>
  new LiveError('SLOW_READER', 'Events come faster than they are read; the rest comes when there is room');

/** @throws LiveError when the result has no event, or its event no cursor */
function readEvent<Data>(key: string, { data, errors = [] }: GraphQLResult): LiveEvent<Data> {
  const event = data?.[key];
  if (!isRecord(event)) {
    // Nothing is skipped: the next connection gets this event again.
    throw errorOf(errors);
  }
  if (typeof event.cursor !== 'string') {
    throw badDocument(`Events of ${key} come without a cursor`);
  }
  // The caller declares the type that its document selects.
  return { kind: 'event', data: data as Data, cursor: event.cursor, errors };
}
