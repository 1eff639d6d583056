import type { FastifyError, FastifyInstance } from 'fastify';
import { statusOrInternalError } from '../../subgraphs/kernel/errors/catalogue.ts';
import { authenticateBy } from '../../subgraphs/kernel/http/authentication.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import {
  answerThrown,
  presentError,
  presentFailuresBy,
  presentInternalError,
} from '../request-money/errors.ts';
import { handlerOf, type RunDocument } from '../shared/documents.ts';
import { sendJson } from '../shared/reply.ts';
import { type RestRoute, takeBodiesAsBytes, unreadBodyOf } from '../shared/request.ts';
import { CALLS } from './calls.ts';

/** The dependencies of the routes. */
export interface QuoteRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

/** Document 2's errors, and RATE_STALE by its own name: this call is ours. */
const ERRORS = {
  presentFailures: presentFailuresBy((code) => statusOrInternalError(code, 'requestMoney'), {
    FORBIDDEN: 'INSUFFICIENT_SCOPE',
  }),
  presentError,
  presentInternalError,
};

/** `/v1/quotes`: a partner's key as in document 2. */
export async function quoteRoutes(app: FastifyInstance, { run, apiKeys }: QuoteRoutesDeps): Promise<void> {
  takeBodiesAsBytes(app);
  // The scope is checked before the body, also before one that was not read.
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    unreadBodyOf(error) !== undefined && !request.principal?.scopes.includes('partner')
      ? sendJson(reply, presentError('FORBIDDEN'))
      : answerThrown(error, request, reply),
  );
  app.addHook(
    'onRequest',
    authenticateBy(apiKeys, (reply) => sendJson(reply, presentError('UNAUTHENTICATED'))),
  );
  for (const call of CALLS) {
    app.route<RestRoute>({
      method: call.method,
      url: call.path,
      handler: handlerOf(call, { run, errors: ERRORS, send: sendJson }),
    });
  }
}
