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
    request.is404 || request.routeOptions.url === PREFLIGHTS || hasEmptyParameter(request)
      ? answer(request, reply)
      : undefined,
  );
}

/** Parameters that may be empty: the rest of a path, and a number of document 1, which is invalid then. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['*', 'limit']);

/** Whether the path has nothing where a route has a parameter: the router takes that for an empty value. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return Object.entries(params ?? {}).some(([name, value]) => value === '' && !MAY_BE_EMPTY.has(name));
}
