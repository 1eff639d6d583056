import type { Connection } from 'mongoose';
import type { AccountClocks } from '../../subgraphs/kernel/clock/account-clock.ts';
import type { DatabaseClock } from '../../subgraphs/kernel/clock/database-clock.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { Box } from '../../subgraphs/kernel/crypto/box.ts';
import type { RunTransaction } from '../../subgraphs/kernel/database/transaction.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { createSealer, createStatementIssuer } from '../../subgraphs/ledger/index.ts';
import type { Tenants } from '../../subgraphs/partners/tenants/service.ts';
import type { Events } from '../../subgraphs/runtime/events/index.ts';
import type { Jobs } from '../../subgraphs/runtime/jobs/agenda.ts';
import type { Webhooks } from '../../subgraphs/webhooks/webhooks.ts';
import type { Audit } from './audit.ts';
import { type RateSource, refreshRates } from './rate-source.ts';

/** The longest wait of journal entries for their place in the chain. */
const SEAL_SECONDS = 5;
/** The longest wait of a day that can be closed for its statements. */
const STATEMENT_SECONDS = 60;
/** How often the records of the last day are audited. */
const AUDIT_SECONDS = 3_600;

interface LedgerJobsDeps {
  readonly config: Pick<Config, 'FX_RATES_REFRESH_SECONDS' | 'FX_RATES_MAX_AGE_SECONDS'>;
  readonly connection: Connection;
  readonly log: Pick<Logger, 'info'>;
  readonly clock: Pick<DatabaseClock, 'now'>;
  readonly times: Pick<AccountClocks, 'accountClock'>;
  readonly box: Box;
  readonly transaction: RunTransaction;
  readonly jobs: Pick<Jobs, 'defineRecurring'>;
  readonly tenants: Pick<Tenants, 'find' | 'refreshFxRates'>;
  readonly events: Pick<Events, 'history'>;
  readonly webhooks: Pick<Webhooks, 'queue'>;
  /** Undefined: only operators set exchange rates. */
  readonly rateSource: RateSource | undefined;
  readonly audit: Pick<Audit, 'runDaily'>;
}

/** Defines the recurring work on the journal, on statements and on exchange rates, and the audit. */
export function defineLedgerJobs(deps: LedgerJobsDeps): void {
  const { config, connection, log, clock, times, box, transaction, jobs, tenants, rateSource } = deps;
  jobs.defineRecurring({
    name: 'journal.seal',
    everySeconds: SEAL_SECONDS,
    run: createSealer({ connection, box, transaction, history: deps.events.history }),
  });
  jobs.defineRecurring({
    name: 'statements.issue',
    everySeconds: STATEMENT_SECONDS,
    run: createStatementIssuer({
      ...{ connection, box, transaction, tenants },
      queue: deps.webhooks.queue,
      accountClock: times.accountClock,
    }),
  });
  // A new database has nothing to audit yet.
  jobs.defineRecurring({
    name: 'audit',
    everySeconds: AUDIT_SECONDS,
    startsLater: true,
    run: deps.audit.runDaily,
  });
  if (rateSource) {
    const refreshing = { tenants, clock: clock.now, log, maxAgeSeconds: config.FX_RATES_MAX_AGE_SECONDS };
    jobs.defineRecurring({
      name: 'rates.refresh',
      everySeconds: config.FX_RATES_REFRESH_SECONDS,
      run: (signal) => refreshRates(refreshing, rateSource, signal),
    });
  }
}
