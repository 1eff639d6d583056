/** @only-in-full */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection, mongo } from 'mongoose';
import { tenantOf } from '../../subgraphs/kernel/account.ts';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import {
  type AtomicCall,
  callAtomic,
  callerOf,
  newAtomicCall,
  seedCallers,
} from '../support/atomic-calls.ts';
import { cookieOf, exchangeCode, LOCAL_PAGE } from '../support/console-session.ts';
import type { Deployment } from '../support/deployment.ts';
import { type HeldRequest, holdAt, learnCommands, writingPoints } from '../support/held-requests.ts';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import { connectToStore, startSurvivor } from '../support/killed-store.ts';
import { makePlatformCode } from '../support/platform-link.ts';
import { preloading } from '../support/preloads.ts';
import {
  BREAK_OFF,
  type CalledService,
  type ProviderServer,
  startProviders,
  UNAVAILABLE,
} from '../support/providers.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** An operator's act on a remittance that waits for its next attempt. */
interface Kind {
  readonly name: string;
  readonly act: 'retry' | 'fail';
  /** The last name of the requester, by which the providers know what to do. */
  readonly requester: typeof AWAY | typeof ASKED;
  /** The remittance in the end, and the status of its outcome. */
  readonly end: object;
  readonly outcome: 'Accepted' | 'Failed';
  /** The calls of providers that had an answer lost or refused before the act, and in the end. */
  readonly calls: Readonly<Partial<Record<CalledService, number>>>;
}

/** An act whose process is killed. */
interface Sent extends HeldRequest {
  readonly kind: Kind;
  readonly point: string;
  readonly call: AtomicCall;
  readonly before: mongo.Document | null;
}

/** The state that the kill left, and the answers to repeats. */
interface Outcome extends Sent {
  /** Whether the remittance has changed, and how many entries the operators' log has. */
  readonly left: readonly [hasChanged: boolean, entries: number];
  /** The codes of the failures of the same act, sent twice more. */
  readonly repeats: readonly string[];
}

/** The identity provider does not answer. */
const AWAY = 'Away';
/** The funding provider asks the payer, and its answer is lost. */
const ASKED = 'Asked';
const ANSWERED = 'after the answer';
const REASON = 'Ticket 812';

const KINDS: readonly Kind[] = [
  {
    name: 'retry of a remittance whose provider was away',
    act: 'retry',
    requester: AWAY,
    end: { status: 'SUCCEEDED' },
    outcome: 'Accepted',
    calls: { identity: 2, funding: 1 },
  },
  {
    name: 'retry of a remittance whose payer may have been asked',
    act: 'retry',
    requester: ASKED,
    end: { status: 'SUCCEEDED', payerMayHaveBeenAsked: true },
    outcome: 'Accepted',
    calls: { identity: 1, funding: 2 },
  },
  {
    name: 'end of a remittance whose payer was not asked',
    act: 'fail',
    requester: AWAY,
    end: { status: 'FAILED', phase: 'CIP' },
    outcome: 'Failed',
    calls: { identity: 1, funding: 0, 'funding/cancel': 0 },
  },
  {
    name: 'end of a remittance whose payer may have been asked',
    act: 'fail',
    requester: ASKED,
    end: { status: 'FAILED', withdrawal: expect.objectContaining({ status: 'CANCELLED' }) },
    outcome: 'Failed',
    calls: { identity: 1, funding: 1, 'funding/cancel': 1 },
  },
];

const MUTATIONS = {
  retry: `mutation ($input: RetryRemittanceInput!) {
    payload: retryRemittance(input: $input) { userErrors { code } } }`,
  fail: `mutation ($input: FailRemittanceInput!) {
    payload: failRemittance(input: $input) { userErrors { code } } }`,
} as const;

/** The next attempt of a remittance that waits is far away, and no sweep finds what an act makes due. */
const DOOMED = {
  PIPELINE_RETRY_SECONDS: Array.from({ length: 8 }, () => '3600').join(),
  PIPELINE_SWEEP_SECONDS: '3600',
  WEBHOOK_SWEEP_SECONDS: '3600',
  WEBHOOK_NUDGE: 'false',
};
const LAST = { PIPELINE_SWEEP_SECONDS: '1', WEBHOOK_SWEEP_SECONDS: '1' };

const scene = useScene();
let deployment: Deployment;
let providers: ProviderServer;
let connection: Connection;
let cookie: string;
let outcomes: readonly Outcome[];

