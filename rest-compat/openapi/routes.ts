import type { FastifyInstance } from 'fastify';
import { partnerOpenApi } from '../partner/openapi.ts';
import { remittanceOpenApi } from '../remittance/openapi.ts';
import { requestMoneyOpenApi } from '../request-money/openapi.ts';
import { sendJson } from '../shared/reply.ts';

/** The descriptions of the surfaces, for anybody: they tell no more than the documents do. */
export async function openApiRoutes(app: FastifyInstance): Promise<void> {
  const requestMoney = requestMoneyOpenApi();
  const remittance = remittanceOpenApi();
  const partner = partnerOpenApi();
  app.get('/v1/openapi.json', async (_request, reply) =>
    sendJson(reply, { status: 200, body: requestMoney }),
  );
  app.get('/v1/user/openapi.json', async (_request, reply) =>
    sendJson(reply, { status: 200, body: remittance }),
  );
  app.get('/partner/openapi.json', async (_request, reply) =>
    sendJson(reply, { status: 200, body: partner }),
  );
}
