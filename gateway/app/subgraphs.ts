import type { Connection } from 'mongoose';
import { choosableVersions } from '../../schema/event-versions.ts';
import { createAccount } from '../../subgraphs/account/index.ts';
import { createOperators, type Operators } from '../../subgraphs/account/operators/index.ts';
import { createReadShares } from '../../subgraphs/graph/limit-reads.ts';
import { buildSubgraph, type Subgraph } from '../../subgraphs/graph/subgraph.ts';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { type DatabaseClock, databaseClockOf } from '../../subgraphs/kernel/clock/database-clock.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { type Role, runsSubgraph } from '../../subgraphs/kernel/config/roles.ts';
import { createBlindIndex } from '../../subgraphs/kernel/crypto/blind-index.ts';
import { deriveKey } from '../../subgraphs/kernel/crypto/box.ts';
import { keyringOf } from '../../subgraphs/kernel/crypto/keyring.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { createLinks } from '../../subgraphs/links/index.ts';
import { createOperations } from '../../subgraphs/operations/index.ts';
import type { BrowserTokens } from '../../subgraphs/partners/keys/browser-tokens.ts';
import type { ConsoleSessions } from '../../subgraphs/partners/keys/console-sessions.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import type { UsedTokens } from '../../subgraphs/partners/keys/used-tokens.ts';
import { createOperatorLog } from '../../subgraphs/partners/operator-log/index.ts';
import { createOperatorLogModel } from '../../subgraphs/partners/operator-log/model.ts';
import { createRequestLog, type RequestLog } from '../../subgraphs/partners/request-log/index.ts';
import { createReveals } from '../../subgraphs/partners/request-log/reveals.ts';
import { createTenantModels } from '../../subgraphs/partners/tenants/model.ts';
import { createTenants, type Tenants } from '../../subgraphs/partners/tenants/service.ts';
import { createProviders } from '../../subgraphs/providers/create.ts';
import { createAskedRemittances } from '../../subgraphs/remittances/index.ts';
import {
  createFulfilledMoneyRequests,
  createRequestMoney,
  createScreening,
} from '../../subgraphs/request-money/index.ts';
import { createEvents } from '../../subgraphs/runtime/events/index.ts';
import { createJobs } from '../../subgraphs/runtime/jobs/agenda.ts';
import { limitPartners } from '../../subgraphs/runtime/limits/partner-limiter.ts';
import { createRateLimiter, type RateLimiter } from '../../subgraphs/runtime/limits/rate-limiter.ts';
import { createMigrations, migrateAtStart } from '../../subgraphs/runtime/migrations/migrations.ts';
import { createUsers } from '../../subgraphs/users/index.ts';
import { createWebhooks } from '../../subgraphs/webhooks/webhooks.ts';
import type { MetricSources } from '../observe/metrics.ts';
import { createWorkTracing } from '../observe/work-tracing.ts';
import { type AccountWebhooks, accountWebhooks } from './account-webhooks.ts';
import { type Audit, createAudit } from './audit.ts';
import { createBackground } from './background.ts';
import { certificateExpiries } from './certificate-expiries.ts';
import { createErasure } from './erasure.ts';
import { hostAccount } from './host-account.ts';
import { hostErasure } from './host-erasure.ts';
import { createKeyStores } from './key-stores.ts';
import { defineLedgerJobs } from './ledger-jobs.ts';
import { mailerOf, operationalEventsOf } from './operational-events.ts';
import { operatorRemittancesOn } from './operator-remittances.ts';
import { publicUrlOf } from './public-url.ts';
import { rateSourceOf } from './rate-source.ts';
import { requireSameKeys } from './require-same-keys.ts';
import { createSandboxWork, sandboxesOn } from './sandboxes.ts';
import { type Settlement, settlementOn } from './settlement.ts';
import { webhookConfig } from './webhook-config.ts';

/** The four subgraphs and their foundations, wired once. */
export interface Subgraphs extends AccountWebhooks {
  /** The database's time, by which everything is due or expires. */
  readonly clock: DatabaseClock;
  /** How far the clocks of accounts are ahead of it. */
  readonly aheadMs: (accountId: AccountId) => number;
  readonly tenants: Tenants;
  readonly apiKeys: ApiKeys;
  readonly browserTokens: BrowserTokens;
  readonly consoleSessions: ConsoleSessions;
  /** Tokens of sign-ins, and of sign-outs by providers. */
  readonly usedTokens: UsedTokens;
  /** Rate limits that all processes share. */
  readonly limiter: RateLimiter;
  /** The log of partners' requests. */
  readonly requestLog: RequestLog;
  /** The subgraphs that a process of this role runs. */
  readonly schemas: readonly Subgraph[];
  /** The checks that records agree with each other. */
  readonly audit: Audit;
  readonly settlement: Pick<Settlement, 'import'>;
  /** Figures of background work. */
  readonly figures: MetricSources;
  /**
   * Checks the secrets against the data, and applies migrations or requires them (`MIGRATE_ON_START`). Nothing is served
   * before that. @throws OperatorError with what to do
   */
  prepare(): Promise<void>;
  /** Checks that the event log is still divided as this process writes it. @throws OperatorError with what to do */
  recheck(): Promise<void>;
  /**
   * Starts the work without requests: webhook delivery in every process that stores events, so that they are tried at
   * once; the sequencer of the event log, the pipeline and the recurring jobs only in `all` and `worker`. A `worker`
   * also listens for work that other processes store.
   */
  start(role: Role): Promise<void>;
  /** Stops everything that {@link start} started, after running work has finished. */
  stop(): Promise<void>;
}

