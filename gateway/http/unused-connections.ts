import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 250;

const handedOver = new WeakSet<Duplex>();

/**
 * Reports that an upgrade has passed a connection on to another protocol: the connection never has a request, but is in use.
 * The watch does not listen to upgrades itself. A server with a listener leaves every offer to it; without another listener,
 * a client that offers an upgrade would get no answer.
 */
export function markHandedOver(socket: Duplex): void {
  handedOver.add(socket);
}

/**
 * Watches connections on which no request has begun: a browser opens some in advance, and some are in their TLS handshake.
 * Node does not count them as idle, so a closing server would wait until their requests are overdue.
 * @returns destroys these connections; call it when the server closes
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

/** Makes an application end its unused connections from the moment when it closes. */
export function endUnusedConnections(app: FastifyInstance): void {
  const destroyUnused = watchUnusedConnections(app.server);
  app.addHook('preClose', async () => {
    destroyUnused();
    // Clients may open more connections until the server has stopped listening.
    const timer = setInterval(destroyUnused, LOOK_EVERY_MS);
    app.server.once('close', () => clearInterval(timer));
    timer.unref();
  });
}

/** Marks a connection and the TLS session on it, which are two sockets to Node. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}
