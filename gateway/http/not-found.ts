import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The route by which `@fastify/cors` lets preflights in; nothing else is to be found there. */
const PREFLIGHTS = '*';

/**
 * Answers what no route was found for before anything of its body is looked at: Fastify would read and parse it first,
 * and answer what it does not like of it in words of its own. To be added after the hooks that all answers need.
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