interface SubgraphsDeps {
  config: Config;
  connection: Connection;
  log: Logger;
}

/** Wires platform and slices on one store connection. Nothing runs before {@link Subgraphs.start}. */
export async function createSubgraphs(deps: SubgraphsDeps): Promise<Subgraphs> {
  const { config, connection, log } = deps;
  const platform = createPlatform(deps);
  const slices = createSlices(deps, platform);
  const { clock, tenants, apiKeys, browserTokens, consoleSessions, limiter, requestLog } = platform;
  const { events, webhooks, jobs, usedTokens } = platform;
  const operators = createOperators({ connection, ...platform, ...operatorsSources(slices, platform) });
  const audit = createAudit({ config, connection, log, ...platform });
  const { tenantFigures: stuckOf } = slices.requestMoney.pipeline;
  const operationalEvents = operationalEventsOf(deps, { ...platform, stuckOf });
  defineLedgerJobs({ ...deps, ...platform, audit });
  const settlement = settlementOn({ ...deps, ...platform, operationalEvents });
  const work = { samples: operators.samples, operationalEvents };
  const background = createBackground({ config, log, ...platform, ...slices, ...work });
  const shares = createReadShares();
  return {
    ...{ clock, tenants, apiKeys, browserTokens, consoleSessions, usedTokens, limiter },
    ...{ requestLog, audit, settlement, aheadMs: platform.clocks.aheadMs },
    ...accountWebhooks(platform),
    schemas: await Promise.all(
      definitionsOf(deps, slices, { ...platform, operators })
        .filter(({ name }) => runsSubgraph(config.ROLE, name))
        .map((definition) => buildSubgraph(definition, shares)),
    ),
    figures: {
      auditViolations: audit.violations,
      discrepancies: settlement.counts,
      pipeline: async () => {
        const { asked: remittance, ...figures } = await slices.requestMoney.pipeline.stats();
        return { ...figures, asked: { remittance, reservation: await slices.operations.asked() } };
      },
      webhooks: { stats: webhooks.stats, ...webhooks.figures },
      events: () => events.status(),
      jobs: () => jobs.stats(),
      requestLog: requestLog.counts,
      operationalEvents: operationalEvents.counts,
      clockSkewMs: clock.skewMs,
      certificates: certificateExpiries(config),
      missingPrices: () => slices.requestMoney.missingPrices(),
    },
    prepare: async () => {
      await clock.measure();
      clock.start();
      await platform.clocks.start();
      await requireSameKeys(connection, config, log);
      const migrations = createMigrations({ connection, log, clock: clock.now });
      await migrateAtStart(migrations, { migrate: config.MIGRATE_ON_START });
      await events.open();
    },
    recheck: events.open,
    start: (role) => background.start(role),
    stop: async () => {
      platform.stopping.abort();
      clock.stop();
      platform.clocks.stop();
      await background.stop();
      await requestLog.close();
      await events.close();
      await platform.screening.close();
      await platform.rateSource?.close();
      await platform.providers.close();
    },
  };
}

type Platform = ReturnType<typeof createPlatform>;

