import type { FastifyInstance } from 'fastify';
import { type InternalRoutesDeps, internalRoutes } from './internal/routes.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { type PartnerRoutesDeps, partnerRoutes } from './partner/routes.ts';
import { type RemittanceRoutesDeps, remittanceRoutes } from './remittance/routes.ts';
import { type RequestMoneyRoutesDeps, requestMoneyRoutes } from './request-money/routes.ts';

export { loadDocuments } from './shared/documents.ts';
export { answerNotFound } from './shared/not-found.ts';
export { answerRateLimited } from './shared/rate-limited.ts';
export { answerUnexpected } from './shared/unexpected.ts';

/** The documented REST surfaces, each a scope with its own bodies and errors. */
export async function addRestCompat(
  app: FastifyInstance,
  deps: RemittanceRoutesDeps & RequestMoneyRoutesDeps & PartnerRoutesDeps & InternalRoutesDeps,
): Promise<void> {
  await app.register(remittanceRoutes, deps);
  await app.register(requestMoneyRoutes, deps);
  await app.register(partnerRoutes, deps);
  await app.register(internalRoutes, deps);
  await app.register(openApiRoutes);
}