beforeAll(async () => {
  const survivor = await startSurvivor(scene);
  let isBack = false;
  providers = await startProviders({
    deduplicates: true,
    answer: ({ service, body }) =>
      service === 'identity' && body.includes(AWAY) && !isBack
        ? UNAVAILABLE
        : { result: { identity: 'clear', 'funding/cancel': 'cancelled' }[service as string] ?? 'accepted' },
  });
  scene.atEnd(() => providers.close());
  deployment = await scene.deploy({
    store: 'embedded',
    processes: true,
    env: {
      ...providers.env,
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      API_KEY_PEPPER: randomBytes(32).toString('hex'),
      ...(survivor && { MONGODB_URI: withDatabase(survivor, 'remitgraph_operate_kill') }),
    },
  });
  seedCallers(deployment);
  const doomed = await deployment.start({
    ...DOOMED,
    ...preloading('without-bulk-write', 'hold-at-command'),
  });
  connection = await connectToStore(scene, deployment);
  const code = await makePlatformCode(deployment, 'operate');
  cookie = cookieOf(await exchangeCode(exchangeWith(doomed.url), code, LOCAL_PAGE));
  providers.hold(({ service, nth }, when) =>
    service === 'funding' && nth === 1 && when === 'answering' ? Promise.resolve(BREAK_OFF) : undefined,
  );
  const sent: Sent[] = [];
  for (const kind of KINDS) {
    sent.push(...(await sendAll(doomed, kind)));
  }
  await doomed.kill('SIGKILL');

  isBack = true;
  providers.hold(() => undefined);
  const server = await deployment.start({ ...LAST, ...preloading('without-bulk-write') });
  connection = await connectToStore(scene, deployment);
  outcomes = await Promise.all(sent.map((one) => lookAndRepeat(exchangeWith(server.url), one)));
  const open = () => connection.collection('remittances').countDocuments({ status: 'IN_PROGRESS' });
  await until('the end of all remittances', async () => (await open()) === 0);
  const pending = () => connection.collection('webhookDeliveries').countDocuments({ status: 'PENDING' });
  await until('all outcomes', async () => (await pending()) === 0);
}, 900_000);

describe.each(KINDS)('kill -9 of the $name', (kind) => {
  const rows = (row: (outcome: Outcome) => unknown) =>
    outcomes.filter((one) => one.kind === kind).map((one) => [one.point, row(one)]);
  const isDone = ({ point }: Outcome) => point === 'after commitTransaction' || point === ANSWERED;
  const subjectOf = ({ call }: Outcome) => call.correlationId;

  test('strikes before every write and around the commit', () => {
    const points = rows(() => undefined).map(([point]) => point);
    expect(points).toEqual(
      expect.arrayContaining(['before update remittances', 'before insert operatorLog']),
    );
    expect(points.slice(-3)).toEqual(['before commitTransaction', 'after commitTransaction', ANSWERED]);
  });

  test('leaves the change with its entry in the log, or neither', () => {
    expect(rows(({ left }) => left)).toEqual(rows((one) => (isDone(one) ? [true, 1] : [false, 0])));
  });

  test('leaves it to a repeat, which is refused once the act is done', () => {
    const refused = 'INVALID_TRANSITION';
    expect(rows(({ repeats }) => repeats)).toEqual(
      rows((one) => (isDone(one) ? [refused, refused] : ['', refused])),
    );
  });

  test('ends with one effect, one entry and one outcome', async () => {
    const stored = new Map<Outcome, unknown>();
    for (const one of outcomes) {
      stored.set(one, [
        await remittanceOf(one.call),
        await entriesOf(kind, one.call),
        outcomesOf(subjectOf(one)),
      ]);
    }
    expect(rows((one) => stored.get(one))).toEqual(
      rows(() => [expect.objectContaining(kind.end), 1, [kind.outcome]]),
    );
  });

  test('calls each provider once more where an answer was missing, always under the same key', () => {
    const services = Object.keys(kind.calls) as CalledService[];
    const callsOf = ({ call }: Outcome) =>
      services.map((service) => {
        const isOwn = ({ key }: { key: string }) => key.split(':')[1] === call.correlationId;
        const received = providers.received.filter((one) => one.service === service && isOwn(one));
        const done = providers.done.filter((one) => one.service === service && isOwn(one));
        return [service, received.length, new Set(received.map(({ key }) => key)).size, done.length];
      });
    expect(rows(callsOf)).toEqual(
      rows(() => services.map((service) => [service, kind.calls[service], ...isCalled(kind, service)])),
    );
  });
});

