import type { FastifyInstance } from 'fastify';
import { sendJson } from '../reply.ts';
import { requestMoneyOpenApi } from '../request-money/openapi.ts';

/** The descriptions of the surfaces, for anybody: they tell no more than the documents do. */
export async function openApiRoutes(app: FastifyInstance): Promise<void> {
  const requestMoney = requestMoneyOpenApi();
  app.get('/v1/openapi.json', async (_request, reply) =>
    sendJson(reply, { status: 200, body: requestMoney }),
  );
}
