import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { succeed } from '../../subgraphs/kernel/errors/result.ts';
import { startSmtp } from '../../subgraphs/operational-events/testing-smtp.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { callerOf, fillTenant, type Tenant } from '../support/isolation/tenant-data.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import type { Judgement } from '../support/query-shapes.ts';
import { findDrift, recordServed } from '../support/record-served.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { declaredShardKeys, recordStatements, type Statement } from '../support/shard-routing.ts';
import { readStatements, textOf, writeStatements } from '../support/sharding-table.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
const LONG_AGO = new Date(Date.now() - 400 * DAY_MS);
const FAR_AHEAD = new Date(Date.now() + 10 * DAY_MS);
/** The partner's id of a user without open payments. */
const ERASED = 'u-erased';
const ACME: Tenant = { accountId: 'acme/sandbox', key: KEYS.acme };

type Fields = Readonly<Record<string, unknown>>;

/** A record that a job finds, and the fields that it has when the job is done with it; none: the job removes it. */
interface Work {
  readonly collection: string;
  readonly filter: Fields;
  readonly set: Fields;
  readonly done: Fields | undefined;
}

const NEAR = { nextAttemptAt: { $lt: FAR_AHEAD } };
const WORK: readonly Work[] = [
  {
    collection: 'moneyRequests',
    filter: { status: 'pending' },
    set: { expiresAt: LONG_AGO },
    done: { status: 'cancelled' },
  },
  {
    collection: 'links',
    filter: { visibility: 'active' },
    set: { expiresAt: LONG_AGO },
    done: { visibility: 'expired' },
  },
  {
    collection: 'users',
    filter: { accountId: ACME.accountId, referenceId: ERASED },
    set: { isErasing: true, erasureRequestedAt: LONG_AGO, blocked: true },
    done: { erasedAt: { $exists: true } },
  },
  {
    collection: 'remittances',
    filter: { isOpen: true },
    set: { nextAttemptAt: FAR_AHEAD, phaseSince: LONG_AGO },
    done: NEAR,
  },
  {
    collection: 'reservations',
    filter: { status: 'SUCCEEDED' },
    set: { isOpen: true, nextAttemptAt: FAR_AHEAD },
    done: NEAR,
  },
  {
    collection: 'webhookDeliveries',
    filter: { status: 'DELIVERED' },
    set: { status: 'PENDING', nextAttemptAt: FAR_AHEAD },
    done: NEAR,
  },
  {
    collection: 'webhookDeliveries',
    filter: { status: 'DELIVERED' },
    set: { finishedAt: LONG_AGO },
    done: undefined,
  },
  { collection: 'webhookAttempts', filter: {}, set: { at: LONG_AGO }, done: undefined },
  {
    collection: 'operationalNotices',
    filter: { mailDueAt: FAR_AHEAD },
    set: { mailDueAt: LONG_AGO },
    done: { mailDueAt: { $exists: false } },
  },
  {
    collection: 'events',
    filter: { keptUntil: { $exists: true } },
    set: { keptUntil: LONG_AGO },
    done: undefined,
  },
];

const scene = useScene();
let target: TestApp;
let judged: Judgement;
/** The test's own connection: its statements are not recorded. */
let own: Connection;
let statements: ReadonlyMap<string, Statement>;

beforeAll(async () => {
  const { env } = await scene.deploy();
  const smtp = await startSmtp();
  scene.atEnd(smtp.close);
  const mail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'noreply@api.test' };
  target = await buildTestApp({ ...env, ...mail });
  scene.atEnd(target.close);
  own = await mongoose
    .createConnection(String(process.env.TEST_MONGODB_URI), { dbName: target.connection.name })
    .asPromise();
  const exchange = injectInto(target.app);
  await fillTenant(ACME, exchange);
  await createMoneyRequest(exchange, moneyRequestBody(newReference()));
  await leavePaymentOfErased(exchange);
  await leaveStepUndone(callerOf(ACME, exchange));
  await leaveNotice();
  judged = recordServed(target.connection);
  statements = recordStatements(target.connection, declaredShardKeys());
});
afterAll(() => own.close());

/** A money request that has ended, with the result for its idempotency key. */
async function leavePaymentOfErased(exchange: Exchange): Promise<void> {
  const body = moneyRequestBody(newReference());
  const requestData = { ...body.requestData, userReferenceId: ERASED };
  const answer = await createMoneyRequest(exchange, { ...body, requestData }, { idempotencyKey: ERASED });
  expect(answer.status).toBe(201);
  await collection('moneyRequests').updateMany(
    { userReferenceId: ERASED },
    { $set: { status: 'rejected', statusDetails: 'Ana asked to stop' } },
  );
}

