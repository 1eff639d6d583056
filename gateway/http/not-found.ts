import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The route that `@fastify/cors` adds for preflights; there is nothing else at it. */
const PREFLIGHTS = '*';

/**
 * Answers requests without a route before their body is read. Otherwise Fastify would read and parse the body first, and
 * answer its errors in its own words. Add it after the hooks that all answers need.
 */
export function addNotFound(
  app: FastifyInstance,
  answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  app.setNotFoundHandler(answer);
  app.addHook('onRequest', async (request, reply) =>
    request.is404 || request.routeOptions.url === PREFLIGHTS ? answer(request, reply) : undefined,
  );
}
