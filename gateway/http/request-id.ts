import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The inbound `x-request-id` when it is sane, a new UUID otherwise (decisions, section 0). */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const inbound = request.headers['x-request-id'];
  return typeof inbound === 'string' && SANE.test(inbound) ? inbound : randomUUID();
}

/** Puts `x-request-id` on every response, errors included. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}
