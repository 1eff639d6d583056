import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { Metrics } from './metrics.ts';

const PATH = '/metrics';
const BEARER = /^Bearer +(\S+) *$/i;

/** Measures every answered request by its method, its route and its status: never by its path, which clients choose. */
export function observeRequests(app: FastifyInstance, metrics: Pick<Metrics, 'observeRequest'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
}

/** Serves `/metrics` in Prometheus text (decisions, section 5) to everybody who reaches the application. */
export function serveMetrics(app: FastifyInstance, metrics: Pick<Metrics, 'render'>): void {
  app.get(PATH, (_request, reply) => sendMetrics(reply, metrics));
}

/**
 * Serves `/metrics` on the main port: to everybody outside production, in production only to callers with
 * `Authorization: Bearer <METRICS_TOKEN>`, and without that setting to nobody (decisions, section 8, "Metrics").
 */
export function serveMetricsBesides(
  app: FastifyInstance,
  metrics: Pick<Metrics, 'render'>,
  { NODE_ENV: environment, METRICS_TOKEN: token }: Pick<Config, 'NODE_ENV' | 'METRICS_TOKEN'>,
): void {
  if (environment !== 'production') {
    serveMetrics(app, metrics);
    return;
  }
  if (token === undefined) {
    return;
  }
  const expected = digest(token);
  app.get(PATH, (request, reply) => {
    if (!timingSafeEqual(digest(tokenOf(request) ?? ''), expected)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ message: 'This needs METRICS_TOKEN.' });
    }
    return sendMetrics(reply, metrics);
  });
}

async function sendMetrics(reply: FastifyReply, metrics: Pick<Metrics, 'render'>): Promise<FastifyReply> {
  const { contentType, text } = await metrics.render();
  return reply.header('content-type', contentType).send(text);
}

function tokenOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

/** Digests have the same length, so comparing them reveals nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
