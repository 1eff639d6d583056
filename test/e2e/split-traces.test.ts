/** @only-in-full */
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { tenantOf } from '../../subgraphs/kernel/account.ts';
import type { Role } from '../../subgraphs/kernel/config/roles.ts';
import { atomicBodyOf, callAtomic, callerOf, newAtomicCall, seedCallers } from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { type ProviderServer, startProviders } from '../support/providers.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { type RecordedSpan, recordSpans, type SpanRecord, treeOf } from '../support/spans.ts';
import { until } from '../support/until.ts';

/*
 * Processes with OpenTelemetry's SDK, as far as an atomic call comes: gateway, subgraph, worker.
 */

/** The headers of another system's call, whose span is the root. */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const scene = useScene();
let deployment: Deployment;
let providers: ProviderServer;
let spans: SpanRecord;

beforeAll(async () => {
  providers = await startProviders({ deduplicates: false });
  scene.atEnd(() => providers.close());
  deployment = await scene.deploy({
    arrangement: 'split',
    processes: true,
    env: { ...providers.env, WEBHOOK_SWEEP_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1,1,1,1,1' },
  });
  seedCallers(deployment);
  spans = recordSpans(deployment.dataDir);
});

async function start(role: Role, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const started = await startServerProcess({
    ...deployment.env,
    ...spans.env,
    ...env,
    ROLE: role,
    DATA_DIR: join(deployment.dataDir, role),
  });
  scene.atEnd(async () => expect(await started.kill('SIGTERM')).toEqual({ code: 0, signal: null }));
  return started;
}

/** Which phase, which provider, or how it ended. */
const label = ({ attributes }: RecordedSpan) =>
  String(attributes['pipeline.phase'] ?? attributes['remitgraph.provider'] ?? attributes['error.type'] ?? '');

/** All texts of a value, such as the body of a call, that are long enough to be distinctive. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return value.length > 3 ? [value] : [];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test('an atomic call is one trace, from REST to its webhook, though its worker starts later; a retry is linked', async () => {
  const subgraph = await start('subgraph-request-money');
  const nobody = 'http://127.0.0.1:9/graphql';
  const gateway = await start('gateway', {
    SUBGRAPH_REQUEST_MONEY_URL: `${subgraph.url}/graphql`,
    SUBGRAPH_OPERATIONS_URL: nobody,
    SUBGRAPH_USERS_URL: nobody,
    SUBGRAPH_LINKS_URL: nobody,
  });
  const caller = callerOf(0);
  const call = newAtomicCall({ caller, method: 'account', requester: 'Rodriguez', payer: 'Roebuck' });
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, baggage: 'who=Anabel' };
  expect((await callAtomic(exchangeWith(gateway.url), call, headers)).status).toBe(200);
  deployment.receiver.answer((_webhook, nth) => (nth === 1 ? 500 : 204));
  await start('worker');
  const linked = () =>
    spans
      .text()
      .split('\n')
      .filter((line) => line.includes('"webhook.attempt"') && !line.includes(`"traceId":"${TRACE}"`));
  await until('the second attempt', () => linked().length === 1);

  const ofCall = spans.ofTrace(TRACE);
  expect(treeOf(ofCall, PARENT, label)).toEqual({
    'gateway SERVER POST /v1/user/operations/request-money-full': {
      'gateway SERVER mutation': {
        'gateway CLIENT graphql.fetch': {
          'subgraph-request-money SERVER POST /graphql': {
            'worker CONSUMER pipeline.step CIP': { 'worker CLIENT POST identity': {} },
            'worker CONSUMER pipeline.step PAYMENT_METHOD': { 'worker CLIENT POST ubn': {} },
            'worker CONSUMER pipeline.step REQUEST_MONEY': {
              'worker CLIENT POST funding': {},
              'worker CONSUMER webhook.attempt http_status': {
                'worker CLIENT POST http_status': {},
              },
            },
          },
        },
      },
    },
  });
  expect(ofCall).toHaveLength(12);
  const [retry] = linked().map((line): RecordedSpan => JSON.parse(line));
  expect(retry).toMatchObject({ links: [TRACE], attributes: { 'webhook.attempt': 2 } });
  expect(retry).not.toHaveProperty('parent');

  // Providers get the trace; receivers get the documented headers and no others.
  const posts = new Map(ofCall.map((span) => [span.attributes['remitgraph.provider'], span.spanId]));
  expect(providers.received.map(({ service, traceparent }) => [service, traceparent])).toEqual(
    ['identity', 'ubn', 'funding'].map((service) => [service, `00-${TRACE}-${posts.get(service)}-01`]),
  );
  const outcomes = deployment.receiver.webhooks.filter(({ text }) => text.includes(call.correlationId));
  expect(outcomes).toHaveLength(2);
  for (const outcome of outcomes) {
    expect([headerOf(outcome, 'traceparent'), headerOf(outcome, 'baggage')]).toEqual([undefined, undefined]);
  }

  const secrets = [
    caller.key,
    `shared_${tenantOf(caller.accountId)}_0001`,
    deployment.receiver.url,
    'Anabel',
  ];
  const known = [call.correlationId, caller.accountId, tenantOf(caller.accountId)];
  const text = spans.text();
  for (const own of [...secrets, ...textsIn(atomicBodyOf(call))].filter((one) => !known.includes(one))) {
    expect([own, text.includes(own)]).toEqual([own, false]);
  }
});
