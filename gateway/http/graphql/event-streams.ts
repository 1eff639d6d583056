import { Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import { resultText } from '../../engine/index.ts';

const PING_MS = 12_000;
const CUT_AFTER_MS = 1_000;

/** Writes results as event streams. */
export interface EventStreams {
  /** The body of one answer: an event `next` for each result, then `complete`. Destroying it ends the results. */
  open(results: AsyncIterableIterator<ExecutionResult> | ExecutionResult): Readable;
  /** Ends one that its reader may not read any more: at once, without another event. */
  cut(body: Readable): void;
  /** Ends all, without `complete`: the server goes, and clients may come back. */
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
    // The next result is asked for when the last was written out: a slow client slows the source, not the memory.
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
  isEnding: boolean;
}

/**
 * Makes a register of event streams.
 * Source: GraphQL over SSE protocol, "Distinct connections mode".
 */
export function createEventStreams(): EventStreams {
  const running = new Map<Readable, Running>();
  const end = (body: Readable, stream: Running) => {
    stream.isEnding = true;
    Promise.resolve(stream.results.return?.()).catch((error: Error) => body.destroy(error));
  };
  return {
    open(given) {
      const results = Symbol.asyncIterator in given ? given : once(given);
      const stream: Running = { results, isEnding: false };
      const body = createBody(results, () => stream.isEnding);
      running.set(body, stream);
      body.once('close', () => running.delete(body));
      return body;
    },
    cut(body) {
      const stream = running.get(body);
      if (stream !== undefined) {
        end(body, stream);
        // One that does not read would not come to the end.
        setTimeout(() => body.destroy(), CUT_AFTER_MS).unref();
      }
    },
    close() {
      for (const [body, stream] of running) {
        end(body, stream);
      }
    },
  };
}
