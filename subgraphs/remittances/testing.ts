import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { parse } from 'lossless-json';
import { Schema } from 'mongoose';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { until } from '../../test/support/until.ts';
import type { AccountId } from '../kernel/account.ts';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Result } from '../kernel/errors/result.ts';
import { createLogger } from '../kernel/log/log.ts';
import { type Principal, withIncluded } from '../kernel/principal.ts';
import { UNTRACED } from '../kernel/tracing/tracing.ts';
import { createLinksPort } from '../links/index.ts';
import { createOperationsPort } from '../operations/index.ts';
import { NO_REVEALS } from '../partners/request-log/testing.ts';
import type { Route, Tenant } from '../partners/tenants/service.ts';
import { createProviders } from '../providers/create.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import { createUsers } from '../users/index.ts';
import type { NewDelivery } from '../webhooks/queue.ts';
import { readRequestMoneyFull } from './commands/request-money-full.ts';
import type { PipelineDeps, PipelineSettings } from './deps.ts';
import { createPipeline, type Pipeline } from './index.ts';
import { createRemittanceModel, type RemittanceDocument } from './store/model.ts';

export const START = new Date('2026-11-21T08:00:00.000Z');
export const principal: Principal = {
  accountId: 'acme/sandbox',
  keyId: 'key_1',
  scopes: withIncluded(['partner', 'partner_full']),
};
export const DOCUMENTED: PipelineSettings = {
  leaseSeconds: 30,
  retrySeconds: [5, 30, 120, 600],
  concurrency: 32,
  tenantConcurrency: 8,
  stopGraceSeconds: 0,
};

export const acme = {
  accountId: 'acme/sandbox',
  tenantId: 'acme',
  name: 'Acme Pay',
  country: 'MX',
  defaultCurrency: 'MXN',
  countries: ['MX'],
  dialCodes: ['+52', '+1'],
  attributionBaseUrl: 'https://acme.test/t',
  operationStatusHook: 'https://hook.acme.test/outcome',
  sharedSecret: 'shared_acme_0001',
  webhookEventVersion: 1,
  fee: { fixed: '0', percent: '0' },
} as unknown as Tenant;

const ROUTES: Route[] = ['card', 'bank_account', 'cash'].map((payoutType) => ({
  sourceCountry: 'US',
  destinationCountry: 'MX',
  destinationCurrency: 'MXN',
  payoutType,
  payerCode: null,
}));

/** The dependencies of the pipeline that a test replaces. */
export type Replaced = Partial<Omit<PipelineDeps, 'remittances' | 'clock' | 'box'>>;

