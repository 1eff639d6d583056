import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** Serves `/metrics` in Prometheus text (decisions, section 5), and measures every answered request. */
export function addMetrics(app: FastifyInstance, metrics: Pick<Metrics, 'render' | 'observeRequest'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metrics.render();
    return reply.header('content-type', contentType).send(text);
  });
}
