import { Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import { textOf } from '../executor/answer-text.ts';

const PING_MS = 12_000;

/** Writes results as event streams. */
export interface EventStreams {
  /** The body of one answer: an event `next` for each result, then `complete`. Destroying it ends the results. */
  open(results: AsyncIterableIterator<ExecutionResult> | ExecutionResult): Readable;
  /** Ends all, without `complete`: the server goes, and clients may come back. */
  close(): void;
}

async function* once(result: ExecutionResult): AsyncIterableIterator<ExecutionResult> {
  yield result;
}

function createBody(results: AsyncIterableIterator<ExecutionResult>, isClosing: () => boolean): Readable {
  let isPulling = false;
  async function pull(): Promise<void> {
    isPulling = true;
    try {
      const item = await results.next();
      isPulling = false;
      if (item.done !== true) {
        body.push(`event: next\ndata: ${textOf(item.value)}\n\n`);
        return;
      }
      if (!isClosing()) {
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

/**
 * Makes a register of event streams.
 * Source: GraphQL over SSE protocol, "Distinct connections mode".
 */
export function createEventStreams(): EventStreams {
  const running = new Map<Readable, AsyncIterableIterator<ExecutionResult>>();
  let isClosing = false;
  return {
    open(given) {
      const results = Symbol.asyncIterator in given ? given : once(given);
      const body = createBody(results, () => isClosing);
      running.set(body, results);
      body.once('close', () => running.delete(body));
      return body;
    },
    close() {
      isClosing = true;
      for (const [body, results] of running) {
        Promise.resolve(results.return?.()).catch((error: Error) => body.destroy(error));
      }
    },
  };
}
