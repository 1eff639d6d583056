import { Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import { resultText } from '../../engine/index.ts';

const PING_MS = 12_000;
/** Time that a reader has to take what is under way to it when its stream ends by us. */
const CUT_AFTER_MS = 1_000;

/** Writes results as event streams. */
export interface EventStreams {
  /** The body of one answer: an event `next` for each result, then `complete`. Destroying it ends the results. */
  open(results: AsyncIterableIterator<ExecutionResult> | ExecutionResult): Readable;
  /** Ends one that its reader may not read any more: at once, without another event. */
  cut(body: Readable): void;
  /**
   * Ends all subscriptions, without `complete`: the server goes, and clients may come back. One that is opened later, on a
   * connection that is still there, ends at once. The result of a query or mutation is still written.
   */
  close(): void;
}

async function* once(result: ExecutionResult): AsyncIterableIterator<ExecutionResult> {
  yield result;
}

function createBody(results: AsyncIterableIterator<ExecutionResult>, isEnding: () => boolean): Readable {
  let isPulling = false;
  async function pull(): Promise<void> {
    isPulling = true;
    try {
      const item = await results.next();
      isPulling = false;
      if (item.done !== true) {
        body.push(`event: next\ndata: ${resultText(item.value)}\n\n`);
        return;
      }
      if (!isEnding()) {
        body.push('event: complete\ndata:\n\n');
      }
      body.push(null);
    } catch (error) {
      body.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
  const body = new Readable({
    encoding: 'utf8',
    // The next result is read when the last was written out: a slow client slows the source and fills no memory.
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
  const pings = setInterval(() => (body.readableLength === 0 ? body.push(':\n\n') : undefined), PING_MS);
  pings.unref();
  // Something at once, so that headers go out before the first event.
  body.push(':\n\n');
  return body;
}

interface Running {
  readonly results: AsyncIterableIterator<ExecutionResult>;
  readonly isSubscription: boolean;
  isEnding: boolean;
}

/**
 * Makes a register of event streams.
 * Source: GraphQL over SSE protocol, "Distinct connections mode".
 */
export function createEventStreams(): EventStreams {
  const running = new Map<Readable, Running>();
  let isClosed = false;
  const cut = (body: Readable, stream: Running) => {
    stream.isEnding = true;
    Promise.resolve(stream.results.return?.()).catch((error: Error) => body.destroy(error));
    // One that does not read would not come to the end.
    setTimeout(() => body.destroy(), CUT_AFTER_MS).unref();
  };
  return {
    open(given) {
      const isSubscription = Symbol.asyncIterator in given;
      const results = isSubscription ? given : once(given);
      const stream: Running = { results, isSubscription, isEnding: false };
      const body = createBody(results, () => stream.isEnding);
      running.set(body, stream);
      body.once('close', () => running.delete(body));
      if (isClosed && isSubscription) {
        cut(body, stream);
      }
      return body;
    },
    cut(body) {
      const stream = running.get(body);
      if (stream !== undefined) {
        cut(body, stream);
      }
    },
    close() {
      isClosed = true;
      for (const [body, stream] of running) {
        if (stream.isSubscription) {
          cut(body, stream);
        }
      }
    },
  };
}
