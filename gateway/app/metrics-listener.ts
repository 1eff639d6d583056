import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { isSystemError, OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { timeoutsOf } from '../http/http-timeouts.ts';
import { portOf } from '../http/port-of.ts';
import type { Metrics } from '../observe/metrics.ts';
import { serveMetrics } from '../observe/metrics-route.ts';

/** The listener of `METRICS_PORT`, which serves `/metrics` and nothing else. */
interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens on `METRICS_PORT` and `METRICS_HOST` (decisions, section 8, "Metrics"). Undefined without `METRICS_PORT`.
 * @throws OperatorError when the port is not available
 */
export async function listenForMetrics(
  config: Config,
  metrics: Pick<Metrics, 'render'>,
  log: Logger,
): Promise<MetricsListener | undefined> {
  const { METRICS_PORT: port, METRICS_HOST: host = config.HOST } = config;
  if (port === undefined) {
    return undefined;
  }
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    ...timeoutsOf(config),
  });
  serveMetrics(app, metrics);
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    if (!isSystemError(error)) {
      throw error;
    }
    throw new OperatorError(`METRICS_PORT: cannot listen on ${host}, port ${port}: ${error.message}`, {
      cause: error,
    });
  }
  return listenerOf(app);
}

function listenerOf(app: FastifyInstance): MetricsListener {
  return { port: portOf(app.server), close: () => app.close() };
}
