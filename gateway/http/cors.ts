import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NO_STORE } from './cache-control.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Headers that pages may read, beside those that browsers always show. */
const EXPOSED_HEADERS = [
  ...['x-request-id', 'retry-after', 'x-error-code'],
  ...['ratelimit', 'ratelimit-policy', 'idempotent-replayed', 'etag'],
  ...['deprecation', 'sunset', 'link'],
];
/** How long browsers may keep the answer to a preflight: Chromium's own limit. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets web pages of these origins read answers, errors included. It answers preflights before the check of the key,
 * because browsers send no key with them. Without origins it adds nothing. Requests that do not come from a web page
 * get the same bytes as without it, except for answers that caches may keep. Cookies are not allowed: every caller
 * must have a key.
 */
export async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) {
    return;
  }
  app.addHook('onSend', async (request, reply) => {
    // The plugin adds `Vary: Origin` to all answers. Only caches read it, and most answers are never cached.
    if (request.headers.origin === undefined && reply.getHeader('cache-control') === NO_STORE) {
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
    // Any other OPTIONS is handled like other requests without a route.
    preflight: headers['access-control-request-method'] !== undefined,
  };
}
