import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import http from '@graphql-mesh/transport-http';

/**
 * Hive Gateway's runtime with Hive Router's planner. Deduplication, on by default towards subgraphs, is off.
 * Its environment: `PORT`; `SUPERGRAPH`, a file.
 */
const gateway = createGatewayRuntime({
  supergraph: readFileSync(process.env.SUPERGRAPH, 'utf8'),
  unifiedGraphHandler,
  transports: { http },
  transportEntries: { '*.http': { options: { deduplicateInflightRequests: false } } },
  inboundInflightRequestDeduplication: false,
  logging: 'error',
  landingPage: false,
});
const server = createServer(gateway);
process.once('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT), '127.0.0.1');
