import { describe, expect, test } from '@jest/globals';
import { createTestGraph, testContext } from '../engine/testing/index.ts';
import { createMetrics, type MetricSources, type Metrics } from './metrics.ts';

let reads = 0;
let notify: Parameters<MetricSources['webhooks']['onAttempt']>[0];
const sources: MetricSources = {
  webhooks: {
    stats: () => ({ delivered: 3, stale: 1, inFlight: 2 }),
    queue: async () => {
      reads += 1;
      return { due: { depth: 7, oldestSeconds: 61.5, overdueSeconds: 1.5 } };
    },
    heldEndpoints: async () => ({ paused: 1, open: 2, halfOpen: 3 }),
    onAttempt: (listener) => {
      notify = listener;
    },
  },
  events: async () => ({ lagMs: 1_500, numbered: 7, partitions: 64, ownPartitions: 32, activeFollowers: 2 }),
  pipeline: async () => {
    reads += 1;
    return {
      phases: { CIP: { inProgress: 5, stuck: 2, oldestSeconds: 61.5 } },
      asked: { remittance: { retrying: 6, withdrawing: 8, unknown: 3 } },
      steps: { advanced: 9, inFlight: 1 },
    };
  },
  jobs: () => ({ 'webhooks.sweep': { runs: 4, failures: 1, skipped: 0 } }),
  requestLog: () => ({ written: 12, dropped: 1 }),
  operationalEvents: () => ({ raised: { 'endpoint.failing': 2 }, mails: { sent: 3, refused: 1 } }),
  missingPrices: () => 4,
  auditViolations: () => ({ journal: 1 }),
  discrepancies: async () => ({ open: 7, investigating: 0 }),
  clockSkewMs: () => -1_500,
  certificates: { MTLS_CERT_FILE: 1_800_000_000 },
};
function createMeasuredGraph(metrics: Metrics) {
  return createTestGraph({
    subgraphs: {
      one: 'type Query { a: Int fails: Int down: Int }',
    },
    resolvers: {
      Query: {
        a: () => 1,
        fails: () => {
          throw new Error('no');
        },
      },
    },
    engine: { hooks: [metrics.hooks()] },
    decorate: (transport) => ({
      ...transport,
      execute: (fetch, variables, context) =>
        fetch.document.includes('down')
          ? Promise.reject(new Error('down'))
          : transport.execute(fetch, variables, context),
    }),
  });
}

