import { rootCertificates } from 'node:tls';
import type { Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { type AccountClocks, clocksAt } from '../kernel/clock/account-clock.ts';
import { readCertificates, readIdentity, readSettingFile } from '../kernel/config/pem-file.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { createTransactions, type RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Logger } from '../kernel/log/log.ts';
import { type Tracing, UNTRACED } from '../kernel/tracing/tracing.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import { type AttemptCounts, createAttempts } from '../runtime/work/attempt.ts';
import { bringBack } from '../runtime/work/bring-back.ts';
import { LONGEST_RETRY_AFTER_MS } from '../runtime/work/retry-after.ts';
import type { WorkSource } from '../runtime/work/work-listener.ts';
import { createWorker, type Worker } from '../runtime/work/worker.ts';
import { createAddressGuard } from './address-guard.ts';
import { advanceWebhooks } from './advance.ts';
import { BACKLOG, BY_ENDPOINT, type EndpointOfTenant, PARTITIONS } from './backlogs.ts';
import { createDeliveryClaims, createDeliveryLimiter } from './claim.ts';
import type { ResolveAll } from './connector.ts';
import type { DeliveryEvents } from './delivery-events.ts';
import { createDeliveryJob, type DeliveryOutcome, type EndpointReader } from './delivery-job.ts';
import { createEndpointBreakers } from './endpoint-breakers.ts';
import { createEndpointCounts } from './endpoint-counts.ts';
import { createEndpointFlow, type EndpointFlow, type EndpointFlowDeps } from './endpoint-flow.ts';
import { countHeldEndpoints, type HeldEndpoints } from './held-endpoints.ts';
import { createWebhookManagement, type WebhookManagement } from './manage.ts';
import { createWebhookModels, type DeliveryDocument, NOT_DUE, type WebhookModels } from './model.ts';
import { createDeliveryOrder } from './order.ts';
import { createWebhookQueue, type WebhookQueue } from './queue.ts';
import { createQueueFigures, type QueueFigures, type WebhookQueueState } from './queue-figures.ts';
import { createRecorder } from './record.ts';
import { createRetention, type Retention } from './retention.ts';
import { createSender, type Sender } from './sender.ts';
import { createSigningKeys } from './signing-key.ts';
import { type AttemptListener, createAttemptListeners } from './telemetry.ts';

export interface WebhookConfig {
  /** Time for an attempt, from resolving the name to the end of the answer; `WEBHOOK_TIMEOUT_SECONDS`. */
  readonly timeoutSeconds: number;
  /** `WEBHOOK_RETRY_SECONDS` */
  readonly retrySeconds: readonly number[];
  /** `WEBHOOK_MAX_ATTEMPTS` */
  readonly maxAttempts: number;
  /** Whether deliveries are tried as soon as they are stored; `WEBHOOK_NUDGE`. */
  readonly wake: boolean;
  /** Whether new deliveries are held from endpoints that fail most of them; default true; `WEBHOOK_BREAKER`. */
  readonly breaker?: boolean;
  /** Address blocks that receivers may have besides public addresses; `WEBHOOK_ALLOWED_CIDRS`. */
  readonly allowedCidrs: readonly string[];
  /** PEM file of certificate authorities that are trusted besides the runtime's; `WEBHOOK_CA_FILE`. */
  readonly caFile?: string;
  /**
   * PEM files of the certificate, and its key, that receivers get when they ask for one; `WEBHOOK_CLIENT_CERT_FILE` and
   * `WEBHOOK_CLIENT_KEY_FILE`. Absent: none.
   */
  readonly client?: { readonly certFile: string; readonly keyFile: string };
  /** How long ended deliveries are kept, days; default 30; `WEBHOOK_RETENTION_DAYS`. */
  readonly retentionDays?: number;
  /** How long a stop waits for running attempts before it gives them up; default 5. */
  readonly stopGraceSeconds?: number;
}

export interface WebhooksDeps {
  connection: Connection;
  log: Logger;
  /** The partners, for the URLs that their endpoints have now. */
  tenants: EndpointReader & Pick<Tenants, 'findStored'>;
  /** Seals addresses, secrets, bodies and answers. */
  box: Box;
  /** Makes the digests that name endpoints. */
  blindIndex: BlindIndex;
  config: WebhookConfig;
  /** Gets an event for each new delivery and each change of status, in the transaction that makes it. */
  events: DeliveryEvents;
  /** Default: transactions of the connection, without a stop signal. */
  transaction?: RunTransaction;
  /** The source of every time that is stored or compared; machines' clocks agree to a few seconds. */
  clock?: () => Date;
  /** The clocks of accounts, for the timestamps and the retention of deliveries. Default: none is ahead. */
  clocks?: AccountClocks;
  /** Whether the machine's clock is right. While it is not, nothing is sent. */
  isClockRight: () => boolean;
  /** Default: no tracing. */
  tracing?: Tracing;
  /** Default: the system's resolver. */
  resolve?: ResolveAll;
}

/** Counts of attempts by outcome since the process started, and of running ones. */
export type WebhookStats = Readonly<AttemptCounts<DeliveryOutcome>> & { readonly inFlight: number };

export interface Webhooks extends WebhookManagement {
  readonly queue: WebhookQueue;
  /** At a stop, an abandoned delivery is due again at once, and its attempt is not counted, though it may have arrived. */
  readonly worker: Worker<DeliveryDocument>;
  /** Work that other processes store and this one tries at once; none when `WEBHOOK_NUDGE` is off. */
  readonly source: WorkSource | undefined;
  /** Brings back due times that a clock has set which was ahead. @returns how many. The caller runs it every minute. */
  bringBack(): Promise<number>;
  readonly retention: Retention;
  /** {@link advanceWebhooks} */
  advance(accountId: AccountId, ms: number, unit: UnitOfWork): Promise<void>;
  stats(): WebhookStats;
  readonly figures: WebhookFigures;
}

/**
 * Most attempts at once in a process; an account gets a quarter of them. Attempts mostly wait for receivers, so this costs
 * little.
 */
const CONCURRENCY = 256;
const PER_TENANT = CONCURRENCY / 4;
/** Most attempts at once of one fast endpoint: fewer than an account's, so that its other endpoints are not delayed. */
const PER_ENDPOINT = 48;
/** How much longer a lease is than an attempt's timeout: for the time from claim to send, and for the record. */
const LEASE_MARGIN_MS = 20_000;
const STOP_GRACE_SECONDS = 5;

/**
 * The delivery engine for the webhooks of all three documents. It creates its collections' models. It sends nothing before
 * `worker.start()`, and the caller runs `worker.sweep()` every `WEBHOOK_SWEEP_SECONDS`.
 * @throws when the CA file cannot be read
 */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { connection, log, tenants, config, box, blindIndex, events, clock = () => new Date() } = deps;
  const { tracing = UNTRACED, isClockRight, clocks = clocksAt(clock) } = deps;
  const transaction = deps.transaction ?? createTransactions(connection);
  const models = createWebhookModels(connection);
  const { figures, notify } = createWebhookFigures(models, clock);
  const timeoutMs = config.timeoutSeconds * 1000;
  const leaseMs = timeoutMs + LEASE_MARGIN_MS;
  const flow = createFlow({ models, config, clock, log, leaseMs, onReady: (endpoint) => ready(endpoint) });
  const bounds = { total: CONCURRENCY, perTenant: PER_TENANT, perEndpoint: flow.most };
  const limiter = createDeliveryLimiter(bounds);
  const order = createDeliveryOrder({ models });
  const recorder = createRecorder({
    ...{ models, box, transaction, schedule: config, clock, events, order, aheadMs: clocks.aheadMs },
    onDue: (ids) => wake(ids),
  });
  const sender = createConfiguredSender(deps, timeoutMs);
  const { claims, backlogs } = createDeliveryClaims({
    ...{ models, bounds, transaction, limiter, clock, isClockRight, leaseMs },
  });
  const job = createDeliveryJob({
    ...{ tenants, recorder, sender, box, clock, timeoutMs, flow, tracing },
    signingKeyOf: createSigningKeys(blindIndex),
    // Quotas are for receivers that hang. An answered attempt only waits for its record, and counts only towards the total.
    onAnswered: (delivery) => {
      limiter.leave(delivery, 'endpoint');
      limiter.leave(delivery, 'tenant');
    },
    onAttempt: notify,
  });
  const attempts = createAttempts(job, { claims, log, clock, isClockRight, tracing });
  const kernel = createWorker<DeliveryDocument>({
    claims,
    limiter,
    partitions: PARTITIONS,
    work: attempts.run,
    log,
    name: job.name,
    stopGraceMs: (config.stopGraceSeconds ?? STOP_GRACE_SECONDS) * 1000,
  });
  const ready = (endpoint: EndpointOfTenant) => {
    backlogs.expect(endpoint);
    kernel.look(BACKLOG);
  };
  const worker = withFlow(kernel, flow, sender);
  const wake = config.wake ? worker.wake : () => undefined;
  const admit: typeof worker.admit = config.wake ? worker.admit : (delivery) => delivery;
  return {
    queue: createWebhookQueue({ models, box, blindIndex, events, order, clock, ...tracing, admit }),
    ...createWebhookManagement({
      ...{ connection, models, tenants, box, blindIndex, events, transaction, clock, clocks, isClockRight },
      wake,
      onEndpointChange: () => refreshSoon(flow, log),
    }),
    worker,
    source: config.wake
      ? { entity: 'webhookDelivery', idOf: ({ entityId }) => entityId, worker, name: job.name }
      : undefined,
    bringBack: () =>
      bringBack<DeliveryDocument>({
        ...{ model: models.deliveries, open: { status: 'PENDING' }, order: BY_ENDPOINT, never: NOT_DUE },
        ...{ clock, leaseMs, ...waitsOf(config) },
      }),
    retention: createRetention({ ...config, connection, models, transaction, ...clocks }),
    advance: (accountId, ms, unit) => advanceWebhooks({ models, clock }, accountId, ms, unit),
    figures,
    stats: () => ({ ...attempts.counts, inFlight: CONCURRENCY - limiter.free() }),
  };
}

