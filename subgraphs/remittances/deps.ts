import type { AccountClock } from '../kernel/clock/account-clock.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Logger } from '../kernel/log/log.ts';
import type { Tracing } from '../kernel/tracing/tracing.ts';
import type { LinksPort } from '../links/index.ts';
import type { OperationsPort } from '../operations/index.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { Providers } from '../providers/types.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import type { UsersPort } from '../users/index.ts';
import type { NewDelivery } from '../webhooks/queue.ts';
import type { RemittanceRepository } from './store/remittance-repository.ts';

/** The dependencies of the pipeline's use cases. */
export interface PipelineDeps {
  remittances: RemittanceRepository;
  box: Box;
  users: Pick<
    UsersPort,
    | 'ensureRegistered'
    | 'accountState'
    | 'blockOf'
    | 'requireUnblocked'
    | 'keepContact'
    | 'keepPaymentMethod'
    | 'phoneKey'
    | 'phoneKeysOf'
  > &
    Pick<LinksPort, 'recordIdentityCheck'>;
  operations: Pick<OperationsPort, 'isIdTaken' | 'reserveId' | 'request' | 'quotes'>;
  tenants: Pick<Tenants, 'find' | 'routesBetween' | 'hasRoutesFrom' | 'fxRate'>;
  providers: Omit<Providers, 'close'>;
  events: { append(events: readonly NewEvent[], unit: UnitOfWork): void };
  webhooks: { enqueue(deliveries: readonly NewDelivery[], unit: UnitOfWork): unknown };
  transaction: RunTransaction;
  tracing: Tracing;
  /** The time by which work is due, leased and found stuck. */
  clock: () => Date;
  /** The time of an account's records. */
  accountClock: AccountClock;
  /** Whether the machine's clock is right. While it is not, no step begins. */
  isClockRight: () => boolean;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** The worker's leases, delays and limits. */
export interface PipelineSettings {
  /** `PIPELINE_LEASE_SECONDS` */
  readonly leaseSeconds: number;
  /** `PIPELINE_RETRY_SECONDS` */
  readonly retrySeconds: readonly number[];
  /** `PIPELINE_CONCURRENCY` */
  readonly concurrency: number;
  /** `PIPELINE_TENANT_CONCURRENCY` */
  readonly tenantConcurrency: number;
  /** How long a stop waits for running steps before it gives them up, seconds; default 5. */
  readonly stopGraceSeconds?: number;
}
