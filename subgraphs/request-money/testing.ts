import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { parse } from 'lossless-json';
import { makeIndexesOnce, openTestDatabase } from '../../test/support/test-database.ts';
import { type AccountId, ENVIRONMENTS } from '../kernel/account.ts';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { createBox } from '../kernel/crypto/box.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { succeed } from '../kernel/errors/result.ts';
import { type Principal, withIncluded } from '../kernel/principal.ts';
import { createLinksPort } from '../links/index.ts';
import { createOperationsPort } from '../operations/index.ts';
import { NO_REVEALS } from '../partners/request-log/testing.ts';
import type { Route, Tenant } from '../partners/tenants/service.ts';
import { createProviders } from '../providers/create.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import { createUsers } from '../users/index.ts';
import type { NewDelivery } from '../webhooks/queue.ts';
import { type ReadCreate, readCreate } from './commands/read-create-request-money.ts';
import { readStatusUpdate } from './commands/update-status.ts';
import type { RequestMoneyDeps } from './deps.ts';
import { createRequestMoneyService, type RequestMoneyService } from './service.ts';
import { createIdempotencyRepository } from './store/idempotency-repository.ts';
import { createMoneyRequestModels } from './store/model.ts';
import { createMoneyRequestRepository } from './store/money-request-repository.ts';
import { createMissingPrices } from './use-cases/missing-prices.ts';

/** Not in the past: the database removes idempotency keys that are two days old by its own clock. */
export const START = new Date();
export const principal: Principal = {
  accountId: 'acme/sandbox',
  keyId: 'key_1',
  scopes: withIncluded(['partner']),
};

const tenant = {
  accountId: 'acme/sandbox',
  tenantId: 'acme',
  name: 'Acme Pay',
  features: ['request-money'],
  sourceCountry: 'US',
  fee: { fixed: '0', percent: '0' },
  landingBaseUrl: 'https://pay.acme.test/r',
  widgetBaseUrl: 'https://widget.acme.test',
  webhookUrl: 'https://hook.acme.test',
  webhookSecret: 'whsec_acme_0001',
  webhookEvents: [
    'operation_created',
    'operation_updated',
    'operation_error',
    'request_money.created',
    'request_money.failed',
    'operation.processing',
    'operation.completed',
    'operation.cancelled',
  ],
  webhookEventVersion: 1,
} as unknown as Tenant;
const route: Route = {
  sourceCountry: 'US',
  destinationCountry: 'MX',
  destinationCurrency: 'MXN',
  payoutType: 'bank_account',
  payerCode: 'MXSPEI',
};

/** The slice on a real database; what it hands to webhooks and to the event log is kept instead of sent. */
interface Bench {
  readonly database: Database;
  readonly deps: RequestMoneyDeps;
  readonly service: RequestMoneyService;
  readonly deliveries: NewDelivery[];
  readonly events: NewEvent[];
  /** The present time, as the slice sees it. */
  now: Date;
  create(body: string, idempotencyKey?: string): ReturnType<RequestMoneyService['create']>;
  update(
    referenceId: string,
    changes: Record<string, unknown>,
  ): ReturnType<RequestMoneyService['updateStatus']>;
  /** Blocks a user, in a transaction as the users slice does; without an answer while others hold it. */
  block(userReferenceId: string): Promise<void>;
  /** Names of the events handed to webhooks since the last call of {@link forget}. */
  sent(): string[];
  /** `data` of the first of them with that name. */
  dataOf(event: string): Record<string, unknown>;
  forget(): void;
}

/**
 * A bench for the tests of a file, a new one before each test, on a database of their own.
 * @returns an object that is filled before each test
 */
export function useBench(): Bench {
  const bench = {} as Bench; // The hooks fill it.
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => fillBench(bench, database));
  afterAll(() => database.close());
  return bench;
}

