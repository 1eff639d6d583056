/** @only-in-full */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { connectToStore, onStoppedStore } from '../support/killed-store.ts';
import { queryGraph } from '../support/money-requests.ts';
import {
  BREAK_OFF,
  FOREVER,
  type ProviderRequest,
  type ProviderServer,
  startProviders,
} from '../support/providers.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Where a request by v2 is when its process is killed, and its end. */
interface Kill {
  readonly name: string;
  readonly correlationId: string;
  /** The call of the funding provider that is under way. */
  readonly service: 'funding' | 'funding/cancel';
  readonly when: 'received' | 'answering';
  /** The funding provider's answer to the withdrawal. */
  readonly result: 'cancelled' | 'not_found' | 'already_paid';
  readonly reservation: { readonly status: string; readonly withdrawal: { readonly status: string } };
  /** How often the withdrawal is sent in all. */
  readonly sent: number;
}

const withdrawn = (status: string) => ({ status: 'FAILED', withdrawal: { status } });
const paid = { status: 'SUCCEEDED', withdrawal: { status: 'ALREADY_PAID' } };
const KILLS: readonly Kill[] = (
  [
    ['while the payer is asked', 'funding', 'answering', 'cancelled', withdrawn('CANCELLED'), 1],
    ['before the withdrawal is done', 'funding/cancel', 'received', 'not_found', withdrawn('NOT_FOUND'), 2],
    [
      'before the withdrawal is answered',
      'funding/cancel',
      'answering',
      'cancelled',
      withdrawn('CANCELLED'),
      2,
    ],
    ['before it is known that the payer has paid', 'funding/cancel', 'answering', 'already_paid', paid, 2],
  ] as const
).map(([name, service, when, result, reservation, sent], index) => ({
  ...{ name, service, when, result, reservation, sent },
  correlationId: `killed-${index}`,
}));

const SETTINGS = { FUNDING_WITHDRAW_AFTER_SECONDS: '1', PIPELINE_SWEEP_SECONDS: '1' };
const CALL_MS = 1_000;

const scene = useScene();
let providers: ProviderServer;
let server: Server;
let exchange: Exchange;
let userId: string;

const killOf = ({ body }: ProviderRequest) => KILLS.find(({ correlationId }) => body.includes(correlationId));
const sentFor = (kill: Kill, service: string) =>
  providers.received.filter((one) => one.service === service && killOf(one) === kill);

beforeAll(async () => {
  providers = await startProviders({
    deduplicates: true,
    answer: (request) =>
      request.service === 'funding/cancel' ? { result: killOf(request)?.result } : { result: 'accepted' },
  });
  scene.atEnd(() => providers.close());
  const deployment = await scene.deploy({
    store: 'embedded',
    processes: true,
    env: { ...providers.env, ...SETTINGS, ENCRYPTION_KEY: '7'.repeat(64) },
  });
  const doomed = await deployment.start();
  const atPoint = new Set<Kill>();
  providers.hold((request, when) => {
    const kill = killOf(request);
    if (kill?.service === request.service && kill.when === when) {
      atPoint.add(kill);
      return FOREVER;
    }
    // The answer to the request for money is lost, so that the payer may hold it.
    return kill && request.service === 'funding' && when === 'answering'
      ? Promise.resolve(BREAK_OFF)
      : undefined;
  });
  userId = await register(exchangeWith(doomed.url));
  const calls = KILLS.map((kill) => request(exchangeWith(doomed.url), kill).catch(() => undefined));
  await until('each is at its point', () => atPoint.size === KILLS.length);
  await doomed.kill('SIGKILL');
  await Promise.all(calls);
  providers.hold(() => undefined);
  await onStoppedStore(deployment, async (connection) => {
    // The leases of the dead process are over.
    const nextAttemptAt = new Date(Date.now() - CALL_MS);
    const held = { leaseToken: { $exists: true } };
    await connection.collection('reservations').updateMany(held, { $set: { nextAttemptAt } });
  });
  server = await deployment.start();
  exchange = exchangeWith(server.url);
  const reservations = (await connectToStore(scene, deployment)).collection('reservations');
  await until('all have ended', async () => (await reservations.countDocuments({ isOpen: true })) === 0);
}, 900_000);

async function register(to: Exchange): Promise<string> {
  const person = { firstName: 'Ana', lastName: 'Ruiz', dob: '1990-01-31', phoneNumber: '+525512345678' };
  const place = { address1: 'Reforma 1', countryCode: 'MX', city: 'CDMX', state: 'MX-CMX' };
  const answer = await post(to, '/v1/user/register-v2', { ...person, ...place, email: 'ana@example.com' });
  return JSON.parse(answer.text).userId;
}

function request(to: Exchange, { correlationId }: Kill) {
  return post(to, `/v1/user/operations/request-money-v2/${userId}`, {
    requestTo: `+1212555010${correlationId.at(-1)}`,
    correlationId,
    recipientAmount: 40.2,
    recipientCurrency: 'MXN',
    reason: 'Rent',
    destinationPaymentMethod: { type: 'CashPickup', country: 'MX', currency: 'MXN' },
  });
}

function post(to: Exchange, path: string, body: object) {
  const headers = { 'content-type': 'application/json', 'x-api-key': KEYS.acme };
  return to({ method: 'POST', path, headers, body: JSON.stringify(body) });
}

describe.each(KILLS)('kill -9 of a request by v2 $name', (kill) => {
  test('asks the payer once, and withdraws under the same key until there is an answer', () => {
    const [asked, ...others] = sentFor(kill, 'funding');
    expect(others).toEqual([]);
    const withdrawals = sentFor(kill, 'funding/cancel');
    expect(withdrawals.map(({ key }) => key)).toEqual(Array.from({ length: kill.sent }, () => asked?.key));
    expect(new Set(withdrawals.map(({ body }) => body)).size).toBe(1);
  });

  test('ends as the provider says, and the same request again asks nobody', async () => {
    const read = `query ($id: ID!) { reservation(correlationId: $id) { status payerMayHaveBeenAsked withdrawal { status } } }`;
    const { data } = await queryGraph(exchange, read, { id: kill.correlationId });
    expect(data).toEqual({ reservation: { ...kill.reservation, payerMayHaveBeenAsked: true } });
    const again = await request(exchange, kill);
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(sentFor(kill, 'funding')).toHaveLength(1);
    const operation = await exchange({
      method: 'GET',
      path: `/v1/user/operations/detail/${kill.correlationId}`,
      headers: { 'x-api-key': KEYS.acme },
    });
    expect(operation.status).toBe(kill.result === 'already_paid' ? 200 : 404);
  });
});
