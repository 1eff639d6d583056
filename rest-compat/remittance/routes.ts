import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import { authenticateBy } from '../../subgraphs/platform/serve/authentication.ts';
import { clientCertificateOf, isPinned } from '../../subgraphs/platform/serve/client-certificate.ts';
import { contextOf } from '../../subgraphs/platform/serve/request-context.ts';
import type { Tenants } from '../../subgraphs/platform/tenants/service.ts';
import { isAway } from '../shared/away.ts';
import { takeBodiesAsText } from '../shared/body-text.ts';
import type { RunDocument } from '../shared/documents.ts';
import type { Outcome } from '../shared/outcome.ts';
import { type RestResponse, sendExactJson } from '../shared/reply.ts';
import { CALLS, type Call } from './calls.ts';
import { type ErrorShape, presentError, presentFailures, presentInternalError } from './errors.ts';

export interface RemittanceRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  tenants: Pick<Tenants, 'find'>;
}

/** `/v1/user/…` (document 1). */
export async function remittanceRoutes(app: FastifyInstance, deps: RemittanceRoutesDeps): Promise<void> {
  takeBodiesAsText(app);
  for (const call of CALLS) {
    addRoute(app, call, deps);
  }
}

type Answer = FastifyReply | undefined;

function addRoute(app: FastifyInstance, call: Call, { run, apiKeys, tenants }: RemittanceRoutesDeps): void {
  const { method, url, document, shape, variables, present } = call;
  const ask = async (request: FastifyRequest, reply: FastifyReply) =>
    present(await run(document, variables(request), contextOf(request, reply)));
  const requireKey = authenticateBy(apiKeys, (reply) =>
    sendExactJson(reply, presentError('UNAUTHENTICATED', shape)),
  );
  app.route({
    method,
    url,
    onRequest: [requireKey, requireCertificate(tenants, shape)],
    handler: async (request, reply) => sendExactJson(reply, respond(await ask(request, reply), shape)),
    errorHandler: async (error: FastifyError, request, reply) => {
      if (error.statusCode === 413) {
        return sendExactJson(reply, tooLarge(await ask(request, reply), shape));
      }
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return sendExactJson(reply, presentError('ERROR_REQUEST_MONEY_FULL', shape, error.message));
      }
      return sendExactJson(
        reply,
        isAway(error, request.log) ? presentError('SERVICE_UNAVAILABLE', shape) : presentInternalError(),
      );
    },
  });
}

/** A partner may have said which certificates it calls with by mutual TLS; the plain listener knows of none. */
function requireCertificate(tenants: Pick<Tenants, 'find'>, shape: ErrorShape) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    const certificate = clientCertificateOf(request);
    if (certificate === undefined) {
      return undefined;
    }
    const tenant = await tenants.find(request.principal?.tenantId ?? '');
    return tenant && isPinned(tenant.mtlsClientCertSha256, certificate)
      ? undefined
      : sendExactJson(reply, presentError('ERROR_INVALID_PARTNER_TOKEN', shape, OTHER_CERTIFICATE));
  };
}

const OTHER_CERTIFICATE = "The client certificate is not one of this partner's.";

function respond(outcome: Outcome<unknown>, shape: ErrorShape): RestResponse {
  switch (outcome.kind) {
    case 'data':
      return { status: 200, body: outcome.data };
    case 'refused':
      return presentFailures(outcome.failures, shape);
    case 'fault':
      return presentInternalError();
  }
}

/** Scopes come before bodies: `outcome` is what the graph says to the same call without a body, which has no effect. */
function tooLarge(outcome: Outcome<unknown>, shape: ErrorShape): RestResponse {
  const isForbidden = outcome.kind === 'refused' && outcome.failures[0]?.code === 'FORBIDDEN';
  return isForbidden ? respond(outcome, shape) : presentError('PAYLOAD_TOO_LARGE', shape);
}
