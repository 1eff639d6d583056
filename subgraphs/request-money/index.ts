import type { Connection } from 'mongoose';
import type { FollowEvents } from '../graph/event-subscription.ts';
import type { SubgraphDefinition } from '../graph/subgraph.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { type CountOpen, countByAccount } from '../kernel/database/count-by-account.ts';
import type { Logger } from '../kernel/log/log.ts';
import type { FulfilledMoneyRequests, OperationsPort } from '../operations/index.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { Providers } from '../providers/types.ts';
import {
  createPipeline,
  createRemittanceSubscription,
  OperationRemittanceResolver,
  type Pipeline,
  type PipelineDeps,
  type PipelineSettings,
  RemittanceResolver,
  remittanceTimeline,
  remittanceVerdicts,
  resolveRemittances,
  searchRemittances,
  UserRemittancesResolver,
} from '../remittances/index.ts';
import type { EventHistory } from '../runtime/events/index.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import type { MoneyRequestWriting, RequestMoneyDeps } from './deps.ts';
import { UserPaymentsResolver } from './graphql/payment-resolver.ts';
import { resolveRequestMonies } from './graphql/references.ts';
import { RequestMoneyResolver, UserMoneyRequestsResolver } from './graphql/resolvers.ts';
import { RequestMoneySimulation } from './graphql/simulation.ts';
import { createStatusResolver } from './graphql/status-subscription.ts';
import { OPEN_STATUSES } from './lifecycle.ts';
import { createRequestMoneyService } from './service.ts';
import { createIdempotencyRepository } from './store/idempotency-repository.ts';
import { createMoneyRequestModels } from './store/model.ts';
import { createMoneyRequestRepository } from './store/money-request-repository.ts';
import { expireDueMoneyRequests } from './use-cases/expire-money-requests.ts';
import { followOperation } from './use-cases/follow-operation.ts';
import { createMissingPrices } from './use-cases/missing-prices.ts';
import { moneyRequestTimeline } from './use-cases/money-request-timeline.ts';
import { moneyRequestVerdicts } from './use-cases/money-request-verdict.ts';
import { searchMoneyRequests } from './use-cases/search-money-requests.ts';
import { createUserPayments } from './use-cases/user-payments.ts';

export { bodyJsonSchemas } from './commands/json-schema.ts';
export { MONEY_REQUEST_STATUSES, mayHaveMoved } from './lifecycle.ts';
export { REQUEST_MONEY_FEATURE } from './service.ts';
export { createScreening } from './use-cases/screening.ts';

type RequestMoneyDependencies = Omit<RequestMoneyDeps, 'moneyRequests' | 'idempotency' | 'missingPrices'> & {
  connection: Connection;
  box: Box;
  blindIndex: BlindIndex;
  follow: FollowEvents;
  history: EventHistory;
  deliveries: Pick<Deliveries, 'aboutFailures'>;
  log: Logger;
  users: RequestMoneyDeps['users'] & PipelineDeps['users'];
  operations: OperationsPort;
  tenants: Pick<Tenants, 'find' | 'routes' | 'routesBetween' | 'hasRoutesFrom' | 'fxRate'>;
  providers: Omit<Providers, 'close'>;
  tracing: PipelineDeps['tracing'];
  isClockRight: PipelineDeps['isClockRight'];
  /** The time of the pipeline's queue. */
  clock: PipelineDeps['clock'];
  pipeline: PipelineSettings;
};

/** The parts of the slice for its composition root. */
export interface RequestMoneySlice {
  readonly subgraph: SubgraphDefinition;
  expireDueMoneyRequests(signal: AbortSignal): Promise<number>;
  /** Carries accepted atomic calls through their phases. */
  readonly pipeline: Pick<Pipeline, 'worker' | 'source' | 'stats' | 'tenantFigures' | 'bringBack'>;
  /** Moves of money requests that this process has refused with NO_PRICE. */
  readonly missingPrices: () => number;
  /** Counts the money requests of accounts that have not ended. */
  readonly countOpen: CountOpen;
}

/**
 * The request-money slice: money requests that are safe to create again (document 2); atomic calls, and the pipeline behind
 * them (document 1).
 */
export function createRequestMoney(deps: RequestMoneyDependencies): RequestMoneySlice {
  const models = createMoneyRequestModels(deps.connection);
  const missingPrices = createMissingPrices(deps);
  const slice: RequestMoneyDeps = {
    ...deps,
    missingPrices,
    moneyRequests: createMoneyRequestRepository({ models, box: deps.box, blindIndex: deps.blindIndex }),
    idempotency: createIdempotencyRepository({
      model: models.idempotency,
      box: deps.box,
      blindIndex: deps.blindIndex,
    }),
  };
  const service = createRequestMoneyService(slice);
  const pipeline = createPipeline({ ...deps, settings: deps.pipeline });
  const payments = createUserPayments({
    moneyRequests: slice.moneyRequests.payments,
    remittances: pipeline.payments,
    operations: deps.operations.payments,
  });
  return {
    subgraph: {
      name: 'request-money',
      resolvers: [
        new RequestMoneyResolver(service),
        new RequestMoneySimulation(service),
        createStatusResolver({ requestMoney: service, follow: deps.follow }),
        new RemittanceResolver(pipeline),
        createRemittanceSubscription({ remittances: pipeline, follow: deps.follow }),
        new OperationRemittanceResolver(pipeline),
        new UserMoneyRequestsResolver(service),
        new UserRemittancesResolver(pipeline),
        new UserPaymentsResolver(payments, pipeline.now),
      ],
      references: {
        RequestMoney: resolveRequestMonies(service),
        Remittance: resolveRemittances(pipeline),
      },
      search: [searchMoneyRequests(slice), searchRemittances(pipeline)],
      timeline: [moneyRequestTimeline(slice, deps), remittanceTimeline(pipeline, deps.history, deps.users)],
      verdicts: [moneyRequestVerdicts(slice), remittanceVerdicts(pipeline, deps.users, deps)],
    },
    expireDueMoneyRequests: (signal) => expireDueMoneyRequests({ ...slice, log: deps.log }, signal),
    pipeline,
    missingPrices: missingPrices.count,
    countOpen: (accountIds) => countByAccount(models.moneyRequests, accountIds, OPEN_STATUSES),
  };
}

/** The part of this slice that the operations slice uses, without the subgraph. */
export function createFulfilledMoneyRequests({
  connection,
  box,
  blindIndex,
  ...deps
}: Pick<RequestMoneyDependencies, 'connection' | 'box' | 'blindIndex'> &
  Omit<MoneyRequestWriting, 'moneyRequests'> & { tenants: Pick<Tenants, 'find'> }): FulfilledMoneyRequests {
  const moneyRequests = createMoneyRequestRepository({
    models: createMoneyRequestModels(connection),
    box,
    blindIndex,
  });
  const writing = { ...deps, moneyRequests };
  return {
    followOperation: (moved, unit) => followOperation(writing, moved, unit),
  };
}
