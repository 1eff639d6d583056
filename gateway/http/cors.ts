import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Beside those that browsers show to pages anyway. */
const EXPOSED_HEADERS = ['x-request-id', 'retry-after'];
/** How long browsers may keep the answer to a preflight: Chromium's own limit. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets web pages of these origins read answers, errors included, and answers their preflights before the check of the key:
 * browsers send none with them. Without origins nothing is added, and requests of no web page are answered to the byte
 * as without this. No cookies are allowed: whoever calls must know a key.
 */
export async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) {
    return;
  }
  app.addHook('onSend', async (request, reply) => {
    // The plugin has all answers vary by origin.
    if (request.headers.origin === undefined) {
      reply.removeHeader('vary');
    }
  });
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options?: FastifyCorsOptions) => void) =>
      done(null, optionsFor(request, origins)),
  });
}

function optionsFor({ headers }: FastifyRequest, origins: readonly string[]): FastifyCorsOptions {
  const { origin } = headers;
  return {
    origin: origin !== undefined && origins.includes(origin) ? origin : false,
    methods: METHODS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    // Another OPTIONS is a request like others, which has no route.
    preflight: headers['access-control-request-method'] !== undefined,
  };
}
