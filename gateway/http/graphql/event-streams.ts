import { Readable } from 'node:stream';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import type { StreamEndReason } from '../../observe/stream-metrics.ts';
import type { StreamDrain } from '../drain.ts';
import { type ClientStreams, cursorOf } from './client-streams.ts';
import { sharedText } from './shared-text.ts';

const PING_MS = 12_000;
/** The number of pings after which a client that takes none of its waiting text counts as gone. */
const UNTAKEN_PINGS = 5;
/** Time for a reader to take the rest when we end its stream. */
const CUT_AFTER_MS = 1_000;
/** Clients of a stopping process come back within this time, not all at once. */
const RETRY_MS = { least: 1_000, most: 5_000 };

type Results = AsyncIterableIterator<ExecutionResult>;

/** Writes results as event streams. */
export interface EventStreams {
  /** The body of one answer: an event `next` for each result, then `complete`. Destroying it ends the results. */
  open(results: Results | ExecutionResult, context: RequestContext): Readable;
  /** Ends a stream whose key was revoked: at once, without another event. */
  revoke(body: Readable): void;
  /**
   * Ends all subscriptions, without `complete`: the server stops, and clients may come back. A subscription that opens later,
   * on a connection that is still open, ends at once. The result of a query or mutation is still written.
   */
  close(): void;
}

/** The parts that a gateway with accounts adds to its event streams; a gateway without accounts has only streams. */
export interface EventStreamOptions {
  /** Limits and counts subscriptions. */
  readonly clients?: ClientStreams;
  /** Ends subscriptions a few at a time when the process stops. */
  readonly drain?: Pick<StreamDrain, 'add'>;
  /** Between 0 and 1. */
  random?(): number;
}

interface Running {
  readonly results: Results;
  readonly isSubscription: boolean;
  /** The reason for which we end it; undefined while it is open. */
  ending: StreamEndReason | undefined;
  /** Whether its last text is written: nothing may be added, even if the reader has not taken it yet. */
  isOver: boolean;
}

async function* once(result: ExecutionResult): Results {
  yield result;
}

/** One event. A client can resume after it if it has a cursor. Source: HTML, "Server-sent events". */
function eventText(result: ExecutionResult): string {
  const cursor = cursorOf(result);
  return `${cursor === undefined ? '' : `id: ${cursor}\n`}event: next\ndata: ${sharedText(result)}\n\n`;
}

const COMPLETE = 'event: complete\ndata:\n\n';

/** A whole stream of one event. @param json the result */
export function onlyEvent(json: string): string {
  return `event: next\ndata: ${json}\n\n${COMPLETE}`;
}

/** The last text of a stream that failed with an error for its client; undefined for other failures. */
function failureText(error: unknown): string | undefined {
  return error instanceof GraphQLError ? onlyEvent(JSON.stringify({ errors: [error] })) : undefined;
}

function createBody(stream: Running): Readable {
  const { results } = stream;
  const finish = (lastText: string) => {
    stream.isOver = true;
    if (lastText !== '') {
      body.push(lastText);
    }
    body.push(null);
  };
  let isPulling = false;
  let untaken = 0;
  async function pull(): Promise<void> {
    isPulling = true;
    try {
      const item = await results.next();
      isPulling = false;
      if (item.done !== true) {
        body.push(eventText(item.value));
        return;
      }
      finish(stream.ending === undefined ? COMPLETE : '');
    } catch (error) {
      const text = failureText(error);
      if (text === undefined) {
        body.destroy(error instanceof Error ? error : new Error(String(error)));
      } else {
        finish(text);
      }
    }
  }
  function ping(): void {
    untaken = body.readableLength === 0 ? 0 : untaken + 1;
    if (untaken > UNTAKEN_PINGS) {
      stream.ending ??= 'unresponsive';
      body.destroy();
    } else if (untaken === 0 && !stream.isOver) {
      body.push(':\n\n');
    }
  }
  const body = new Readable({
    encoding: 'utf8',
    // It reads the next result when the last one was written: a slow client slows the source and fills no memory.
    highWaterMark: 0,
    read() {
      if (!isPulling) {
        void pull();
      }
    },
    destroy(error, done) {
      clearInterval(pings);
      Promise.resolve(results.return?.()).then(() => done(error), done);
    },
  });
  const pings = setInterval(ping, PING_MS);
  pings.unref();
  // Sends something at once, so that the headers go out before the first event.
  body.push(':\n\n');
  return body;
}

/**
 * Makes a register of event streams.
 * Source: GraphQL over SSE protocol, "Distinct connections mode".
 */
export function createEventStreams({
  clients,
  drain,
  random = Math.random,
}: EventStreamOptions = {}): EventStreams {
  const running = new Map<Readable, Running>();
  let isClosed = false;
  const cut = (body: Readable, stream: Running, reason: StreamEndReason) => {
    if (stream.ending !== undefined) {
      return;
    }
    stream.ending = reason;
    Promise.resolve(stream.results.return?.()).catch((error: Error) => body.destroy(error));
    // A stream without a reader would never end.
    setTimeout(() => body.destroy(), CUT_AFTER_MS).unref();
  };
  const sayGoodbye = (body: Readable, stream: Running) => {
    if (stream.ending === undefined) {
      if (!stream.isOver) {
        const ms = Math.round(RETRY_MS.least + random() * (RETRY_MS.most - RETRY_MS.least));
        body.push(`retry: ${ms}\n\n`);
      }
      cut(body, stream, 'drained');
    }
  };
  const openRunning = (results: Results, isSubscription: boolean, context: RequestContext) => {
    const stream: Running = {
      isSubscription,
      ending: undefined,
      isOver: false,
      results:
        isSubscription && clients !== undefined
          ? clients.open(results, {
              transport: 'sse',
              context,
              whyStopped: () => stream.ending ?? 'stopped',
            })
          : results,
    };
    return stream;
  };
  return {
    open(given, context) {
      const isSubscription = Symbol.asyncIterator in given;
      const stream = openRunning(isSubscription ? given : once(given), isSubscription, context);
      const body = createBody(stream);
      running.set(body, stream);
      const leave = isSubscription ? drain?.add(() => sayGoodbye(body, stream)) : undefined;
      body.once('end', () => running.delete(body));
      body.once('close', () => {
        running.delete(body);
        leave?.();
      });
      if (isClosed && isSubscription) {
        sayGoodbye(body, stream);
      }
      return body;
    },
    revoke(body) {
      const stream = running.get(body);
      if (stream !== undefined) {
        cut(body, stream, 'revoked');
      }
    },
    close() {
      isClosed = true;
      for (const [body, stream] of running) {
        if (stream.isSubscription) {
          sayGoodbye(body, stream);
        }
      }
    },
  };
}
