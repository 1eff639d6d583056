import { addAbortListener } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { buildConnector, Client } from 'undici';
import { removeInterimAnswers } from '../kernel/http/interim-answers.ts';

/** A connection has to be silent for so long before its call is sent. */
const QUIET_MS = 2;

/** A POST, and what limits its answer. */
interface SinglePost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Longest headers of an answer, and its longest body, bytes. */
  readonly maxBytes: number;
  /** Ends the call. */
  readonly signal: AbortSignal;
}

/** An answer, whole. */
export interface WholeAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A call that has no answer of its own. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Whether the receiver certainly has not got the call. */
  readonly notSent: boolean;

  constructor(notSent: boolean, cause: unknown) {
    super('The call has no answer.', { cause });
    this.notSent = notSent;
  }
}

/** Makes calls, each on a connection of its own. */
interface SingleCalls {
  /** @throws NoAnswerError for a call without a whole answer, and for a connection on which bytes came before the call */
  post(call: SinglePost): Promise<WholeAnswer>;
  /** Breaks off the calls that are under way. */
  close(): Promise<void>;
}

/**
 * Calls that share no connection: an answer that comes late, twice or unasked cannot be taken for that of another call
 * (decisions, section 8, "Answers of providers"). Bytes that come before the call make it fail, unsent; with the end of its
 * answer the connection is closed. TLS sessions are
 * resumed, so that a new connection costs little more than a round trip.
 * @param connectTimeoutMs time in which a connection must be made
 */
export function createSingleCalls(connectTimeoutMs: number): SingleCalls {
  const connect = buildConnector({ allowH2: false, timeout: connectTimeoutMs });
  const open = new Set<Client>();
  return {
    post: async (call) => {
      const connection: Connection = { socket: undefined };
      const client = new Client(new URL(call.url).origin, {
        pipelining: 1,
        maxHeaderSize: call.maxBytes,
        maxResponseSize: call.maxBytes,
        connect: (options, callback) => connectQuietly(connect, connection, options, callback),
      });
      open.add(client);
      // undici alone notices an aborted signal only when the connection is made or has failed.
      const listening = addAbortListener(call.signal, () => void client.destroy());
      try {
        return await postOn(client, call);
      } catch (error) {
        throw new NoAnswerError(connection.socket === undefined, error);
      } finally {
        listening[Symbol.dispose]();
        open.delete(client);
        // It does not use close(), which would wait for an answer that nobody awaits any more.
        await client.destroy();
      }
    },
    close: async () => {
      await Promise.all([...open].map((client) => client.destroy()));
    },
  };
}

/** The connection of a call: its socket, once the call may be sent on it. */
interface Connection {
  socket: Duplex | undefined;
}

async function postOn(client: Client, { url, headers, body }: SinglePost): Promise<WholeAnswer> {
  const { pathname, search } = new URL(url);
  const request = { method: 'POST', path: `${pathname}${search}`, headers, body } as const;
  const { statusCode, headers: received, body: stream } = await client.request(request);
  return { statusCode, headers: received, text: await stream.text() };
}

function connectQuietly(
  connect: buildConnector.connector,
  connection: Connection,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): void {
  connect(options, (error, socket) => {
    if (error) {
      callback(error, null);
      return;
    }
    void waitForBytes().then(() => {
      if (socket.readableLength > 0 || socket.destroyed) {
        // After an error of undici's own it would connect again.
        const early = new Error('The receiver sent bytes before the call, or closed the connection.');
        socket.destroy(early);
        callback(early, null);
        return;
      }
      removeInterimAnswers(socket);
      connection.socket = socket;
      callback(null, socket);
    });
  });
}

/** Waits until bytes that came with the connection would have been read, also by a process that is busy. */
async function waitForBytes(): Promise<void> {
  await sleep(QUIET_MS);
  await turn();
  await turn();
}
