import { type Client, CloseCode, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { fieldOf } from '../../subgraphs/kernel/objects.ts';

const ANSWER_WITHIN_MS = 10_000;
/** Source: IANA, WebSocket close codes. */
const NORMAL_CLOSURE = 1000;

/**
 * A client of a server's graph over WebSocket (`graphql-transport-ws`), at the URL of the server. It never
 * reconnects: every end of the connection, including a server that stops responding, ends its subscriptions with an
 * error.
 */
export function createGraphSocket(server: string | URL, key: string): Client {
  const url = new URL('/graphql', server);
  url.protocol = url.protocol.replace('http', 'ws');
  let unanswered: NodeJS.Timeout | undefined;
  const client = createClient({
    url: url.href,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-API-Key': key },
    retryAttempts: 0,
    connectionAckWaitTimeout: ANSWER_WITHIN_MS,
    keepAlive: ANSWER_WITHIN_MS,
    on: {
      ping(isReceived) {
        if (!isReceived) {
          unanswered = setTimeout(() => client.terminate(), ANSWER_WITHIN_MS);
        }
      },
      pong: () => clearTimeout(unanswered),
      closed(event) {
        clearTimeout(unanswered);
        // graphql-ws reconnects after this code at once and without a limit. It does not reconnect after `terminate`.
        if (fieldOf(event, 'code') === NORMAL_CLOSURE) {
          client.terminate();
        }
      },
    },
  });
  return client;
}

/** Whether a socket was closed because its key is invalid or was revoked. */
export function isKeyRefused(error: unknown): boolean {
  const code = fieldOf(error, 'code');
  return code === CloseCode.Forbidden || code === CloseCode.Unauthorized;
}
