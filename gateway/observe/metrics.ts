import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SubgraphTransport } from '../engine/transports/transport.ts';
import { addPipelineFigures, type PipelineFigures } from './pipeline-figures.ts';

/** Seconds; from a cached read to an operation that runs into its timeout. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Names of operations come from clients: past this many they share the label `other`. */
const MOST_OPERATION_NAMES = 200;

/** Numbers that other parts keep, read when somebody asks for metrics. */
export interface MetricSources {
  /** Deliveries since the start, by outcome, and attempts running now. */
  webhooks(): Readonly<Record<string, number>>;
  /** The event log: lag in milliseconds, last number, followers, whether this process numbers. */
  events(): Promise<{ lagMs: number; lastSeq: number; activeFollowers: number; leading: boolean }>;
  /** The pipeline: what is in progress by phase, over all processes, and what the steps of this one came to. */
  pipeline(): Promise<PipelineFigures>;
  /** Runs of recurring jobs, by name. */
  jobs(): Readonly<Record<string, { runs: number; failures: number; skipped: number }>>;
}

/** What is measured while it happens. */
export interface Metrics {
  /** Prometheus text, and its content type. */
  render(): Promise<{ contentType: string; text: string }>;
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** @param outcome `ok` or `error`: whether the result had errors */
  observeOperation(name: string | null | undefined, outcome: 'ok' | 'error', seconds: number): void;
  /** The same transport, measured by subgraph. */
  measured(subgraph: string, transport: SubgraphTransport): SubgraphTransport;
  /** @param lookup whether the operation's plan was known */
  operationLookedUp(lookup: 'hit' | 'miss'): void;
  subscriptionStarted(): void;
  /** @param reason `completed` by the source, `stopped` by the client or its socket, or `failed` by a fault */
  subscriptionEnded(reason: 'completed' | 'stopped' | 'failed'): void;
}

/** Prometheus metrics of one process. */
export function createMetrics(sources: MetricSources): Metrics {
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
  const operations = new Histogram({
    name: 'graphql_operation_duration_seconds',
    help: 'GraphQL operations by name and outcome',
    labelNames: ['operation', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  const fetches = new Histogram({
    name: 'graphql_subgraph_fetch_duration_seconds',
    help: 'Fetches of plans by subgraph and outcome',
    labelNames: ['subgraph', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  const lookups = new Counter({
    name: 'graphql_operation_cache_lookups_total',
    help: 'Lookups of planned operations in the cache, by result',
    labelNames: ['result'],
    registers,
  });
  const names = boundedNames(MOST_OPERATION_NAMES);
  addSources(registry, sources);
  addPipelineFigures(registry, sources.pipeline);
  return {
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    observeRequest: (labels, seconds) => requests.observe(labels, seconds),
    observeOperation: (name, outcome, seconds) =>
      operations.observe({ operation: names(name), outcome }, seconds),
    measured: (subgraph, transport) =>
      measure(transport, (outcome, seconds) => fetches.observe({ subgraph, outcome }, seconds)),
    operationLookedUp: (result) => lookups.inc({ result }),
    ...createSubscriptionMetrics(registry),
  };
}

function createSubscriptionMetrics(
  registry: Registry,
): Pick<Metrics, 'subscriptionStarted' | 'subscriptionEnded'> {
  const registers = [registry];
  const active = new Gauge({
    name: 'graphql_subscriptions_active',
    help: 'Subscriptions that are open',
    registers,
  });
  const ended = new Counter({
    name: 'graphql_subscriptions_ended_total',
    help: 'Subscriptions that ended, by reason',
    labelNames: ['reason'],
    registers,
  });
  return {
    subscriptionStarted: () => active.inc(),
    subscriptionEnded: (reason) => {
      active.dec();
      ended.inc({ reason });
    },
  };
}

function addSources(registry: Registry, sources: MetricSources): void {
  const registers = [registry];
  new Gauge({
    name: 'webhook_deliveries',
    help: 'Webhook attempts of this process since its start by outcome, and those running now (inFlight)',
    labelNames: ['outcome'],
    registers,
    collect() {
      for (const [outcome, count] of Object.entries(sources.webhooks())) {
        this.set({ outcome }, count);
      }
    },
  });
  new Gauge({
    name: 'recurring_job_runs',
    help: 'Recurring jobs of this process since its start by name and what came of them',
    labelNames: ['job', 'outcome'],
    registers,
    collect() {
      for (const [job, counts] of Object.entries(sources.jobs())) {
        for (const [outcome, count] of Object.entries(counts)) {
          this.set({ job, outcome }, count);
        }
      }
    },
  });
  new Gauge({
    name: 'event_log',
    help: 'The event log: lag_seconds of unnumbered events, last_number, followers, and whether this process is leading',
    labelNames: ['figure'],
    registers,
    async collect() {
      const { lagMs, lastSeq, activeFollowers, leading } = await sources.events();
      this.set({ figure: 'lag_seconds' }, lagMs / 1000);
      this.set({ figure: 'last_number' }, lastSeq);
      this.set({ figure: 'followers' }, activeFollowers);
      this.set({ figure: 'leading' }, leading ? 1 : 0);
    },
  });
}

/** A transport that tells how long each of its fetches took. */
function measure(
  transport: SubgraphTransport,
  observe: (outcome: 'ok' | 'error', seconds: number) => void,
): SubgraphTransport {
  return {
    ...transport,
    execute: (fetch, variables, context) => {
      const start = performance.now();
      const done = (outcome: 'ok' | 'error') => observe(outcome, (performance.now() - start) / 1000);
      const answer = transport.execute(fetch, variables, context);
      if (!(answer instanceof Promise)) {
        done(answer.errors ? 'error' : 'ok');
        return answer;
      }
      return answer.then(
        (response) => {
          done(response.errors ? 'error' : 'ok');
          return response;
        },
        (error: unknown) => {
          done('error');
          throw error;
        },
      );
    },
  };
}

function boundedNames(most: number): (name: string | null | undefined) => string {
  const known = new Set<string>();
  return (name) => {
    if (name === null || name === undefined || name === '') {
      return 'anonymous';
    }
    if (!known.has(name) && known.size >= most) {
      return 'other';
    }
    known.add(name);
    return name;
  };
}
