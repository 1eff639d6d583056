import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 250;

const handedOver = new WeakSet<Duplex>();

/**
 * Says that an upgrade has handed a connection over to another protocol: it never has a request, and is in use all the
 * same. The watch does not listen to upgrades itself: a server with a listener leaves every offer to it, so where
 * nobody else listens, a client that offers an upgrade would get no answer.
 */
export function markHandedOver(socket: Duplex): void {
  handedOver.add(socket);
}

/**
 * Watches for connections on which no request has begun: a browser opens some in advance, and some are in their TLS
 * handshake. Node does not count them as idle, so a server that closes would wait until their requests are overdue.
 * @returns destroys those that there are; for a server that closes
 */
export function watchUnusedConnections(server: Pick<Server, 'on'>): () => void {
  const unused = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    unused.set(peer, socket);
    socket.once('close', () => unused.delete(peer));
  });
  server.on('request', ({ socket }) => {
    if (unused.size > 0) {
      unused.delete(peerOf(socket));
    }
  });
  return () => {
    for (const socket of unused.values()) {
      if (!handedOver.has(socket)) {
        socket.destroy();
      }
    }
  };
}

/** Has an application end its unused connections from the moment on that it closes. */
export function endUnusedConnections(app: FastifyInstance): void {
  const destroyUnused = watchUnusedConnections(app.server);
  app.addHook('preClose', async () => {
    destroyUnused();
    // Until the server has stopped listening, clients may open further ones.
    const timer = setInterval(destroyUnused, LOOK_EVERY_MS);
    app.server.once('close', () => clearInterval(timer));
    timer.unref();
  });
}

/** The same for a connection and for the TLS session on it, which are two sockets to Node. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}
