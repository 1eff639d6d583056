import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import {
  buildEngine,
  createInProcessTransport,
  DEFAULT_LIMITS,
  withTimeout,
} from '../../../../gateway/engine/index.ts';
import { createClientDocuments } from '../../../../gateway/http/documents/client-documents.ts';
import { addGraphQL } from '../../../../gateway/http/graphql/route.ts';
import { addCommonHeaders, httpOptions } from '../../../../gateway/http/options.ts';
import { createMetrics } from '../../../../gateway/observe/metrics.ts';
import { createLogger } from '../../../../subgraphs/kernel/log/log.ts';
import type { Principal, RequestContext } from '../../../../subgraphs/kernel/principal.ts';
import { SUBGRAPH_NAMES, subgraphSchema } from '../graph.ts';

/**
 * The product's front and engine over the benchmark's subgraphs, in one process: limits, timeout and metrics as in production, any
 * key taken, no access log. Its environment: `PORT`; `SUPERGRAPH`, a file.
 */
const PRINCIPAL: Principal = { accountId: 'bench/sandbox', keyId: 'key', scopes: ['partner'] };

const TIMEOUT_MS = 30_000;

const metrics = createMetrics({
  webhooks: {
    stats: () => ({ inFlight: 0 }),
    queue: async () => ({}),
    heldEndpoints: async () => ({ paused: 0, open: 0, halfOpen: 0 }),
    onAttempt: () => undefined,
  },
  events: async () => ({ lagMs: 0, numbered: 0, partitions: 64, ownPartitions: 0, activeFollowers: 0 }),
  pipeline: async () => ({ phases: {}, asked: {}, steps: {} }),
  requestLog: () => ({ written: 0, dropped: 0 }),
  operationalEvents: () => ({ raised: {}, mails: {} }),
  missingPrices: () => 0,
  auditViolations: () => ({}),
  discrepancies: async () => ({}),
  clockSkewMs: () => 0,
  certificates: {},
  jobs: () => ({}),
});
const log = createLogger({ level: 'error' });
const transports = SUBGRAPH_NAMES.map(
  (name) => [name, createInProcessTransport(subgraphSchema(name))] as const,
);
const engine = buildEngine<RequestContext>({
  supergraphSdl: readFileSync(process.env.SUPERGRAPH ?? '', 'utf8'),
  transports: Object.fromEntries(transports),
  limits: DEFAULT_LIMITS,
  introspection: false,
  hooks: [withTimeout(TIMEOUT_MS, ({ controller }) => controller), metrics.hooks<RequestContext>()],
  onInternalError: (error) => log.error({ err: error }),
  exposeInternalErrors: false,
});
const app = Fastify(httpOptions(log, () => ({ body: null })));
app.decorateRequest('principal', null);
addCommonHeaders(app);
await addGraphQL(app, {
  engine,
  documents: createClientDocuments(),
  credentials: { authenticate: async () => PRINCIPAL },
  revocations: { watch: () => () => undefined },
});
process.once('SIGTERM', () => void app.close());
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
