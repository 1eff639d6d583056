import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import { authenticateBy } from '../../subgraphs/platform/serve/authentication.ts';
import { contextOf } from '../../subgraphs/platform/serve/request-context.ts';
import { bodyText, takeBodiesAsText } from '../shared/body-text.ts';
import type { RunDocument } from '../shared/documents.ts';
import { outcomeOf, payloadOutcome } from '../shared/outcome.ts';
import { sendJson } from '../shared/reply.ts';
import { answerFault, presentError } from './errors.ts';
import { type CreatePayload, type FoundMoneyRequest, presentCreated, presentFound } from './presenters.ts';

export interface RequestMoneyRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

/** `/v1/request-money` (document 2): create and lookup. */
export async function requestMoneyRoutes(
  app: FastifyInstance,
  { run, apiKeys }: RequestMoneyRoutesDeps,
): Promise<void> {
  takeBodiesAsText(app);
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    error.statusCode === 413 ? create(request, reply, null) : answerFault(error, request, reply),
  );
  app.addHook(
    'onRequest',
    authenticateBy(apiKeys, (reply) => sendJson(reply, presentError('UNAUTHENTICATED'))),
  );

  app.post('/v1/request-money', (request, reply) => create(request, reply, bodyText(request)));

  app.get<{ Params: { referenceId: string } }>('/v1/request-money/:referenceId', async (request, reply) => {
    const { referenceId } = request.params;
    const result = await run('requestMoney', { referenceId }, contextOf(request, reply));
    return sendJson(reply, presentFound(outcomeOf<{ requestMoney: FoundMoneyRequest | null }>(result)));
  });

  /** `body` is null when it was too large to be read: a refusal like others, with its events. */
  async function create(request: FastifyRequest, reply: FastifyReply, body: string | null) {
    const variables = { body, idempotencyKey: idempotencyKeyOf(request) };
    const result = await run('createRequestMoney', variables, contextOf(request, reply));
    return sendJson(
      reply,
      presentCreated(payloadOutcome<CreatePayload>(result, 'createRequestMoneyFromJson')),
    );
  }
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' ? key : null;
}
