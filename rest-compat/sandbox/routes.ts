import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { environmentOf } from '../../subgraphs/kernel/account.ts';
import { authenticateBy } from '../../subgraphs/kernel/http/authentication.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import * as errors from '../internal/errors.ts';
import { findRefusal } from '../request-money/routes.ts';
import { handlerOf, type RunDocument } from '../shared/documents.ts';
import { sendJson } from '../shared/reply.ts';
import { type RestRequest, type RestRoute, takeBodiesAsBytes, unreadBodyOf } from '../shared/request.ts';
import { CALLS } from './calls.ts';

/** The dependencies of the routes. */
export interface SandboxRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

/**
 * `/v1/sandbox/…` (decisions, section 8, "Simulation"): a partner's key as in document 2, errors as those of the internal calls.
 */
export async function sandboxRoutes(
  app: FastifyInstance,
  { run, apiKeys }: SandboxRoutesDeps,
): Promise<void> {
  takeBodiesAsBytes(app);
  app.setErrorHandler<FastifyError, RestRoute>(async (error, request, reply) => {
    const refusal = unreadBodyOf(error) === undefined ? undefined : await refusalOf(run, request, reply);
    return refusal === undefined
      ? errors.answerThrown(error, request, reply)
      : sendJson(reply, errors.presentError(refusal));
  });
  app.addHook(
    'onRequest',
    authenticateBy(apiKeys, (reply) => sendJson(reply, errors.presentError('UNAUTHENTICATED'))),
  );
  for (const call of CALLS) {
    app.route<RestRoute>({
      method: call.method,
      url: call.path,
      handler: handlerOf(call, { run, errors, send: sendJson }),
    });
  }
}

/** Why the graph would refuse the caller. A body that was not read does not reach it, and the caller is checked before the body. */
async function refusalOf(
  run: RunDocument,
  request: RestRequest,
  reply: FastifyReply,
): Promise<'FORBIDDEN' | 'SANDBOX_ONLY' | 'API_FEATURE_NOT_ENABLED' | undefined> {
  const { principal, params } = request;
  if (!principal?.scopes.includes('partner')) {
    return 'FORBIDDEN';
  }
  if (environmentOf(principal.accountId) !== 'sandbox') {
    return 'SANDBOX_ONLY';
  }
  // Only the call about a money request needs a feature.
  return params.referenceId === undefined ? undefined : findRefusal(run, request, reply);
}
