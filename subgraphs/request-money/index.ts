import type { Connection } from 'mongoose';
import type { Box } from '../platform/crypto/box.ts';
import type { SubgraphDefinition } from '../platform/graphql/subgraph.ts';
import type { Logger } from '../platform/log.ts';
import type { RequestMoneyDeps } from './deps.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createAskModels } from './model.ts';
import { resolveRequestMonies } from './reference.ts';
import { createAskRepository } from './repository.ts';
import { RequestMoneyResolver } from './resolver.ts';
import { createRequestMoneyService } from './service.ts';
import { createStatusResolver, type FollowEvents } from './status-subscription.ts';
import { expireDueAsks } from './worker.ts';

export { PAYOUT_METHODS } from './body.ts';
export { bodyJsonSchemas, type JsonSchema } from './json-schema.ts';
export { ASK_STATUSES } from './lifecycle.ts';
export { createHttpScreening, createSandboxScreening, type Screening } from './screening.ts';

/** The request-money slice: asks, and what makes them safe to repeat (document 2). */
export function createRequestMoney(
  deps: Omit<RequestMoneyDeps, 'asks' | 'idempotency'> & {
    connection: Connection;
    box: Box;
    follow: FollowEvents;
    log: Logger;
  },
): { subgraph: SubgraphDefinition; expireDueAsks(signal: AbortSignal): Promise<number> } {
  const models = createAskModels(deps.connection);
  const slice: RequestMoneyDeps = {
    ...deps,
    asks: createAskRepository({ models, box: deps.box }),
    idempotency: createIdempotencyStore({ model: models.idempotency, box: deps.box }),
  };
  const service = createRequestMoneyService(slice);
  return {
    subgraph: {
      name: 'request-money',
      resolvers: [
        new RequestMoneyResolver(service),
        createStatusResolver({ requestMoney: service, follow: deps.follow }),
      ],
      references: { RequestMoney: resolveRequestMonies(service) },
    },
    expireDueAsks: (signal) => expireDueAsks({ ...slice, log: deps.log }, signal),
  };
}
