import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateBy } from '../../subgraphs/kernel/http/authentication.ts';
import { clientCertificateOf, isPinned } from '../../subgraphs/kernel/http/client-certificate.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import type { Tenants } from '../../subgraphs/partners/tenants/service.ts';
import { handlerOf, presentSuccess, type RunDocument, runCall } from '../shared/documents.ts';
import { type Outcome, presentThrown, respond, type SurfaceErrors } from '../shared/outcome.ts';
import { type RestResponse, sendJson } from '../shared/reply.ts';
import { type RestRequest, type RestRoute, takeBodiesAsBytes, unreadBodyOf } from '../shared/request.ts';
import { CALLS, type RemittanceCall } from './calls.ts';
import { type ErrorShape, errorsIn, presentError } from './errors.ts';

/** The dependencies of the routes. */
export interface RemittanceRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  tenants: Pick<Tenants, 'find'>;
}

/** `/v1/user/…` (document 1). */
export async function remittanceRoutes(app: FastifyInstance, deps: RemittanceRoutesDeps): Promise<void> {
  takeBodiesAsBytes(app);
  for (const call of CALLS) {
    addRoute(app, call, deps);
  }
}

function addRoute(
  app: FastifyInstance,
  call: RemittanceCall,
  { run, apiKeys, tenants }: RemittanceRoutesDeps,
): void {
  const errors = errorsIn(call.shape);
  const success = presentSuccess(call);
  const present = (outcome: Outcome) => respond(outcome, errors, success);
  const requireKey = authenticateBy(apiKeys, (reply) =>
    sendJson(reply, errors.presentError('UNAUTHENTICATED')),
  );
  app.route<RestRoute>({
    method: call.method,
    url: call.path,
    onRequest: [requireKey, requireCertificate(tenants, call.shape)],
    handler: handlerOf(call, { run, errors, send: sendJson }),
    errorHandler: async (error: FastifyError, request: RestRequest, reply) => {
      const unread = unreadBodyOf(error);
      if (unread !== undefined) {
        const outcome = await runCall(call, run, request, reply);
        return sendJson(reply, isForbidden(outcome) ? present(outcome) : errors.presentError(unread));
      }
      return sendJson(reply, presentFailedRequest(error, request, call.shape, errors));
    },
  });
}

/** Answers failures outside of a handler: a body that cannot be read, or an internal error. */
function presentFailedRequest(
  error: FastifyError,
  request: RestRequest,
  shape: ErrorShape,
  errors: SurfaceErrors,
): RestResponse {
  return error.statusCode !== undefined && error.statusCode < 500
    ? presentError('ERROR_REQUEST_MONEY_FULL', shape, error.message)
    : presentThrown(error, request.log, errors);
}

/**
 * Requires one of the partner's named client certificates for calls over mutual TLS. Calls of the plain listener have no
 * certificate.
 */
function requireCertificate(tenants: Pick<Tenants, 'find'>, shape: ErrorShape) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const certificate = clientCertificateOf(request);
    if (certificate === undefined) {
      return undefined;
    }
    const { principal } = request;
    const tenant = principal ? await tenants.find(principal.accountId) : undefined;
    return tenant && isPinned(tenant.mtlsClientCertSha256, certificate)
      ? undefined
      : sendJson(reply, presentError('ERROR_INVALID_PARTNER_TOKEN', shape, OTHER_CERTIFICATE));
  };
}

const OTHER_CERTIFICATE = "The client certificate is not one of this partner's.";

/**
 * Whether the key lacks a scope. The scope is checked before the size of the body, so the call is run without its body, which
 * changes nothing.
 */
function isForbidden(outcome: Outcome): boolean {
  return outcome.kind === 'failure' && outcome.failures[0]?.code === 'FORBIDDEN';
}
