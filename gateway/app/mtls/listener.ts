import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import type { Logger } from '../../../subgraphs/kernel/log/log.ts';
import { ignoreExpectations } from '../../http/expectations.ts';
import { type HttpTimeouts, httpTimeouts } from '../../http/http-timeouts.ts';
import { portOf } from '../../http/port-of.ts';
import { watchUnusedConnections } from '../../http/unused-connections.ts';
import type { MtlsIdentity } from './identity.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;

/** The second listener of an application, for clients with a certificate. */
interface MtlsListener {
  /** Starts to listen; the application must be ready. @throws OperatorError when the port is not available */
  listen(): Promise<{ readonly port: number }>;
}

interface MtlsListenerDeps {
  host: string;
  log: Logger;
  identity: MtlsIdentity;
  /** The timeouts of the plain listener. */
  timeouts?: HttpTimeouts;
}

/**
 * Adds a mutual-TLS listener to an application that does not listen yet. Without a certificate of one of the authorities the
 * handshake fails. The listener closes with the application: it takes no more connections, and answers running requests
 * first.
 */
export function addMtlsListener(
  app: FastifyInstance,
  { host, log, identity, timeouts = httpTimeouts() }: MtlsListenerDeps,
): MtlsListener {
  const { port, cert, key, ca } = identity;
  const server = createServer(
    {
      cert,
      key,
      ca,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      keepAliveTimeout: app.server.keepAliveTimeout,
      ...timeouts.http,
      requireHostHeader: false,
    },
    (request, response) => app.routing(request, response),
  );
  server.setTimeout(timeouts.connectionTimeout);
  ignoreExpectations(server);
  server.on('clientError', (error, socket) => app.server.emit('clientError', error, socket));
  server.on('tlsClientError', (error: Error & { reason?: string }, { remoteAddress }) => {
    // OpenSSL's own message, if OpenSSL has rejected the handshake.
    log.info({ reason: error.reason ?? error.message, remoteAddress }, 'mtls.handshake_refused');
  });
  const close = closer(server);
  // Not at `onClose`: running requests still need the resources that are closed there.
  app.addHook('preClose', close);
  return {
    listen: async () => {
      try {
        server.listen(port, host);
        await once(server, 'listening');
      } catch (error) {
        throw new OperatorError(`MTLS_PORT: cannot listen on ${host}, port ${port}: ${messageOf(error)}`);
      }
      return { port: portOf(server) };
    },
  };
}

/** Closes a server after its running requests. */
function closer(server: Server): () => Promise<void> {
  const destroyUnused = watchUnusedConnections(server);
  return async () => {
    if (!server.listening) {
      return;
    }
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    destroyUnused();
    await closed;
  };
}
