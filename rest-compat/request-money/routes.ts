import type { FastifyError, FastifyInstance } from 'fastify';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import { authenticateBy } from '../../subgraphs/platform/serve/authentication.ts';
import { handlerOf, type RunDocument } from '../shared/documents.ts';
import { sendJson, sendPlainJson } from '../shared/reply.ts';
import { type RestRoute, takeBodiesAsBytes } from '../shared/request.ts';
import { CALLS, CREATE_TOO_LARGE } from './calls.ts';
import * as errors from './errors.ts';

/** What the routes need. */
export interface RequestMoneyRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

/** `/v1/request-money` (document 2): create and lookup. */
export async function requestMoneyRoutes(
  app: FastifyInstance,
  { run, apiKeys }: RequestMoneyRoutesDeps,
): Promise<void> {
  // This surface receives amounts, but never sends one.
  const answering = { run, errors, send: sendPlainJson };
  const answerTooLarge = handlerOf(CREATE_TOO_LARGE, answering);
  takeBodiesAsBytes(app);
  app.setErrorHandler<FastifyError, RestRoute>((error, request, reply) =>
    error.statusCode === 413 ? answerTooLarge(request, reply) : errors.answerThrown(error, request, reply),
  );
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
