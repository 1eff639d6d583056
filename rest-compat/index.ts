import type { FastifyInstance } from 'fastify';
import { type ExportRoutesDeps, exportRoutes } from './exports/routes.ts';
import { type InternalRoutesDeps, internalRoutes } from './internal/routes.ts';
import { openApiRoutes } from './openapi.ts';
import { type PartnerRoutesDeps, partnerRoutes } from './partner/routes.ts';
import { type QuoteRoutesDeps, quoteRoutes } from './quotes/routes.ts';
import { type RemittanceRoutesDeps, remittanceRoutes } from './remittance/routes.ts';
import { type RequestMoneyRoutesDeps, requestMoneyRoutes } from './request-money/routes.ts';
import { type SandboxRoutesDeps, sandboxRoutes } from './sandbox/routes.ts';
import { type StatementRoutesDeps, statementRoutes } from './statements/routes.ts';

export {
  answerBadRequest,
  answerNotFound,
  answerRateLimited,
  answerUnexpected,
  presentBadRequest,
} from './edge.ts';
export { loadDocuments } from './shared/documents.ts';

/** Adds the documented REST surfaces and the exports, each in a Fastify scope with its own body reading and errors. */
export async function addRestCompat(
  app: FastifyInstance,
  deps: RemittanceRoutesDeps &
    RequestMoneyRoutesDeps &
    PartnerRoutesDeps &
    QuoteRoutesDeps &
    SandboxRoutesDeps &
    StatementRoutesDeps &
    InternalRoutesDeps &
    ExportRoutesDeps,
): Promise<void> {
  await app.register(remittanceRoutes, deps);
  await app.register(requestMoneyRoutes, deps);
  await app.register(partnerRoutes, deps);
  await app.register(quoteRoutes, deps);
  await app.register(sandboxRoutes, deps);
  await app.register(statementRoutes, deps);
  await app.register(internalRoutes, deps);
  await app.register(exportRoutes, deps);
  await app.register(openApiRoutes);
}
