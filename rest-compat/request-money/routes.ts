import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { authenticateBy } from '../../subgraphs/kernel/http/authentication.ts';
import { contextOf } from '../../subgraphs/kernel/http/request-context.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import { handlerOf, type RunDocument } from '../shared/documents.ts';
import { outcomeOf } from '../shared/outcome.ts';
import { sendJson, sendPlainJson } from '../shared/reply.ts';
import {
  pathOf,
  type RestRequest,
  type RestRoute,
  takeBodiesAsBytes,
  unreadBodyOf,
} from '../shared/request.ts';
import { CALLS, CANCEL, CREATE, unreadCreate } from './calls.ts';
import * as errors from './errors.ts';

/** The dependencies of the routes. */
export interface RequestMoneyRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

/** `/v1/request-money` (document 2): create, lookup and cancel. */
export async function requestMoneyRoutes(
  app: FastifyInstance,
  { run, apiKeys }: RequestMoneyRoutesDeps,
): Promise<void> {
  // This surface receives amounts, but never sends one.
  const answering = { run, errors, send: sendPlainJson };
  const unreadHandlers = {
    PAYLOAD_TOO_LARGE: handlerOf(unreadCreate('PAYLOAD_TOO_LARGE'), answering),
    UNSUPPORTED_MEDIA_TYPE: handlerOf(unreadCreate('UNSUPPORTED_MEDIA_TYPE'), answering),
  };
  takeBodiesAsBytes(app);
  app.setErrorHandler<FastifyError, RestRoute>(async (error, request, reply) => {
    const unread = unreadBodyOf(error);
    const { url } = request.routeOptions;
    if (unread !== undefined && url === CREATE.path) {
      return unreadHandlers[unread](request, reply);
    }
    const refusal =
      unread !== undefined && url === CANCEL.path ? await findRefusal(run, request, reply) : undefined;
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
      handler: handlerOf(call, answering),
    });
  }
}

/**
 * Why the graph refuses the caller of a call about a money request: scope and feature are checked before the body. A body that was not
 * read does not reach the graph, so the money request is looked up instead, which is refused alike and changes nothing.
 */
export async function findRefusal(
  run: RunDocument,
  request: RestRequest,
  reply: FastifyReply,
): Promise<'FORBIDDEN' | 'API_FEATURE_NOT_ENABLED' | undefined> {
  const result = await run('requestMoney', pathOf('referenceId')(request), contextOf(request, reply));
  const outcome = outcomeOf(result);
  const code = outcome.kind === 'failure' ? outcome.failures[0]?.code : undefined;
  return code === 'FORBIDDEN' || code === 'API_FEATURE_NOT_ENABLED' ? code : undefined;
}
