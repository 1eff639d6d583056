import type { AccountClock, ListExpired } from '../kernel/clock/account-clock.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { OperationsPort } from '../operations/index.ts';
import type { Corridor, Route, Tenants } from '../partners/tenants/service.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import type { UsersPort } from '../users/index.ts';
import type { NewDelivery } from '../webhooks/queue.ts';
import type { IdempotencyRepository } from './store/idempotency-repository.ts';
import type { MoneyRequestRepository } from './store/money-request-repository.ts';
import type { MissingPrices } from './use-cases/missing-prices.ts';
import type { Screening } from './use-cases/screening.ts';

/** The dependencies of the slice's use cases. */
export interface RequestMoneyDeps {
  moneyRequests: MoneyRequestRepository;
  idempotency: IdempotencyRepository;
  screening: Pick<Screening, 'screen'>;
  users: Pick<UsersPort, 'findByReference' | 'insertByReference' | 'accountState' | 'requireUnblocked'>;
  operations: OperationsPort;
  tenants: Pick<Tenants, 'find' | 'environments'> & {
    routes(corridor: Corridor): Promise<Route[]>;
    fxRate: Tenants['fxRate'];
  };
  events: { append(events: readonly NewEvent[], unit: UnitOfWork): void };
  webhooks: { enqueue(deliveries: readonly NewDelivery[], unit: UnitOfWork): unknown };
  transaction: RunTransaction;
  missingPrices: MissingPrices;
  /** The time of an account's records. */
  accountClock: AccountClock;
  listExpired: ListExpired;
}

/** The dependencies for saving moves of money requests. */
export type MoneyRequestWriting = Pick<RequestMoneyDeps, 'moneyRequests' | 'events' | 'webhooks'>;
