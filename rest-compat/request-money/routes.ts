import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateBy } from '../../gateway/plugins/authentication.ts';
import { contextOf } from '../../gateway/plugins/graphql.ts';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import { bodyText, takeBodiesAsText } from '../body-text.ts';
import type { RunDocument } from '../documents.ts';
import { outcomeOf, payloadOutcome } from '../outcome.ts';
import { sendJson } from '../reply.ts';
import { answerFault, presentError } from './errors.ts';
import { type CreatePayload, type FoundAsk, presentCreated, presentFound } from './presenters.ts';

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
  app.setErrorHandler(answerFault);
  app.addHook(
    'onRequest',
    authenticateBy(apiKeys, (reply) => sendJson(reply, presentError('UNAUTHENTICATED'))),
  );

  app.post('/v1/request-money', async (request, reply) => {
    const variables = { body: bodyText(request), idempotencyKey: idempotencyKeyOf(request) };
    const result = await run('createRequestMoney', variables, contextOf(request, reply));
    return sendJson(
      reply,
      presentCreated(payloadOutcome<CreatePayload>(result, 'createRequestMoneyFromJson')),
    );
  });

  app.get<{ Params: { referenceId: string } }>('/v1/request-money/:referenceId', async (request, reply) => {
    const { referenceId } = request.params;
    const result = await run('requestMoney', { referenceId }, contextOf(request, reply));
    return sendJson(reply, presentFound(outcomeOf<{ requestMoney: FoundAsk | null }>(result)));
  });
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' ? key : null;
}
