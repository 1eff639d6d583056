import type { FastifyError, FastifyInstance } from 'fastify';
import { authenticateBy } from '../../subgraphs/kernel/http/authentication.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import { handlerOf, type RunDocument } from '../shared/documents.ts';
import { sendJson, sendPlainJson } from '../shared/reply.ts';
import { type RestRoute, takeBodiesAsBytes, unreadBodyOf } from '../shared/request.ts';
import { CALLS, CREATE, unreadCreate } from './calls.ts';
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
  app.setErrorHandler<FastifyError, RestRoute>((error, request, reply) => {
    const unread = request.routeOptions.url === CREATE.path ? unreadBodyOf(error) : undefined;
    return unread === undefined
      ? errors.answerThrown(error, request, reply)
      : unreadHandlers[unread](request, reply);
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
