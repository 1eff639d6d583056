import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { parse } from 'lossless-json';
import { makeIndexesOnce, openTestDatabase } from '../../test/support/test-database.ts';
import { type AccountId, ENVIRONMENTS } from '../kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../kernel/config/work-settings.ts';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { newOperationCode } from '../kernel/database/ids.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import { createUniqueValues } from '../kernel/database/unique-values.ts';
import { type Result, succeed } from '../kernel/errors/result.ts';
import { createLogger } from '../kernel/log/log.ts';
import { type Quote, quote } from '../kernel/money/quote.ts';
import { type Principal, withIncluded } from '../kernel/principal.ts';
import { createJournal, createLedgerModels } from '../ledger/index.ts';
import { createLinksPort } from '../links/index.ts';
import { NO_REVEALS } from '../partners/request-log/testing.ts';
import type { Route, Tenant } from '../partners/tenants/service.ts';
import { createProviders } from '../providers/create.ts';
import type { ProviderCall } from '../providers/types.ts';
import { createEventLog } from '../runtime/events/log.ts';
import { createEventModels, type EventDocument } from '../runtime/events/model.ts';
import { type ContactInput, createUsers } from '../users/index.ts';
import { readRequestMoneyV2 } from './commands/request-money-v2.ts';
import { readStatusUpdate } from './commands/update-status.ts';
import type { OperationsDeps } from './deps.ts';
import { createOperationService, type OperationService } from './service.ts';
import {
  createOperationModels,
  type OperationHistoryDocument,
  type OperationModels,
  type OperationRecord,
} from './store/model.ts';
import { createOperationIds } from './store/operation-ids.ts';
import { createOperationRepository } from './store/operation-repository.ts';
import { createQuotes } from './store/quotes.ts';
import { createReservations } from './store/reservations.ts';
import { revealOperation } from './store/sealed-texts.ts';

export const START = new Date('2026-11-21T08:00:00.000Z');

export const principal: Principal = {
  accountId: 'acme/sandbox',
  keyId: 'key_1',
  scopes: withIncluded(['partner']),
};
export const stranger: Principal = { ...principal, accountId: 'globex/sandbox' };

const tenant = {
  name: 'Acme Pay',
  country: 'MX',
  countries: ['MX', 'US'],
  defaultCurrency: 'MXN',
  dialCodes: ['+52', '+1'],
  sourceCountry: 'US',
  attributionBaseUrl: 'https://acme.test/t',
  fee: { fixed: '1', percent: '2' },
} as Tenant;

const route = (payoutType: string): Route => ({
  sourceCountry: 'US',
  destinationCountry: 'MX',
  destinationCurrency: 'MXN',
  payoutType,
  payerCode: null,
});
const ROUTES = [route('bank_account'), route('card')];

/** The slice on a real database, with the sandbox's providers. */
export interface Bench {
  readonly database: Database;
  readonly models: OperationModels;
  readonly deps: OperationsDeps;
  readonly service: OperationService;
  /** Calls of providers, in order. */
  readonly calls: ({ provider: string } & ProviderCall)[];
  /** The present time, as the slice sees it. */
  now: Date;
  /** A user of acme that nobody has seen before. @returns its userId */
  newUser(): Promise<string>;
  newContact(userId: string, contact: ContactInput): Promise<string>;
  /** Requests money by v2. */
  request(userId: string, changes?: Readonly<Record<string, unknown>>): Promise<Result<OperationRecord>>;
  /** Sends a body to request-money v2. */
  send(by: Principal, userId: string, body: unknown): Promise<Result<OperationRecord>>;
  update(operationId: string, changes: Readonly<Record<string, unknown>>): Promise<Result<OperationRecord>>;
  /** An operation of acme as it is stored, with its moves and events in order. */
  stored(operationId: string): Promise<StoredOperation>;
}

interface StoredOperation {
  operation: OperationRecord | null;
  moves: OperationHistoryDocument[];
  events: EventDocument[];
}

/**
 * A bench for the tests of a file, on a database of their own.
 * @param lifetime `test`: a new bench before each test; `file`: one for all
 * @returns an object that is filled before the first test
 */
export function useBench(lifetime: 'test' | 'file' = 'test'): Bench {
  const bench = {} as Bench; // The hooks fill it.
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    if (lifetime === 'file') {
      await fillBench(bench, database);
    }
  });
  if (lifetime === 'test') {
    beforeEach(() => fillBench(bench, database));
  }
  afterAll(() => database.close());
  return bench;
}

async function fillBench(bench: Bench, database: Database): Promise<void> {
  const calls: Bench['calls'] = [];
  const models = createOperationModels(database.connection);
  const deps = createDeps(database, models, calls, () => bench.now);
  const service = createOperationService(deps);
  const send: Bench['send'] = (by, userId, body) =>
    service.requestMoneyV2(by, { userId, command: readRequestMoneyV2(body) });
  await makeIndexesOnce(database.connection);
  const filled: Bench = {
    now: START,
    database,
    models,
    deps,
    service,
    calls,
    newUser: () => newUser(deps),
    newContact: async (userId, contact) => {
      const input = { accountId: 'acme/sandbox' as const, userId, contact, at: bench.now };
      return (await deps.transaction((unit) => deps.users.keepContact(input, unit))).contactId;
    },
    request: (userId, changes) => send(principal, userId, bodyOf(changes)),
    send,
    update: async (operationId, changes) => {
      const update = readStatusUpdate({ partnerId: 'acme', ...changes });
      return update.ok ? service.updateStatus(operationId, update.value) : update;
    },
    stored: (operationId) => readStored(database, models, deps, operationId),
  };
  Object.assign(bench, filled);
}