/** How many keys a service gets, and how often it does what it is asked for. */
function isCalled({ calls }: Kind, service: CalledService): [keys: number, done: number] {
  const count = Math.min(1, calls[service] ?? 0);
  // A remittance that ends while its provider is away has had nothing done.
  return [count, service === 'identity' && calls.funding === 0 ? 0 : count];
}

/** Sends the act once, and once more for each point of its way. */
async function sendAll(server: Server, kind: Kind): Promise<Sent[]> {
  const example = await prepare(server, kind);
  const { answer, commands } = await learnCommands(server, example.call.correlationId, (exchange) =>
    act(exchange, kind, example.call),
  );
  const points = writingPoints(commands);
  const prepared = await Promise.all(points.map(() => prepare(server, kind)));
  const sent: Sent[] = [];
  for (const [index, one] of prepared.entries()) {
    const point = String(points[index]);
    const held = await holdAt(server, one.call.correlationId, point, (exchange) =>
      act(exchange, kind, one.call),
    );
    sent.push({ kind, point, ...one, ...held });
  }
  return [...sent, { kind, point: ANSWERED, ...example, answer: Promise.resolve(answer) }];
}

/** A remittance that waits for its next attempt. */
async function prepare(server: Server, { requester }: Kind): Promise<Pick<Sent, 'call' | 'before'>> {
  const call = newAtomicCall({ method: 'account', requester, payer: 'Roe', caller: callerOf(prepared) });
  prepared += 1;
  expect((await callAtomic(exchangeWith(server.url), call)).status).toBe(200);
  await until(`${call.correlationId} waits`, async () => {
    const { attempts, leaseToken } = (await remittanceOf(call)) ?? {};
    return attempts === 1 && leaseToken === undefined;
  });
  return { call, before: await remittanceOf(call) };
}
let prepared = 0;

function act(exchange: Exchange, kind: Kind, { caller, correlationId }: AtomicCall): Promise<RawResponse> {
  const input = { id: `${caller.accountId}|${correlationId}`, reason: REASON };
  return exchange({
    method: 'POST',
    path: '/graphql',
    headers: { ...LOCAL_PAGE, cookie },
    body: JSON.stringify({ query: MUTATIONS[kind.act], variables: { input } }),
  });
}

async function lookAndRepeat(exchange: Exchange, sent: Sent): Promise<Outcome> {
  const { kind, call } = sent;
  const entries = await entriesOf(kind, call);
  const now = await remittanceOf(call);
  const hasChanged = JSON.stringify(now) !== JSON.stringify(sent.before);
  const repeats = [codeOf(await act(exchange, kind, call)), codeOf(await act(exchange, kind, call))];
  return { ...sent, left: [hasChanged, entries], repeats };
}

/** The code of the failure of an act; empty for none. */
function codeOf({ text }: RawResponse): string {
  const { data, errors } = JSON.parse(text) as {
    readonly data?: { readonly payload: { readonly userErrors: readonly { readonly code: string }[] } };
    readonly errors?: unknown;
  };
  expect(errors).toBeUndefined();
  return data?.payload.userErrors.map(({ code }) => code).join() ?? 'no data';
}

function remittanceOf({ caller: { accountId }, correlationId }: AtomicCall): Promise<mongo.Document | null> {
  return connection.collection('remittances').findOne({ accountId, correlationId });
}

function entriesOf({ act: name }: Kind, { caller, correlationId: subject }: AtomicCall): Promise<number> {
  const tenantId = tenantOf(caller.accountId);
  const entry = { act: `remittances ${name}`, tenantId, environment: 'sandbox', subject, reason: REASON };
  return connection.collection('operatorLog').countDocuments(entry);
}

/** The statuses of the outcomes of a call; deliveries that came again count once. */
function outcomesOf(correlationId: string): string[] {
  const reported = deployment.receiver.webhooks
    .map((webhook) => ({
      ...(JSON.parse(webhook.text) as { correlationId: string; status: string }),
      deliveryId: headerOf(webhook, 'X-Webhook-Delivery-Id'),
    }))
    .filter((one) => one.correlationId === correlationId);
  return [...new Map(reported.map(({ deliveryId, status }) => [deliveryId, status])).values()];
}
