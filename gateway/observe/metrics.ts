import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { BUCKETS } from './buckets.ts';
import { createEngineMetrics, type EngineMetrics } from './engine-metrics.ts';
import { addOperationalFigures, type OperationalSource } from './operational-figures.ts';
import { addPipelineFigures, type PipelineFigures } from './pipeline-figures.ts';
import { createSourceReader, MOST_WAIT_MS, type ReadSource } from './source-reader.ts';
import { createStreamMetrics, type StreamMetrics } from './stream-metrics.ts';
import { addWebhookFigures, type WebhookSource } from './webhook-figures.ts';

/** Numbers of other parts. They are read with the metrics; a source without numbers is left out. */
export interface MetricSources extends OperationalSource {
  readonly webhooks: WebhookSource;
  /** The event log: lag in milliseconds, numbered events, partitions, those that this process numbers, and its followers. */
  events(): Promise<{
    lagMs: number;
    numbered: number;
    partitions: number;
    ownPartitions: number;
    activeFollowers: number;
  }>;
  /** The pipeline: remittances in progress by phase, over all processes, and outcomes of this process's steps. */
  pipeline(): Promise<PipelineFigures>;
  /** Runs of recurring jobs, by name. */
  jobs(): Readonly<Record<string, { runs: number; failures: number; skipped: number }>>;
  /** This machine's clock minus the database's, milliseconds. */
  clockSkewMs(): number;
  /** The earliest expiry of the certificates in each file that this process uses, seconds since 1970, by setting. */
  readonly certificates: Readonly<Record<string, number>>;
  /** Status changes of money requests that this process refused because no price exists. */
  missingPrices(): number;
  /** Violations that the hourly audits of this process found, by check. */
  auditViolations(): Readonly<Record<string, number>>;
  /** Discrepancies of all partners that still need somebody, by state. */
  discrepancies(): Promise<Readonly<Record<string, number>>>;
  /** Requests that this process has written to the log of requests, and those that it dropped. */
  requestLog(): Readonly<Record<'written' | 'dropped', number>>;
}

/** Metrics that are measured when something happens. */
export interface Metrics {
  /** Prometheus text, and its content type. */
  render(): Promise<{ contentType: string; text: string }>;
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Measures subscriptions on their way to clients. */
  readonly streams: StreamMetrics;
  /** Makes hooks that measure an engine. */
  readonly hooks: EngineMetrics['hooks'];
  readonly nameOperations: EngineMetrics['nameOperations'];
}

/**
 * Prometheus metrics of one process.
 *
 * @param mostWaitMs longest wait for a source
 */
export function createMetrics(sources: MetricSources, mostWaitMs = MOST_WAIT_MS): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answered HTTP requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const read = createSourceReader(registry, mostWaitMs);
  addSources(registry, sources, read);
  addCertificates(registry, sources.certificates);
  addWebhookFigures(registry, sources.webhooks, read);
  addOperationalFigures(registry, sources);
  addPipelineFigures(registry, () => read('pipeline', () => sources.pipeline()));
  return {
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    observeRequest: (labels, seconds) => requests.observe(labels, seconds),
    streams: createStreamMetrics(registry),
    ...createEngineMetrics(registry),
  };
}

function addSources(registry: Registry, sources: MetricSources, read: ReadSource): void {
  const registers = [registry];
  new Counter({
    name: 'recurring_job_runs_total',
    help: 'Recurring jobs of this process by name and what came of them',
    labelNames: ['job', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [job, counts] of Object.entries(sources.jobs())) {
        for (const [outcome, count] of Object.entries(counts)) {
          this.inc({ job, outcome }, count);
        }
      }
    },
  });
  new Counter({
    name: 'request_log_entries_total',
    help: 'Requests for the log of requests of this process, by what came of them',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(sources.requestLog())) {
        this.inc({ outcome }, count);
      }
    },
  });
  new Counter({
    name: 'audit_violations_total',
    help: 'Violations that the hourly audits of this process have found, by check',
    labelNames: ['check'],
    registers,
    collect() {
      this.reset();
      for (const [check, count] of Object.entries(sources.auditViolations())) {
        this.inc({ check }, count);
      }
    },
  });
  addDiscrepancies(registry, () => read('discrepancies', () => sources.discrepancies()));
  new Gauge({
    name: 'clock_skew_seconds',
    help: "By how much the machine's clock is ahead of the database's; negative when it is behind",
    registers,
    collect() {
      this.set(sources.clockSkewMs() / 1000);
    },
  });
  new Counter({
    name: 'request_money_no_price_total',
    help: 'Moves of money requests that this process has refused because there was no price for the payer',
    registers,
    collect() {
      this.reset();
      this.inc(sources.missingPrices());
    },
  });
  new Gauge({
    name: 'event_log',
    help: 'The event log: lag_seconds of unnumbered events, numbered events, partitions, own_partitions that this process numbers, and its followers',
    labelNames: ['figure'],
    registers,
    async collect() {
      const events = await read('events', () => sources.events());
      this.reset();
      if (events === undefined) {
        return;
      }
      const { lagMs, numbered, partitions, ownPartitions, activeFollowers } = events;
      this.set({ figure: 'lag_seconds' }, lagMs / 1000);
      this.set({ figure: 'numbered' }, numbered);
      this.set({ figure: 'partitions' }, partitions);
      this.set({ figure: 'own_partitions' }, ownPartitions);
      this.set({ figure: 'followers' }, activeFollowers);
    },
  });
}

function addCertificates(registry: Registry, certificates: MetricSources['certificates']): void {
  new Gauge({
    name: 'certificate_expiry_timestamp_seconds',
    help: 'The earliest expiry of the certificates in each file that this process uses, by setting',
    labelNames: ['setting'],
    registers: [registry],
    collect() {
      for (const [setting, at] of Object.entries(certificates)) {
        this.set({ setting }, at);
      }
    },
  });
}

function addDiscrepancies(
  registry: Registry,
  read: () => Promise<Readonly<Record<string, number>> | undefined>,
): void {
  new Gauge({
    name: 'settlement_discrepancies',
    help: 'Discrepancies of all partners between settlement files and the journal that still need somebody, by state, counted up to 100,000',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const now = await read();
      this.reset();
      for (const [state, count] of Object.entries(now ?? {})) {
        this.set({ state }, count);
      }
    },
  });
}
