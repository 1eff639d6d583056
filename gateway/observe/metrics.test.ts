import { describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import type { Engine } from '../engine/engine.ts';
import type { SubgraphTransport } from '../engine/transports/transport.ts';
import { measureEngine } from './measured-engine.ts';
import { createMetrics, type MetricSources } from './metrics.ts';

let reads = 0;
const sources: MetricSources = {
  webhooks: () => ({ delivered: 3 }),
  events: async () => ({ lagMs: 1_500, lastSeq: 7, activeFollowers: 2, leading: true }),
  pipeline: async () => {
    reads += 1;
    return {
      phases: { CIP: { inProgress: 5, stuck: 2, oldestSeconds: 61.5 } },
      steps: { advanced: 9, inFlight: 1 },
    };
  },
  jobs: () => ({ 'webhooks.sweep': { runs: 4, failures: 1, skipped: 0 } }),
};
const context = { principal: null, requestId: 'r-1' };

async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  const { text } = await metrics.render();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('metrics', () => {
  test('read what other parts count', async () => {
    const lines = await linesOf(createMetrics(sources));
    for (const line of [
      'webhook_deliveries{outcome="delivered"} 3',
      'event_log{figure="lag_seconds"} 1.5',
      'event_log{figure="leading"} 1',
      'recurring_job_runs{job="webhooks.sweep",outcome="failures"} 1',
      'remitgraph_pipeline_in_progress{phase="CIP"} 5',
      'remitgraph_pipeline_stuck{phase="CIP"} 2',
      'remitgraph_pipeline_oldest_seconds{phase="CIP"} 61.5',
      'remitgraph_pipeline_steps{outcome="advanced"} 9',
    ]) {
      expect(lines).toContain(line);
    }
    expect(reads).toBe(1);
  });

  test('time fetches by subgraph and outcome, whichever way they end', async () => {
    const metrics = createMetrics(sources);
    const answers = [
      () => ({ data: {} }),
      async () => ({ errors: [{ message: 'no' }] }),
      () => Promise.reject(new Error('down')),
    ];
    const transport: SubgraphTransport = {
      execute: () => (answers.shift() as () => ReturnType<SubgraphTransport['execute']>)(),
      subscribe: async () => ({}),
    };
    const measured = metrics.measured('users', transport);
    const fetch = {
      subgraph: 'users',
      document: '{a}',
      operationKind: 'query',
      operationName: null,
    } as const;
    expect(measured.execute(fetch, {}, context)).toEqual({ data: {} });
    await measured.execute(fetch, {}, context);
    await expect(measured.execute(fetch, {}, context)).rejects.toThrow('down');
    const lines = await linesOf(metrics);
    expect(lines).toContain('graphql_subgraph_fetch_duration_seconds_count{subgraph="users",outcome="ok"} 1');
    expect(lines).toContain(
      'graphql_subgraph_fetch_duration_seconds_count{subgraph="users",outcome="error"} 2',
    );
  });

  test('keep the names of operations bounded', async () => {
    const metrics = createMetrics(sources);
    for (let index = 0; index < 250; index += 1) {
      metrics.observeOperation(`Op${index}`, 'ok', 0.1);
    }
    const lines = await linesOf(metrics);
    expect(lines.filter((line) => line.startsWith('graphql_operation_duration_seconds_count'))).toHaveLength(
      201,
    );
    expect(lines).toContain('graphql_operation_duration_seconds_count{operation="other",outcome="ok"} 50');
  });

  test('count subscriptions by how they end', async () => {
    const metrics = createMetrics(sources);
    const engineOf = (events: () => AsyncGenerator<ExecutionResult>) =>
      measureEngine({ subscribe: async () => events() } as unknown as Engine, metrics);
    const request = { query: 'subscription { a }' };
    const completing = await engineOf(async function* () {
      yield { data: {} };
    }).subscribe(request, context);
    const endless = await engineOf(async function* () {
      for (;;) {
        yield { data: {} };
      }
    }).subscribe(request, context);
    for await (const _ of completing as AsyncIterable<ExecutionResult>) {
      expect(await linesOf(metrics)).toContain('graphql_subscriptions_active 2');
    }
    for await (const _ of endless as AsyncIterable<ExecutionResult>) {
      break;
    }
    const lines = await linesOf(metrics);
    expect(lines).toContain('graphql_subscriptions_active 0');
    expect(lines).toContain('graphql_subscriptions_ended_total{reason="completed"} 1');
    expect(lines).toContain('graphql_subscriptions_ended_total{reason="stopped"} 1');
  });
});
