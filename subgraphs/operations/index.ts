import type { Connection } from 'mongoose';
import type { FollowEvents } from '../graph/event-subscription.ts';
import type { SubgraphDefinition } from '../graph/subgraph.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { type CountOpen, countByAccount } from '../kernel/database/count-by-account.ts';
import { newOperationCode } from '../kernel/database/ids.ts';
import { createUniqueValues } from '../kernel/database/unique-values.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { createJournal, createLedgerModels, createLedgerResolvers } from '../ledger/index.ts';
import { type AskedFigures, readAskedFigures } from '../providers/withdrawal-figures.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import type { UsersPort } from '../users/index.ts';
import type { OperationsDeps, OperationWriting } from './deps.ts';
import { QuoteResolver } from './graphql/quote-resolver.ts';
import { resolveOperations } from './graphql/references.ts';
import { ReservationResolver, resolveReservations } from './graphql/reservation-resolver.ts';
import { OperationResolver, UserOperationsResolver } from './graphql/resolvers.ts';
import { OperationSimulation } from './graphql/simulation.ts';
import { createStatusResolver } from './graphql/status-subscription.ts';
import { OPEN_STATUSES } from './lifecycle.ts';
import type { OperationsPort } from './port.ts';
import { createOperationService } from './service.ts';
import { createOperationModels } from './store/model.ts';
import { createOperationIds } from './store/operation-ids.ts';
import { createOperationRepository } from './store/operation-repository.ts';
import { createOperationPayments } from './store/payments.ts';
import { createQuotes } from './store/quotes.ts';
import { createReservations } from './store/reservations.ts';
import { fulfil } from './use-cases/fulfil-money-request.ts';
import { operationTimeline } from './use-cases/operation-timeline.ts';
import { operationVerdicts } from './use-cases/operation-verdict.ts';
import type { WithdrawalDeps } from './use-cases/request-money-v2/withdraw-reservation.ts';
import { requestOperation } from './use-cases/request-operation.ts';
import { reservationTimeline, searchReservations } from './use-cases/reservation-timeline.ts';
import { reservationVerdicts } from './use-cases/reservation-verdict.ts';
import { searchOperations } from './use-cases/search-operations.ts';
import {
  createWithdrawalWorker,
  type WithdrawalWorker,
  type WithdrawalWorkerSettings,
} from './withdrawal-worker.ts';

export { operationJsonSchemas } from './commands/json-schema.ts';
export {
  type FulfilledMoneyRequestStatus,
  MONEY_REQUEST_STATUS_OF,
  OPERATION_STATUSES,
  type OperationStatus,
  PARTNER_STATUS_OF,
  PARTNER_STATUSES,
  type PartnerStatus,
} from './lifecycle.ts';
export type {
  AskedRequest,
  AskedRequests,
  Fulfilled,
  FulfilledMoneyRequests,
  MovedOperation,
  OperationPayments,
  OperationsPort,
  RequestedOperation,
} from './port.ts';
export type { Countries, OperationRecord, ReservationDocument } from './store/model.ts';
export { QuoteUnusableError } from './store/quotes.ts';
export { callFunding, callWithdrawal } from './use-cases/call-funding.ts';
export {
  attributionLink,
  hasRoute,
  isBadAmount,
  isStaleRate,
  priceFailure,
  priceRequest,
} from './use-cases/corridor.ts';
export { priceByQuote, type QuoteIssue, quoteUnusable } from './use-cases/quoted-price.ts';
export type { WithdrawalWorker } from './withdrawal-worker.ts';

interface OperationsSlice {
  readonly subgraph: SubgraphDefinition;
  readonly port: OperationsPort;
  readonly countOpen: CountOpen;
  /** Withdraws requests by v2 whose payer may have been asked. It does nothing before its start. */
  readonly withdrawals: WithdrawalWorker;
  /** Requests by v2 of all processes whose payer may have been asked. */
  asked(): Promise<AskedFigures>;
}

/** The operations slice: operations and their history; requests by v2. */
export function createOperations(
  deps: Omit<
    OperationsDeps,
    'operations' | 'operationIds' | 'newCode' | 'reservations' | 'quotes' | 'journal'
  > & {
    connection: Connection;
    follow: FollowEvents;
    settings: WithdrawalDeps['settings'] & WithdrawalWorkerSettings;
  },
): OperationsSlice {
  const { connection, follow, ...rest } = deps;
  const models = createOperationModels(connection);
  const unique = createUniqueValues(connection);
  const operations = createOperationRepository({ models, unique, box: deps.box });
  const operationIds = createOperationIds(unique);
  const all = {
    ...rest,
    operations,
    operationIds,
    journal: createJournal(createLedgerModels(connection)),
    reservations: createReservations({
      ids: operationIds,
      model: models.reservations,
      box: deps.box,
    }),
    quotes: createQuotes(models.quotes),
    newCode: newOperationCode,
  };
  const service = createOperationService(all);
  return {
    subgraph: {
      name: 'operations',
      resolvers: [
        new OperationResolver(service),
        new OperationSimulation(service),
        new UserOperationsResolver(service),
        new ReservationResolver(service),
        new QuoteResolver(service),
        ...createLedgerResolvers(deps),
        createStatusResolver({ operations: service, follow }),
      ],
      references: { Operation: resolveOperations(service), Reservation: resolveReservations(service) },
      search: [searchOperations(all), searchReservations(all)],
      timeline: [operationTimeline({ operations }), reservationTimeline(all)],
      verdicts: [operationVerdicts({ operations }), reservationVerdicts(all)],
    },
    port: createOperationsPort(deps),
    withdrawals: createWithdrawalWorker(all, models.reservations),
    asked: () => readAskedFigures(models.reservations),
    countOpen: (accountIds) => countByAccount(models.operations, accountIds, OPEN_STATUSES),
  };
}

/** The functions for other slices, without the subgraph. */
export function createOperationsPort(deps: {
  connection: Connection;
  box: Box;
  users: Pick<UsersPort, 'countRequest'>;
  links: OperationWriting['links'];
  events: { append(events: readonly NewEvent[], unit: UnitOfWork): void };
}): OperationsPort {
  const { connection, box, users, links, events } = deps;
  const models = createOperationModels(connection);
  const unique = createUniqueValues(connection);
  const operationIds = createOperationIds(unique);
  const operations = createOperationRepository({ models, unique, box });
  const writing: OperationWriting = {
    operations,
    operationIds,
    box,
    users,
    links,
    events,
    journal: createJournal(createLedgerModels(connection)),
    newCode: newOperationCode,
  };
  return {
    fulfil: (input, unit) => fulfil(writing, input, unit),
    isIdTaken: (accountId, operationId) => operationIds.isTaken({ accountId, operationId }),
    reserveId: (accountId, operationId, unit) => operationIds.reserve({ accountId, operationId }, unit),
    request: async (input, unit) => {
      await requestOperation(writing, input, unit);
    },
    quotes: createQuotes(models.quotes),
    payments: createOperationPayments(models, operations),
  };
}