/** An operational event that waits for its mail, to a partner that gets it at a URL too. */
async function leaveNotice(): Promise<void> {
  const receivers = { url: 'https://ops.acme.test/', emails: ['ops@acme.test'], timeZone: 'UTC' };
  await target.subgraphs.tenants.changeOperationalEvents(ACME.accountId, () => succeed(receivers));
  const data = { remittances: 1, stuckSince: LONG_AGO.toISOString() };
  await own.collection<{ _id: string }>('operationalNotices').insertOne({
    ...{ _id: 'on_waits', accountId: ACME.accountId, event: 'remittance.stuck', data },
    ...{ occurredAt: new Date(), mailDueAt: FAR_AHEAD, mailAttempts: 0, mailedTo: [], expireAt: FAR_AHEAD },
  });
}

/** An atomic call whose first step fails and is tried again later. */
async function leaveStepUndone(call: ReturnType<typeof callerOf>): Promise<void> {
  const place = { address1: 'Main 1', countryCode: 'MX', city: 'CDMX', state: 'CDMX' };
  const requester = { phoneNumber: '+525511112222', firstName: 'Ana', lastName: 'VALIDATORDOWN', ...place };
  const requestTo = { phoneNumber: '+13055550199', firstName: 'Bo', lastName: 'Li', countryCode: 'US' };
  const destinationPaymentMethod = { type: 'CashPickup', country: 'MX', currency: 'MXN' };
  const money = { recipientCurrency: 'MXN', recipientAmount: 30.1 };
  const request = {
    ...money,
    correlationId: 'undone-1',
    requestTo,
    reason: 'Rent',
    destinationPaymentMethod,
  };
  await call('POST', '/v1/user/operations/request-money-full', { requester, request });
  const waits = { isOpen: true, waitMs: { $gt: 0 } };
  await until('the step waits', async () => (await collection('remittances').findOne(waits)) !== null);
}

const collection = (name: string) => own.collection<{ _id: string }>(name);

/** Makes a record that a job has something to do with. @returns whether it is done */
async function prepare({ collection: name, filter, set, done }: Work): Promise<() => Promise<boolean>> {
  const found = await collection(name).findOneAndUpdate(filter, { $set: set });
  if (!found) {
    throw new Error(`${name} has no record with ${JSON.stringify(filter)}`);
  }
  const { _id } = found;
  return async () => {
    const left = await collection(name).findOne({ _id, ...done });
    return done === undefined ? left === null : left !== null;
  };
}

describe('every recurring job, run with work to do, and a read of the metrics', () => {
  test('do their work', async () => {
    const works = [];
    for (const work of WORK) {
      works.push({ work, isDone: await prepare(work) });
    }
    const jobs = target.subgraphs.figures.jobs;
    const before = jobs();
    await collection('agendaJobs').updateMany({}, { $set: { nextRunAt: new Date() } });
    await until('each has run again', () =>
      Object.entries(jobs()).every(([name, { runs }]) => runs > Number(before[name]?.runs)),
    );
    for (const { work, isDone } of works) {
      await until(JSON.stringify(work), isDone);
    }
    expect((await injectInto(target.app)({ method: 'GET', path: '/metrics' })).status).toBe(200);
    expect(Object.values(jobs()).map(({ failures }) => failures)).toEqual(
      Object.values(before).map(({ failures }) => failures),
    );
  });

  test('send only queries that INDEXES.md lists with their index', () => {
    expect(findDrift(judged)).toEqual([]);
  });

  test('send only statements that SHARDING.md lists, those that reach every shard with a reason', () => {
    const listed = new Set(readStatements().map(textOf));
    const recorded = [...statements.values()];
    const ofJobs = recorded.filter(({ reach }) => reach === 'one key' || reach === 'one account');
    const unlisted = ofJobs.filter((one) => !listed.has(textOf(one)));
    if (process.env.SHARDING === 'write') {
      writeStatements(unlisted, 'jobs');
    }
    const listedOfJobs = new Map(readStatements('jobs').map((one) => [textOf(one), one.reach]));
    const known = unlisted.filter((one) => listedOfJobs.get(textOf(one)) === one.reach);
    // Some come by chance, such as that of a claim which another worker was faster with.
    expect(known.length).toBeGreaterThan(0.9 * Math.max(unlisted.length, listedOfJobs.size) - 1);
    const scattered = recorded.filter(({ reach }) => reach === 'every shard');
    expect(scattered.filter((one) => !listed.has(textOf(one)))).toEqual([]);
    const reached = new Set(scattered.map((one) => one.collection));
    // The last is on one shard as a whole.
    const others = ['events', 'operationalNotices'];
    const worked = new Set(WORK.map((work) => work.collection).filter((name) => !others.includes(name)));
    expect([...worked].filter((name) => !reached.has(name))).toEqual([]);
  });
});
