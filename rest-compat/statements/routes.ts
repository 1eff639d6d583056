import type { FastifyInstance, FastifyReply } from 'fastify';
import { authenticateBy } from '../../subgraphs/kernel/http/authentication.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import * as requestMoney from '../request-money/errors.ts';
import { sendBytes } from '../shared/conditional.ts';
import { handlerOf, type RunDocument } from '../shared/documents.ts';
import type { SurfaceErrors } from '../shared/outcome.ts';
import { type RestResponse, sendJson } from '../shared/reply.ts';
import type { RestRoute } from '../shared/request.ts';
import { issuesOf, LIST, READ, READ_CSV } from './calls.ts';

/** The dependencies of the routes. */
export interface StatementRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

/** Errors in document 2's shapes. A wrong cursor is an issue of the query. */
const errors: SurfaceErrors = {
  ...requestMoney,
  presentFailures: (failures) =>
    requestMoney.presentFailures(
      failures.map((failure) =>
        failure.code === 'INVALID_CURSOR'
          ? { code: 'VALIDATION_FAILED', message: failure.message, path: ['after'] }
          : failure,
      ),
    ),
};

/** `/v1/statements`: the statements of the partner, which no document describes; errors in document 2's shapes. */
export async function statementRoutes(
  app: FastifyInstance,
  { run, apiKeys }: StatementRoutesDeps,
): Promise<void> {
  app.setErrorHandler(requestMoney.answerThrown);
  app.addHook(
    'onRequest',
    authenticateBy(apiKeys, (reply) => sendJson(reply, errors.presentError('UNAUTHENTICATED'))),
  );
  const list = handlerOf(LIST, { run, errors, send: sendJson });
  app.get<RestRoute>(LIST.path, (request, reply) => {
    const issues = issuesOf(request);
    // A key without the scope is refused by the graph, whatever its query.
    return issues.length > 0 && request.principal?.scopes.includes('partner')
      ? sendJson(reply, errors.presentFailures(issues))
      : list(request, reply);
  });
  app.get<RestRoute>(READ.path, handlerOf(READ, { run, errors, send: sendJson }));
  app.get<RestRoute>(READ_CSV.path, handlerOf(READ_CSV, { run, errors, send: sendFile }));
}

/** Sends a text as a CSV file; errors are JSON. */
function sendFile(reply: FastifyReply, response: RestResponse): FastifyReply {
  if (typeof response.body !== 'string') {
    return sendJson(reply, response);
  }
  reply.code(response.status).headers({
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  });
  return sendBytes(reply, 'text/csv; charset=utf-8; header=present', Buffer.from(response.body));
}
