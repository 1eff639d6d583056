/** @only-in-full */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type AtomicCall,
  CALLERS,
  callAtomic,
  callerOf,
  newAtomicCall,
  seedCallers,
} from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { isOf } from '../support/killed-calls.ts';
import { queryGraph } from '../support/money-requests.ts';
import {
  RECORDS_OF_AN_ACCEPTED_CALL,
  readPipelineRecords,
  withoutDeliveryStatus,
} from '../support/pipeline-records.ts';
import {
  BREAK_OFF,
  FOREVER,
  type ProviderRequest,
  type ProviderServer,
  startProviders,
} from '../support/providers.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A log line of a step. */
interface StepLine {
  readonly time: string;
  readonly msg: string;
  readonly correlationId: string;
  readonly phase: string;
  readonly outcome?: string;
  /** Phases that were done with it. */
  readonly passed?: readonly string[];
}

const STUCK = `query {
  remittances(where: { isStuck: true }) { nodes { correlationId status phase isStuck operation { id } } }
}`;

/** The log lines of a step without a record: it is done again. */
const UNRECORDED: ReadonlySet<string> = new Set(['pipeline.lease_lost', 'pipeline.unrecorded']);

/** Of a worker. */
const SLOTS = 32;

const scene = useScene();
const encryptionKey = randomBytes(32);
let deployment: Deployment;
let providers: ProviderServer;
/** Two servers on the same data, each of which accepts and works. */
let servers: readonly Server[];

beforeAll(async () => {
  providers = await startProviders({ deduplicates: true });
  scene.atEnd(() => providers.close());
  deployment = await scene.deploy({
    env: {
      ...providers.env,
      ENCRYPTION_KEY: encryptionKey.toString('hex'),
      PIPELINE_SWEEP_SECONDS: '1',
      PIPELINE_CONCURRENCY: String(SLOTS),
      PIPELINE_TENANT_CONCURRENCY: String(SLOTS / 4),
      PIPELINE_RETRY_SECONDS: Array.from({ length: 20 }, () => '1').join(),
    },
  });
  seedCallers(deployment);
  servers = await Promise.all([deployment.start(), deployment.start()]);
});

const newCall = (index = 0) =>
  newAtomicCall({ caller: callerOf(index), method: 'account', requester: 'Ruiz', payer: 'Roe' });

async function accept(call: AtomicCall, index = 0): Promise<void> {
  const server = servers[index % servers.length] as Server;
  const { status, text } = await callAtomic(exchangeWith(server.url), call);
  expect([text, status]).toEqual([expect.stringContaining(call.correlationId), 200]);
}

const outcomesOf = ({ correlationId }: AtomicCall) =>
  deployment.receiver.webhooks.filter(({ text }) => text.includes(`"correlationId":"${correlationId}"`));