function waitsOf({ retrySeconds }: WebhookConfig) {
  return { retrySeconds, longestWaitMs: LONGEST_RETRY_AFTER_MS };
}

interface FlowDeps extends Pick<EndpointFlowDeps, 'clock' | 'log' | 'onReady'> {
  models: Pick<WebhookModels, 'endpointStates'>;
  config: Pick<WebhookConfig, 'retrySeconds' | 'breaker'>;
  /** Time for a probe. */
  leaseMs: number;
}

function createFlow({ models, config, leaseMs, ...deps }: FlowDeps): EndpointFlow {
  const { endpointStates: states } = models;
  const { clock } = deps;
  return createEndpointFlow({
    ...deps,
    states,
    counts: createEndpointCounts(states, clock),
    breakers: createEndpointBreakers({
      states,
      clock,
      mayOpen: config.breaker ?? true,
      firstRetrySeconds: config.retrySeconds[0] ?? 0,
      probeMs: leaseMs,
    }),
    perEndpoint: PER_ENDPOINT,
  });
}

/** It does not wait: every process reads the endpoints again within a second anyway. */
function refreshSoon(flow: EndpointFlow, log: Logger): void {
  flow.refresh().catch((err: unknown) => log.warn({ err }, 'webhook.endpoints_not_read'));
}