async function fillBench(bench: Bench, database: Database): Promise<void> {
  const deliveries: NewDelivery[] = [];
  const events: NewEvent[] = [];
  const deps = createDeps(database, { deliveries, events, clock: () => bench.now });
  const service = createRequestMoneyService(deps);
  await makeIndexesOnce(database.connection);
  const filled: Bench = {
    now: START,
    database,
    deps,
    service,
    deliveries,
    events,
    create: (body, key) => service.create(principal, createOf(body, key)),
    update: (referenceId, changes) =>
      service.updateStatus(readStatusUpdate({ partnerId: 'acme', referenceId, ...changes })),
    block: (referenceId) =>
      deps.transaction(async (unit) => {
        const user = { accountId: 'acme/sandbox' as const, referenceId };
        const blocked = { $set: { blocked: true } };
        await database.connection.collection('users').updateOne(user, blocked, { session: unit.session });
      }),
    sent: () => deliveries.map(({ event }) => event),
    dataOf: (name) => {
      const delivery = deliveries.find(({ event }) => event === name);
      return JSON.parse(String(delivery?.body)).data as Record<string, unknown>;
    },
    forget: () => void deliveries.splice(0),
  };
  Object.assign(bench, filled);
}

interface Kept {
  deliveries: NewDelivery[];
  events: NewEvent[];
  clock: () => Date;
}

function createDeps({ connection }: Database, { deliveries, events, clock }: Kept): RequestMoneyDeps {
  const box = createBox(randomBytes(32));
  const blindIndex = createBlindIndex(randomBytes(32));
  const log = {
    append: (added: readonly NewEvent[], unit: UnitOfWork) =>
      unit.onEnd((committed) => void (committed && events.push(...added))),
    wake: () => undefined,
  };
  const models = createMoneyRequestModels(connection);
  const transaction = createTransactions(connection);
  const tenants = {
    environments: ENVIRONMENTS,
    find: async (id: AccountId) => (id === 'acme/sandbox' ? tenant : undefined),
    fxRate: async () => ({ rate: '20', isStale: false }),
    routes: async () => [route],
  };
  const users = createUsers({
    connection,
    box,
    blindIndex,
    providers: createProviders({ PIPELINE_TENANT_CONCURRENCY: 1 }),
    tenants,
    events: log,
    transaction,
    reveals: NO_REVEALS,
    apiKeys: { find: async () => undefined },
    accountClock: clock,
  }).port;
  const links = createLinksPort({ connection, box, users, events: log });
  return {
    moneyRequests: createMoneyRequestRepository({ models, box, blindIndex }),
    idempotency: createIdempotencyRepository({ model: models.idempotency, box, blindIndex }),
    screening: { screen: async () => succeed('clear') },
    users,
    operations: createOperationsPort({ connection, box, users, links, events: log }),
    tenants,
    events: log,
    webhooks: {
      enqueue: (added, unit) => unit.onEnd((committed) => void (committed && deliveries.push(...added))),
    },
    transaction,
    missingPrices: createMissingPrices({ log: { error: () => undefined } }),
    accountClock: clock,
    listExpired: () => [{ at: clock() }],
  };
}

export function newReference(): string {
  return randomBytes(4).toString('hex');
}

export function bodyOf(referenceId: string, changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    referenceId,
    amount: 1500.5,
    currency: 'MXN',
    requestData: {
      userReferenceId: `u-${referenceId}`,
      name: { firstName: 'Ana', lastName: 'Ruiz' },
      address: { country: 'MX' },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: '0321 8000 0118 3597 19' },
    },
    ...changes,
  });
}

/** The body of a money request of a certain user. */
export function bodyFor(userReferenceId: string, referenceId = newReference(), more: object = {}): string {
  const { requestData } = JSON.parse(bodyOf(referenceId));
  return bodyOf(referenceId, { requestData: { ...requestData, userReferenceId, ...more } });
}

/** A create as it comes in by REST, read. */
export function createOf(body: string, idempotencyKey?: string): ReadCreate {
  return readCreate({ body: parse(body), idempotencyKey, surface: 'rest' });
}