async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  const { text } = await metrics.render();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('metrics', () => {
  test('read the figures of other parts', async () => {
    const lines = await linesOf(createMetrics(sources));
    for (const line of [
      'webhook_attempts_total{outcome="delivered"} 3',
      'webhook_attempts_total{outcome="stale"} 1',
      'webhook_attempts_in_flight 2',
      'webhook_queue_depth{state="due"} 7',
      'webhook_endpoints_held{hold="paused"} 1',
      'webhook_endpoints_held{hold="breaker_open"} 2',
      'webhook_endpoints_held{hold="breaker_half_open"} 3',
      'webhook_queue_oldest_seconds{state="due"} 61.5',
      'webhook_queue_overdue_seconds{state="due"} 1.5',
      'request_log_entries_total{outcome="dropped"} 1',
      'operational_events_total{event="endpoint.failing"} 2',
      'operational_mails_total{outcome="refused"} 1',
      'request_money_no_price_total 4',
      'clock_skew_seconds -1.5',
      'certificate_expiry_timestamp_seconds{setting="MTLS_CERT_FILE"} 1800000000',
      'event_log{figure="lag_seconds"} 1.5',
      'event_log{figure="own_partitions"} 32',
      'recurring_job_runs_total{job="webhooks.sweep",outcome="failures"} 1',
      'remitgraph_pipeline_in_progress{phase="CIP"} 5',
      'remitgraph_pipeline_stuck{phase="CIP"} 2',
      'remitgraph_pipeline_oldest_seconds{phase="CIP"} 61.5',
      'remitgraph_payers_may_have_been_asked{record="remittance",state="withdrawing"} 8',
      'remitgraph_payers_may_have_been_asked{record="remittance",state="unknown"} 3',
      'remitgraph_pipeline_steps_total{outcome="advanced"} 9',
      'remitgraph_pipeline_steps_in_flight 1',
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.filter((line) => line.includes('inFlight'))).toEqual([]);
    expect(reads).toBe(2);
  });

  test('counts are counters, and collecting them does not change them', async () => {
    const metrics = createMetrics(sources);
    await metrics.render();
    const { text } = await metrics.render();
    for (const [name, line] of [
      ['webhook_attempts_total', 'webhook_attempts_total{outcome="delivered"} 3'],
      ['recurring_job_runs_total', 'recurring_job_runs_total{job="webhooks.sweep",outcome="runs"} 4'],
      ['remitgraph_pipeline_steps_total', 'remitgraph_pipeline_steps_total{outcome="advanced"} 9'],
    ]) {
      expect(text).toContain(`# TYPE ${name} counter\n`);
      expect(text).toContain(`${line}\n`);
    }
  });

  test('time webhook attempts by their result', async () => {
    const metrics = createMetrics(sources);
    notify({ result: 'delivered', seconds: 0.2 });
    notify({ result: 'timeout', seconds: 10 });
    const lines = await linesOf(metrics);
    const bucket = (le: string, result: string) =>
      `webhook_attempt_duration_seconds_bucket{le="${le}",result="${result}"}`;
    expect(lines).toContain(`${bucket('0.1', 'delivered')} 0`);
    expect(lines).toContain(`${bucket('0.25', 'delivered')} 1`);
    expect(lines).toContain(`${bucket('10', 'timeout')} 1`);
  });

  test('leave out the figures of a source that fails or hangs, count that, and keep all others', async () => {
    let isAway = false;
    const metrics = createMetrics(
      {
        ...sources,
        events: () => (isAway ? Promise.reject(new Error('down')) : sources.events()),
        pipeline: () => (isAway ? new Promise(() => undefined) : sources.pipeline()),
      },
      20,
    );
    const isOfSources = (line: string) => /^(event_log|remitgraph_p)/.test(line);
    expect((await linesOf(metrics)).filter(isOfSources)).not.toEqual([]);
    isAway = true;
    expect((await linesOf(metrics)).filter(isOfSources)).toEqual([]);
    isAway = false;
    const lines = await linesOf(metrics);
    for (const line of [
      'event_log{figure="numbered"} 7',
      'webhook_attempts_total{outcome="delivered"} 3',
      'metrics_source_failures_total{source="events"} 1',
      'metrics_source_failures_total{source="pipeline"} 1',
    ]) {
      expect(lines).toContain(line);
    }
  });

  test('time fetches by subgraph and outcome, whichever way they end', async () => {
    const metrics = createMetrics(sources);
    const { engine } = createMeasuredGraph(metrics);
    for (const query of ['{ a }', '{ fails }', '{ down }']) {
      await engine.execute({ query }, testContext());
    }
    const lines = await linesOf(metrics);
    expect(lines).toContain('graphql_subgraph_fetch_duration_seconds_count{subgraph="one",outcome="ok"} 1');
    expect(lines).toContain(
      'graphql_subgraph_fetch_duration_seconds_count{subgraph="one",outcome="error"} 2',
    );
  });

  test('time operations of trusted names by name and outcome', async () => {
    const metrics = createMetrics(sources);
    metrics.nameOperations(['Mine', 'Ours']);
    const { engine } = createMeasuredGraph(metrics);
    await engine.execute({ query: 'query Mine { a }', operationName: 'Mine' }, testContext());
    await engine.execute({ query: '{ fails }' }, testContext());
    await engine.executeTrusted(engine.prepareTrusted('query Ours { a }'), null, testContext());
    const lines = await linesOf(metrics);
    for (const labels of [
      'operation="Mine",outcome="ok"',
      'operation="anonymous",outcome="error"',
      'operation="Ours",outcome="ok"',
    ]) {
      expect(lines).toContain(`graphql_operation_duration_seconds_count{${labels}} 1`);
    }
  });

  test('take no name of an operation from clients, even if many come first', async () => {
    const metrics = createMetrics(sources);
    const { engine } = createMeasuredGraph(metrics);
    for (let index = 0; index < 250; index += 1) {
      await engine.execute({ query: `query Op${index} { a }`, operationName: `Op${index}` }, testContext());
    }
    metrics.nameOperations(['Mine']);
    await engine.execute({ query: 'query Mine { a }', operationName: 'Mine' }, testContext());
    const lines = await linesOf(metrics);
    const counts = lines.filter((line) => line.startsWith('graphql_operation_duration_seconds_count'));
    expect(counts).toEqual([
      'graphql_operation_duration_seconds_count{operation="other",outcome="ok"} 250',
      'graphql_operation_duration_seconds_count{operation="Mine",outcome="ok"} 1',
    ]);
  });

  test('count subscriptions by how they end, and time their live events', async () => {
    const metrics = createMetrics(sources);
    const { streams } = metrics;
    streams.started();
    streams.started();
    streams.sent(0.04);
    streams.sent(undefined);
    streams.ended('slow');
    const lines = await linesOf(metrics);
    for (const line of [
      'graphql_subscriptions_active 1',
      'graphql_subscriptions_started_total 2',
      'graphql_subscriptions_ended_total{reason="slow"} 1',
      'graphql_subscription_events_sent_total 2',
      'graphql_subscription_lag_seconds_count 1',
      'graphql_subscription_lag_seconds_bucket{le="0.05"} 1',
      'graphql_subscription_lag_seconds_bucket{le="0.025"} 0',
    ]) {
      expect(lines).toContain(line);
    }
  });
});