function createPlatform({ config, connection, log }: SubgraphsDeps) {
  const keyring = keyringOf(config);
  const blindIndex = createBlindIndex(deriveKey(Buffer.from(config.API_KEY_PEPPER), 'blind-index'));
  const box = keyring.box('fields');
  const clock = databaseClockOf(connection, log);
  const stopping = new AbortController();
  const tracing = createWorkTracing();
  const transaction = createTransactions(connection, { signal: stopping.signal });
  const sandboxes = createSandboxWork(connection, {
    ...{ environments: config.ENVIRONMENTS, transaction, clock: clock.now, log },
  });
  const { accountClock, listExpired } = sandboxes.clocks;
  const times = { clock: clock.now, isClockRight: clock.isRight, accountClock, listExpired };
  const events = createEvents({
    ...times,
    connection,
    log,
    transaction,
    cursorKeys: keyring.keys('cursor'),
    partitions: config.EVENT_LOG_PARTITIONS,
    retentionDays: config.EVENT_RETENTION_DAYS,
  });
  const tenants = createTenants({
    ...{ models: createTenantModels(connection), box, transaction, clock: clock.now },
    environments: config.ENVIRONMENTS,
  });
  const requestLog = createRequestLog({ connection, log, clock: clock.now });
  return {
    clock,
    times,
    ...sandboxes,
    stopping,
    box,
    blindIndex,
    providers: createProviders(config, tracing),
    rateSource: rateSourceOf(config),
    tenants,
    ...createKeyStores({ config, connection, log, clock: clock.now, transaction, tenants, box }),
    limiter: createRateLimiter({ connection, clock: clock.now }),
    requestLog,
    operatorLog: createOperatorLog({ model: createOperatorLogModel(connection), clock: clock.now }),
    reveals: createReveals({ insert: requestLog.store, log, clock: clock.now }),
    events,
    webhooks: createWebhooks({
      ...times,
      ...{ connection, log, tenants, transaction, blindIndex, tracing, clocks: sandboxes.clocks },
      box: keyring.box('webhooks'),
      events: events.log,
      config: webhookConfig(config),
    }),
    jobs: createJobs({ connection, log, isClockRight: clock.isRight }),
    tracing,
    transaction,
    erasure: createErasure({ connection, keyring, transaction, events: events.log, accountClock }),
    screening: createScreening({
      urls: { live: config.IDENTITY_VALIDATOR_URL, sandbox: config.SANDBOX_IDENTITY_VALIDATOR_URL },
      blindIndex,
      tracing,
    }),
  };
}

function createSlices({ config, connection, log }: SubgraphsDeps, platform: Platform) {
  const { box, blindIndex, times, providers, tenants, apiKeys, events } = platform;
  const { webhooks, transaction, screening, reveals } = platform;
  const common = { connection, box, tenants, events: events.log, transaction, ...times };
  const { follow, history } = events;
  const users = createUsers({ ...common, blindIndex, providers, reveals, apiKeys });
  const links = createLinks({
    ...common,
    log,
    users: users.port,
    follow,
    history,
    webhooks: webhooks.queue,
    publicUrl: publicUrlOf(config),
    reveals,
  });
  const operations = createOperations({
    ...common,
    log,
    settings: {
      withdrawAfterSeconds: config.FUNDING_WITHDRAW_AFTER_SECONDS,
      retrySeconds: config.PIPELINE_RETRY_SECONDS,
      leaseSeconds: config.PIPELINE_LEASE_SECONDS,
    },
    blindIndex,
    users: users.port,
    links: links.port,
    moneyRequests: createFulfilledMoneyRequests({ ...common, blindIndex, webhooks: webhooks.queue }),
    remittances: createAskedRemittances({ ...common, webhooks: webhooks.queue }),
    providers,
    follow,
  });
  const requestMoney = createRequestMoney({
    ...common,
    blindIndex,
    log,
    screening,
    // The timelines of the user's links show the result of an identity check, too.
    users: { ...users.port, recordIdentityCheck: links.port.recordIdentityCheck },
    operations: operations.port,
    follow,
    history,
    tracing: platform.tracing,
    webhooks: webhooks.queue,
    deliveries: webhooks.deliveries,
    providers,
    pipeline: {
      leaseSeconds: config.PIPELINE_LEASE_SECONDS,
      retrySeconds: config.PIPELINE_RETRY_SECONDS,
      concurrency: config.PIPELINE_CONCURRENCY,
      tenantConcurrency: config.PIPELINE_TENANT_CONCURRENCY,
    },
  });
  return { operations, users, links, requestMoney };
}

/** The slices' subgraphs. The subgraph of links also hosts the account, that of users the erasure over all slices. */
function definitionsOf(
  { config, connection, log }: SubgraphsDeps,
  slices: ReturnType<typeof createSlices>,
  platform: Platform & { readonly operators: Operators },
) {
  const definitions = hostErasure(slices, platform);
  const account = createAccount({
    ...platform,
    sandboxes: sandboxesOn(connection, platform),
    operatorRemittances: operatorRemittancesOn(connection, platform),
    limiter: limitPartners(platform.limiter, config.RATE_LIMIT_PARTNER_FACTOR),
    ...{ log, publicUrl: publicUrlOf(config), hasMail: mailerOf(config) !== undefined },
    eventVersions: choosableVersions(platform.clock.now),
  });
  return hostAccount(definitions, 'links', account, { ...platform, ...platform.times });
}

/** Figures of the slices for the platform's operators. */
function operatorsSources(
  { operations, requestMoney, requestMoney: { pipeline } }: ReturnType<typeof createSlices>,
  { clock }: Platform,
) {
  return {
    phases: async () => (await pipeline.stats()).phases,
    slices: {
      operations: operations.countOpen,
      moneyRequests: requestMoney.countOpen,
      remittances: pipeline.tenantFigures,
    },
    clock: clock.now,
  };
}
