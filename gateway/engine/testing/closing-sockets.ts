import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** When a server of `graphql-transport-ws` closes each of its sockets. */
export type ClosesAt = 'before acknowledging' | 'after acknowledging' | 'after subscribe' | 'after an event';

/** A server that speaks the protocol up to a point, and closes each socket there. */
interface ClosingServer {
  /** With `http:`. */
  readonly url: string;
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

/** The answer of a socket to a message of this type, up to the point where it closes. */
function answerOf(
  at: ClosesAt,
  type: string,
  next: object,
): { readonly text?: string; readonly ends: boolean } {
  if (type === 'connection_init') {
    const ack = '{"type":"connection_ack"}';
    return at === 'before acknowledging' ? { ends: true } : { text: ack, ends: at === 'after acknowledging' };
  }
  return at === 'after an event' ? { text: JSON.stringify(next), ends: true } : { ends: true };
}

/** @param code 1005 closes without a code */
export async function serveClosingSockets(
  at: ClosesAt,
  code: number,
  event: Readonly<Record<string, unknown>>,
): Promise<ClosingServer> {
  let connections = 0;
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: () => 'graphql-transport-ws',
  });
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('message', (bytes) => {
      const { type, id }: { type: string; id?: string } = JSON.parse(String(bytes));
      const { text, ends } = answerOf(at, type, { id, type: 'next', payload: { data: event } });
      if (text !== undefined) {
        socket.send(text);
      }
      if (ends) {
        socket.close(code === 1005 ? undefined : code, code === 1005 ? undefined : 'bye');
      }
    });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    connections: () => connections,
    async close() {
      for (const socket of server.clients) {
        socket.terminate();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