function stepsOf({ correlationId }: AtomicCall, server?: Server): StepLine[] {
  return (server ? [server] : servers)
    .flatMap((one) => one.output().split('\n'))
    .filter(
      (line) => line.includes(`"correlationId":"${correlationId}"`) && line.includes('"msg":"pipeline.'),
    )
    .map((line) => JSON.parse(line) as StepLine)
    .toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

describe('two workers at once', () => {
  const services = ['identity', 'ubn', 'funding'];
  const phases = ['CIP', 'CONTACT', 'PAYMENT_METHOD', 'REQUEST_MONEY'];

  /** The records of each call, each once. */
  async function expectOnce(calls: readonly AtomicCall[]): Promise<void> {
    await until('all outcomes', () => calls.every((call) => outcomesOf(call).length > 0));
    const stored = await readPipelineRecords(await deployment.database(), encryptionKey);
    const servicesIn = (list: readonly ProviderRequest[], call: AtomicCall) =>
      list.filter((request) => isOf(request, call)).map(({ service }) => service);
    expect(
      calls.map((call) => ({
        call,
        outcomes: new Set(outcomesOf(call).map((one) => headerOf(one, 'X-Webhook-Delivery-Id'))).size,
        done: servicesIn(providers.done, call),
        advanced: stepsOf(call).flatMap(({ outcome, phase, passed = [] }) =>
          outcome === 'advanced' ? [phase, ...passed] : [],
        ),
        records: withoutDeliveryStatus(stored.get(call.correlationId)),
      })),
    ).toEqual(
      calls.map((call) => ({
        call,
        outcomes: 1,
        done: services,
        advanced: phases,
        records: RECORDS_OF_AN_ACCEPTED_CALL,
      })),
    );
  }

  test('share more calls than one can run at once, and do every step once', async () => {
    const calls = Array.from({ length: SLOTS + 16 }, (_, index) => newCall(index));
    await Promise.all(calls.map(accept));
    await expectOnce(calls);
    for (const server of servers) {
      expect(calls.some((call) => stepsOf(call, server).length > 0)).toBe(true);
    }
    // A busy machine may keep a provider from answering in time, or a step from being recorded within its lease: it is
    // called again then, by the same key, and a line of the log says why. A worker that was overtaken may write it last.
    const repeated = (call: AtomicCall) =>
      providers.received.filter((one) => isOf(one, call)).length - services.length;
    const reasons = (call: AtomicCall) =>
      stepsOf(call).filter(({ msg, outcome }) => outcome === 'retried' || UNRECORDED.has(msg)).length;
    await until('a reason for each repeated request', () =>
      calls.every((call) => repeated(call) <= reasons(call)),
    );
  });

  /** The first worker is answered, or has its connection broken off, while the second one waits for an answer. */
  test.each([
    ['is answered', undefined],
    ['has no answer', BREAK_OFF],
  ])('one takes over from one that %s later: that is nothing to anybody', async (_name, late) => {
    const calls = Array.from({ length: 8 }, (_, index) => newCall(index));
    const ofLate = (request: ProviderRequest) =>
      request.service === 'ubn' ? calls.find((call) => isOf(request, call)) : undefined;
    const isRequested = (nth: number) => (call: AtomicCall) =>
      providers.received.some((request) => ofLate(request) === call && request.nth === nth);
    const stepsIn = (call: AtomicCall) => stepsOf(call).filter(({ phase }) => phase === 'PAYMENT_METHOD');
    const overtaken: AtomicCall[] = [];
    providers.hold((request, when) => {
      const call = ofLate(request);
      if (!call || when === 'received') {
        return undefined;
      }
      if (request.nth > 1) {
        return until('the first one to give up', () => stepsIn(call).length > 0);
      }
      return until('a second one', () => isRequested(2)(call)).then(() => {
        overtaken.push(...(request.isOpen() ? [call] : []));
        return late;
      });
    });
    await Promise.all(calls.map(accept));
    await until('all first ones', () => calls.every(isRequested(1)));
    // As it is when their leases are over.
    const nextAttemptAt = new Date();
    const correlationId = { $in: calls.map((call) => call.correlationId) };
    await (await deployment.database())
      .collection('remittances')
      .updateMany({ correlationId }, { $set: { nextAttemptAt } });
    await expectOnce(calls);
    // A provider is not waited for forever: on a slow machine the first one may have stopped before.
    expect(overtaken.length).toBeGreaterThan(0);
    for (const call of overtaken) {
      expect(stepsIn(call).map(({ msg, outcome }) => outcome ?? msg)).toEqual([
        'pipeline.lease_lost',
        'advanced',
      ]);
    }
  });
});

describe('a provider that hangs', () => {
  const stuck = async () => {
    const [{ url }] = servers as [Server];
    const answer = await queryGraph<{ remittances: { nodes: readonly object[] } }>(
      exchangeWith(url),
      STUCK,
      {},
      CALLERS[0]?.key,
    );
    expect(answer.errors).toBeUndefined();
    return answer.data?.remittances.nodes;
  };
  const figure = async (server: Server) => {
    const { text } = await exchangeWith(server.url)({ method: 'GET', path: '/metrics' });
    return /^remitgraph_pipeline_stuck\{phase="CIP"\} (\d+)$/m.exec(text)?.[1];
  };
  const figures = () => Promise.all(servers.map(figure));

  test('shows in stuck remittances, which continue when it is back', async () => {
    const call = newCall();
    const { correlationId } = call;
    const isRequested = () => providers.received.some((request) => isOf(request, call));
    providers.hold((request) => (isOf(request, call) ? FOREVER : undefined));
    await accept(call);
    await until('the provider to hang', isRequested);
    expect([await stuck(), await figures()]).toEqual([[], ['0', '0']]);

    // As if the phase had lasted twice as long as one may (30 s).
    const phaseSince = new Date(Date.now() - 60_000);
    await (await deployment.database())
      .collection('remittances')
      .updateOne({ correlationId }, { $set: { phaseSince } });
    const row = { correlationId, status: 'IN_PROGRESS', phase: 'CIP', isStuck: true, operation: null };
    expect([await stuck(), await figures()]).toEqual([[row], ['1', '1']]);

    providers.hold(() => undefined);
    providers.breakOff();
    await until('its outcome', () => outcomesOf(call).length > 0);
    expect([await stuck(), await figures()]).toEqual([[], ['0', '0']]);
    const done = providers.done.filter((request) => isOf(request, call)).map(({ service }) => service);
    expect(done).toEqual(['identity', 'ubn', 'funding']);
  });
});