/** The pipeline on a real database, with a clock of the test's; webhooks and events are rows of transactions. */
export interface PipelineBench {
  readonly database: Database;
  readonly deps: Omit<PipelineDeps, 'remittances'>;
  readonly tenants: Map<string, Tenant>;
  /** The present time, as the pipeline sees it. */
  now: Date;
  /** A pipeline beside others on the same database; its worker is started, and stopped by {@link stop}. */
  start(replaced?: Replaced, settings?: PipelineSettings): Pipeline;
  /** Accepts a body and gives what was stored. @throws when it is not accepted */
  accept(pipeline: Pipeline, body?: object): Promise<RemittanceDocument>;
  /** Sweeps until nothing is under way. */
  run(pipeline: Pipeline): Promise<void>;
  stored(correlationId: string): Promise<RemittanceDocument>;
  /** Bodies of the outcomes of a remittance, as bytes. */
  outcomes(correlationId: string): Promise<string[]>;
  deliveries(): Promise<NewDelivery[]>;
  /** Events of a remittance in the order of their versions: type, status and phase. */
  moves(correlationId: string): Promise<string[]>;
  count(collection: string, filter?: object): Promise<number>;
  /** Stops every worker, and puts the clock back. */
  stop(): Promise<void>;
  /** Stops every worker, and empties the database. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Providers as the given ones are, and the idempotency keys of the identity checks that they got. */
export function recordIdentityChecks(providers: PipelineDeps['providers']) {
  const checked: string[] = [];
  const { identity } = providers;
  const check: typeof identity.check = (person, call) => {
    checked.push(call.idempotencyKey);
    return identity.check(person, call);
  };
  return { checked, providers: { ...providers, identity: { ...identity, check } } };
}

/**
 * A bench for the tests of a file, on a database of their own, which is emptied behind each test.
 * @returns an object that is filled before the first test
 */
export function usePipelineBench(): PipelineBench {
  const bench = {} as PipelineBench; // The hooks fill it.
  beforeAll(() => fillPipelineBench(bench));
  afterEach(() => bench.reset());
  afterAll(() => bench.close());
  return bench;
}

/** Sends a body to the atomic call. */
export async function send(
  pipeline: Pick<Pipeline, 'accept'>,
  by: Principal,
  body: unknown,
): Promise<Result<RemittanceDocument>> {
  const command = readRequestMoneyFull(toJson(body));
  return command.ok ? pipeline.accept(by, command.value) : command;
}

async function fillPipelineBench(bench: PipelineBench): Promise<void> {
  const database = await openTestDatabase();
  const { connection } = database;
  const tenants = new Map([
    ['acme/sandbox', acme],
    ['acme/live', acmeLive],
  ]);
  const deps = createDeps(database, tenants, () => bench.now);
  createRemittanceModel(connection);
  await connection.createCollection('testDeliveries');
  await connection.createCollection('testEvents');
  await makeIndexes(connection);
  const started: Pipeline[] = [];
  const rows = (name: string, filter: object) =>
    connection.collection(name).find(filter).sort({ _id: 1 }).toArray();
  const stored = (correlationId: string) =>
    createRemittanceModel(connection).findOne({ correlationId }).orFail().lean<RemittanceDocument>();
  const stop = async () => {
    await Promise.all(started.splice(0).map(({ worker }) => worker.stop()));
    bench.now = START;
  };
  const filled: PipelineBench = {
    now: START,
    database,
    deps,
    tenants,
    start: (replaced: Replaced = {}, settings = DOCUMENTED) => {
      const pipeline = createPipeline({ ...deps, ...replaced, connection, settings });
      pipeline.worker.start();
      started.push(pipeline);
      return pipeline;
    },
    accept: async (pipeline: Pipeline, body = bodyOf()) => {
      const accepted = await send(pipeline, principal, body);
      if (!accepted.ok) {
        throw new Error(JSON.stringify(accepted.failures));
      }
      return accepted.value;
    },
    run: async (pipeline: Pipeline) => {
      await pipeline.worker.sweep();
      await until('no step under way', () => pipeline.steps().inFlight === 0);
    },
    stored,
    outcomes: async (correlationId: string) =>
      (await rows('testDeliveries', { correlationId })).map(({ body }) => String(body)),
    deliveries: async () => (await rows('testDeliveries', {})) as unknown as NewDelivery[],
    moves: async (correlationId: string) => {
      const events = await rows('testEvents', { entity: 'remittance', entityId: correlationId });
      return events
        .sort((a, b) => a.version - b.version)
        .map(({ version, type, status, statusDetails }) => [version, type, status, statusDetails].join(' '));
    },
    count: (collection: string, filter = {}) => connection.collection(collection).countDocuments(filter),
    stop,
    reset: async () => {
      await stop();
      const collections = await connection.listCollections();
      await Promise.all(collections.map(({ name }) => connection.collection(name).deleteMany({})));
      tenants.set('acme/sandbox', acme);
      tenants.set('acme/live', acmeLive);
    },
    close: () => database.close(),
  };
  Object.assign(bench, filled);
}

function createDeps({ connection }: Database, tenants: Map<string, Tenant>, clock: () => Date) {
  const box = createBox(randomBytes(32));
  // Only their collections count: what is written through a unit of work is not cast.
  const appended = connection.model<NewEvent>('TestEvent', new Schema(), 'testEvents');
  const sent = connection.model<NewDelivery & { correlationId: string }>(
    'TestDelivery',
    new Schema(),
    'testDeliveries',
  );
  const transaction = createTransactions(connection);
  const providers = createProviders({ PIPELINE_TENANT_CONCURRENCY: 1 });
  const events = {
    append: (added: readonly NewEvent[], unit: UnitOfWork) => unit.insert(appended, added),
    wake: () => undefined,
  };
  const find = async (accountId: AccountId) => tenants.get(accountId);
  const users = createUsers({
    connection,
    box,
    blindIndex: createBlindIndex(randomBytes(32)),
    providers,
    tenants: { find },
    events,
    transaction,
    reveals: NO_REVEALS,
    apiKeys: { find: async () => undefined },
    accountClock: clock,
  }).port;
  const links = createLinksPort({ connection, box, users, events });
  return {
    isClockRight: () => true,
    box,
    // As in the product: the timelines of the user's links show the result of an identity check, too.
    users: { ...users, recordIdentityCheck: links.recordIdentityCheck },
    operations: createOperationsPort({ connection, box, users, links, events }),
    tenants: {
      find,
      hasRoutesFrom: async (country: string) => ROUTES.some(({ sourceCountry }) => sourceCountry === country),
      routesBetween: async ({
        sourceCountry,
        destinationCountry,
      }: Pick<Route, 'sourceCountry' | 'destinationCountry'>) =>
        ROUTES.filter(
          (route) => route.sourceCountry === sourceCountry && route.destinationCountry === destinationCountry,
        ),
      fxRate: async (source: string, destination: string) =>
        source === 'USD' && destination === 'MXN' ? { rate: '18.25', isStale: false } : undefined,
    },
    providers,
    events,
    webhooks: {
      enqueue: (added: readonly NewDelivery[], unit: UnitOfWork) => {
        const documents = added.map((delivery) => ({
          ...delivery,
          correlationId: JSON.parse(String(delivery.body)).correlationId as string,
        }));
        unit.insert(sent, documents);
        return added.map((_, index) => String(index));
      },
    },
    transaction,
    tracing: UNTRACED,
    clock,
    accountClock: clock,
    log: createLogger({ level: 'silent' }),
  };
}

let numbers = 0;

/** A body that is accepted; every one has a requester and a correlation id of its own unless they are given. */
export function bodyOf(
  changes: { requester?: object; request?: object; requestTo?: object; method?: object } = {},
) {
  numbers += 1;
  return {
    requester: {
      phoneNumber: `+5255${String(12_000_000 + numbers)}`,
      firstName: 'Ana',
      lastName: 'Ruiz',
      dob: '1990-01-31',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'MX-CMX',
      ...changes.requester,
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 1500.5,
      destinationPaymentMethod: changes.method ?? UBN,
      correlationId: `corr-${numbers}`,
      requestTo: {
        phoneNumber: '+12125550123',
        firstName: 'Bob',
        lastName: 'Roe',
        countryCode: 'US',
        ...changes.requestTo,
      },
      ...changes.request,
    },
  };
}

export const UBN = { type: 'UBN', number: '032180000118359719', country: 'MX', currency: 'MXN' };
export const CARD = {
  type: 'DebitCard',
  number: '4111 1111 1111 1111',
  nameOnCard: 'Ana Ruiz',
  expirationDate: '1230',
  country: 'MX',
  currency: 'MXN',
};
const acmeLive = { ...acme, accountId: 'acme/live' } as const;
export const CASH = { type: 'CashPickup', country: 'MX' };

/** A body as the service reads it. */
export function toJson(body: unknown): unknown {
  return parse(JSON.stringify(body));
}