/** The worker, with its background work. */
function withFlow(
  worker: Worker<DeliveryDocument>,
  flow: EndpointFlow,
  sender: Pick<Sender, 'close'>,
): Worker<DeliveryDocument> {
  return {
    ...worker,
    start: () => {
      worker.start();
      flow.start();
    },
    sweep: async () => {
      await flow.refresh();
      await worker.sweep();
    },
    stop: async () => {
      await worker.stop();
      await flow.stop();
      await sender.close();
    },
  };
}

function createConfiguredSender({ config, resolve }: WebhooksDeps, timeoutMs: number): Sender {
  const { allowedCidrs, caFile, client } = config;
  return createSender({
    guard: createAddressGuard(allowedCidrs),
    timeoutMs,
    // Named authorities replace the runtime's own, so both are given.
    ...(caFile === undefined ? {} : { ca: [...rootCertificates, readAuthorities(caFile)] }),
    ...(client && {
      identity: readIdentity(
        ['WEBHOOK_CLIENT_CERT_FILE', client.certFile],
        ['WEBHOOK_CLIENT_KEY_FILE', client.keyFile],
      ),
    }),
    ...(resolve ? { resolve } : {}),
  });
}

function readAuthorities(path: string): string {
  const pem = readSettingFile('WEBHOOK_CA_FILE', path);
  readCertificates('WEBHOOK_CA_FILE', path, pem);
  return pem;
}

interface WebhookFigures {
  /** Deliveries of all processes that wait to be sent, at most 15 s old. @throws when the database cannot be reached */
  queue(): Promise<Record<WebhookQueueState, QueueFigures>>;
  /** The number of held endpoints. @throws when the database cannot be reached */
  heldEndpoints(): Promise<HeldEndpoints>;
  /** Calls back with each ended attempt of this process, from now on. */
  onAttempt(listener: AttemptListener): void;
}

/** @returns the figures, and a function to call with attempts */
function createWebhookFigures(
  { deliveries, endpointStates }: Pick<WebhookModels, 'deliveries' | 'endpointStates'>,
  clock: () => Date,
): { readonly figures: WebhookFigures; readonly notify: AttemptListener } {
  const { add, notify } = createAttemptListeners();
  const figures = {
    queue: createQueueFigures({ deliveries, endpointStates }, clock),
    heldEndpoints: () => countHeldEndpoints(endpointStates),
    onAttempt: add,
  };
  return { figures, notify };
}
