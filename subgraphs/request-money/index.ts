import type { Connection } from 'mongoose';
import type { FulfilledAsks, OperationsPort } from '../operations/index.ts';
import type { BlindIndex } from '../platform/crypto/blind-index.ts';
import type { Box } from '../platform/crypto/box.ts';
import type { SubgraphDefinition } from '../platform/graphql/subgraph.ts';
import type { Logger } from '../platform/log/log.ts';
import type { Providers } from '../platform/providers/types.ts';
import type { Tenants } from '../platform/tenants/service.ts';
import type { UsersPort } from '../users/index.ts';
import { removeNumbers } from './commands/remove-numbers.ts';
import type { RequestMoneyDeps } from './deps.ts';
import { resolveRequestMonies } from './graphql/references.ts';
import { RequestMoneyResolver } from './graphql/resolvers.ts';
import { createStatusResolver, type FollowEvents } from './graphql/status-subscription.ts';
import type { PipelineSettings } from './pipeline/deps.ts';
import { OperationRemittanceResolver } from './pipeline/graphql/operation-fields.ts';
import { resolveRemittances } from './pipeline/graphql/references.ts';
import { RemittanceResolver } from './pipeline/graphql/resolvers.ts';
import { createRemittanceSubscription } from './pipeline/graphql/subscription.ts';
import { createPipeline, type Pipeline } from './pipeline/pipeline.ts';
import { createRequestMoneyService } from './service.ts';
import { createIdempotencyStore } from './store/idempotency.ts';
import { createAskModels } from './store/model.ts';
import type { AskWriting } from './store/move-request-money.ts';
import { createAskRepository } from './store/repository.ts';
import { expireDueAsks } from './use-cases/expire-request-monies.ts';
import { followOperation } from './use-cases/follow-operation.ts';

export { PAYOUT_METHODS } from './commands/create-command.ts';
export { bodyJsonSchemas, requestMoneyFullJsonSchema } from './commands/json-schema.ts';
export { ASK_STATUSES } from './lifecycle.ts';
export type { PipelineSettings } from './pipeline/deps.ts';
export type { Pipeline, PipelineStats } from './pipeline/pipeline.ts';
export { createHttpScreening, createSandboxScreening, type Screening } from './use-cases/screening.ts';

/** What the slice stands on. */
export type RequestMoneySeams = Omit<RequestMoneyDeps, 'asks' | 'idempotency'> & {
  connection: Connection;
  box: Box;
  blindIndex: BlindIndex;
  follow: FollowEvents;
  log: Logger;
  users: UsersPort;
  operations: OperationsPort;
  tenants: Pick<Tenants, 'find' | 'routes' | 'routesBetween' | 'hasRoutesFrom' | 'fxRate'>;
  providers: Omit<Providers, 'close'>;
  pipeline: PipelineSettings;
};

/** The slice as its composition root has it. */
export interface RequestMoneySlice {
  readonly subgraph: SubgraphDefinition;
  expireDueAsks(signal: AbortSignal): Promise<number>;
  /** Removes card numbers that former versions have left behind. */
  removeNumbers(signal: AbortSignal): Promise<void>;
  /** Carries accepted atomic calls through their phases. */
  readonly pipeline: Pick<Pipeline, 'worker' | 'stats'>;
}

/**
 * The request-money slice: asks, and what makes them safe to repeat (document 2); atomic calls, and the pipeline behind
 * them (document 1).
 */
export function createRequestMoney(deps: RequestMoneySeams): RequestMoneySlice {
  const models = createAskModels(deps.connection);
  const slice: RequestMoneyDeps = {
    ...deps,
    asks: createAskRepository({ models, box: deps.box, blindIndex: deps.blindIndex }),
    idempotency: createIdempotencyStore({
      model: models.idempotency,
      box: deps.box,
      blindIndex: deps.blindIndex,
    }),
  };
  const service = createRequestMoneyService(slice);
  const pipeline = createPipeline({ ...deps, settings: deps.pipeline });
  return {
    subgraph: {
      name: 'request-money',
      resolvers: [
        new RequestMoneyResolver(service),
        createStatusResolver({ requestMoney: service, follow: deps.follow }),
        new RemittanceResolver(pipeline),
        createRemittanceSubscription({ remittances: pipeline, follow: deps.follow }),
        new OperationRemittanceResolver(pipeline),
      ],
      references: {
        RequestMoney: resolveRequestMonies(service),
        Remittance: resolveRemittances(pipeline),
      },
    },
    expireDueAsks: (signal) => expireDueAsks({ ...slice, log: deps.log }, signal),
    removeNumbers: (signal) => removeNumbers({ ...slice, log: deps.log }, signal),
    pipeline,
  };
}

/** What the operations slice asks of this one, without the subgraph. */
export function createFulfilledAsks({
  connection,
  box,
  blindIndex,
  ...deps
}: Pick<RequestMoneySeams, 'connection' | 'box' | 'blindIndex'> &
  Omit<AskWriting, 'asks'> & { tenants: Pick<Tenants, 'find'> }): FulfilledAsks {
  const asks = createAskRepository({ models: createAskModels(connection), box, blindIndex });
  const writing = { ...deps, asks };
  return {
    followOperation: (moved, session) => followOperation(writing, moved, session),
    nudge: deps.webhooks.nudge,
  };
}
