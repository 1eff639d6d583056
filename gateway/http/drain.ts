import type { FastifyInstance } from 'fastify';
import { endUnusedConnections } from '../../subgraphs/platform/serve/unused-connections.ts';
import type { Draining } from './health.ts';

/** Has an application that closes wait for running requests alone, and for no connection that has none. */
export function addDraining(app: FastifyInstance, state: Draining): void {
  endUnusedConnections(app);
  endAnsweredConnections(app, state);
}

/**
 * Has connections end with the request that they carry once `state.draining` is set. Fastify closes those that are
 * idle when it begins to close; one with a running request would stay until its client lets it go, and `close` with it.
 */
export function endAnsweredConnections(app: FastifyInstance, state: Draining): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (state.draining) {
      reply.header('connection', 'close');
    }
    done();
  });
  app.addHook('onResponse', (_request, _reply, done) => {
    if (state.draining) {
      // Streams sent their headers long ago. The connection is idle only after this event.
      setImmediate(() => app.server.closeIdleConnections());
    }
    done();
  });
}