async function readStored(
  { connection }: Database,
  models: OperationModels,
  { box }: OperationsDeps,
  operationId: string,
): Promise<StoredOperation> {
  const its = { accountId: 'acme/sandbox' as const, operationId };
  const operation = await models.operations.findOne(its).lean();
  return {
    operation: operation && revealOperation(box, operation),
    moves: await models.history.find(its).sort({ version: 1 }).lean(),
    events: await createEventModels(connection)
      .events.find({ accountId: 'acme/sandbox' as const, entity: 'operation', entityId: operationId })
      .sort({ version: 1 })
      .lean(),
  };
}

function createDeps(
  { connection }: Database,
  models: OperationModels,
  calls: Bench['calls'],
  clock: () => Date,
): OperationsDeps {
  const transaction = createTransactions(connection);
  const unique = createUniqueValues(connection);
  const operationIds = createOperationIds(unique);
  const providers = recordCalls(calls);
  const events = createEventLog({
    model: createEventModels(connection).events,
    partitions: DEFAULT_PARTITIONS,
    wake: () => undefined,
  });
  const tenants = {
    environments: ENVIRONMENTS,
    find: async (accountId: AccountId) => ({ ...tenant, accountId }),
    routesBetween: async ({
      sourceCountry,
      destinationCountry,
    }: Pick<Route, 'sourceCountry' | 'destinationCountry'>) =>
      ROUTES.filter(
        (one) => one.sourceCountry === sourceCountry && one.destinationCountry === destinationCountry,
      ),
    fxRate: async (source: string, destination: string) =>
      source === 'USD' && destination === 'MXN' ? { rate: '18.25', asOf: START, isStale: false } : undefined,
  };
  const box = createBox(randomBytes(32));
  const blindIndex = createBlindIndex(randomBytes(32));
  const users = createUsers({
    connection,
    box,
    blindIndex,
    providers,
    tenants,
    events,
    transaction,
    reveals: NO_REVEALS,
    apiKeys: { find: async () => undefined },
    accountClock: clock,
  }).port;
  return {
    isClockRight: () => true,
    operations: createOperationRepository({ models, unique, box }),
    operationIds,
    box,
    blindIndex,
    reservations: createReservations({ ids: operationIds, model: models.reservations, box }),
    quotes: createQuotes(models.quotes),
    users,
    links: createLinksPort({ connection, box, users, events }),
    moneyRequests: { followOperation: async () => succeed(undefined) },
    remittances: { find: async () => undefined },
    tenants,
    providers,
    events,
    journal: createJournal(createLedgerModels(connection)),
    transaction,
    log: createLogger({ level: 'silent' }),
    clock,
    accountClock: clock,
    newCode: newOperationCode,
  };
}

function recordCalls(calls: Bench['calls']): OperationsDeps['providers'] {
  const { cards, ubn, funding, requireConfigured } = createProviders({ PIPELINE_TENANT_CONCURRENCY: 1 });
  const called = (provider: string, call: ProviderCall) => {
    calls.push({ provider, ...call });
    return call;
  };
  return {
    cards: { verify: (card, call) => cards.verify(card, called('cards', call)) },
    ubn: { verify: (account, call) => ubn.verify(account, called('ubn', call)) },
    funding: {
      request: (request, call) => funding.request(request, called('funding', call)),
      cancel: (request, call) => funding.cancel(request, called('cancel', call)),
    },
    requireConfigured,
  };
}

let users = 0;

async function newUser(
  { users: port, transaction }: OperationsDeps,
  accountId: AccountId = 'acme/sandbox',
): Promise<string> {
  users += 1;
  const profile = { firstName: 'Ana', lastName: 'Ruiz', country: 'MX' };
  const input = { accountId, referenceId: `user-${users}`, profile };
  return (await transaction((unit) => port.ensureByReference(input, unit))).userId;
}

let ids = 0;

/** A correlation id that no other call of this test file has. */
export function newCorrelationId(): string {
  ids += 1;
  return `corr-${ids}`;
}

/** A body of request-money v2 that is in order, as a reader of REST bodies has it; what is undefined is left out. */
export function bodyOf(changes: Readonly<Record<string, unknown>> = {}): unknown {
  return parse(
    JSON.stringify({
      requestTo: '+13125550188',
      correlationId: newCorrelationId(),
      recipientAmount: 1825,
      recipientCurrency: 'MXN',
      destinationPaymentMethod: ACCOUNT,
      ...changes,
    }),
  );
}

export const ACCOUNT = { type: 'UBN', number: '032180000118359719', country: 'MX', currency: 'MXN' };
export const CARD = {
  type: 'DebitCard',
  number: '4111 1111 1111 1111',
  nameOnCard: 'ANA RUIZ',
  expirationDate: '1228',
  country: 'MX',
  currency: 'MXN',
};

/** The price of a request for Mexican money that is paid in dollars without a fee. */
export function priceOf(recipientAmount: string): Quote {
  return quote({
    recipientAmount,
    recipientCurrency: 'MXN',
    senderCurrency: 'USD',
    exchangeRate: '18.25',
    fee: { fixed: '0', percent: '0' },
  });
}
