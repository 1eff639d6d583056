import { randomBytes } from 'node:crypto';
import { type AccountId, environmentOf, tenantOf } from '../kernel/account.ts';
import { type BlindIndex, createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { WatchedKey } from '../partners/keys/watched-keys.ts';
import { FIRST, OPERATIONAL } from '../partners/tenants/endpoint-store.ts';
import { operationalEventsSchema } from '../partners/tenants/operational-events.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import type { LimitUse } from '../runtime/limits/usage.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery } from '../webhooks/testing-engine.ts';
import type { StuckRemittances } from './find-conditions.ts';
import { createOperationalEvents, type OperationalEvents } from './index.ts';
import type { Mail, Mailer, MailOutcome } from './mailer.ts';
import { createOperationalModels, type OperationalModels } from './model.ts';

export const ACME: AccountId = 'acme/sandbox';
export const FIRST_URL = 'https://hooks.acme.test/in';

/** The operational events of partners on a database, with conditions that the test sets. */
export interface OperationalBench {
  readonly bench: TestBench;
  readonly models: OperationalModels;
  readonly engine: TestEngine;
  /** The partners. */
  readonly tenants: Map<AccountId, Tenant>;
  readonly keys: Map<AccountId, WatchedKey[]>;
  readonly stuck: Map<AccountId, StuckRemittances>;
  /** Calls by name of the limit and caller. */
  readonly calls: Map<string, number>;
  readonly mails: Mail[];
  /** The outcome of a message; default: it is sent. */
  mailOutcome: (mail: Mail) => MailOutcome;
  /** Whether the deployment has a mail server. */
  hasMail: boolean;
  /** The partner whose keys cannot be read. */
  unreadable: AccountId | undefined;
  /** Whether stuck remittances cannot be counted. */
  isUncountable: boolean;
  /** Milliseconds before the real time. */
  ahead: number;
  /** A process of its own. */
  start(): OperationalEvents;
  /** One run of a process. */
  run(): Promise<void>;
  /** Adds a partner with these receivers. */
  add(accountId: AccountId, receivers: object, more?: Partial<Tenant>): void;
  /** Opens or closes the breaker of a URL. */
  setBreaker(accountId: AccountId, url: string, isOpen: boolean): Promise<void>;
  /** Stores webhooks that are dead-lettered at once. */
  deadLetter(accountId: AccountId, count: number, endpointId?: string): Promise<void>;
  /** Names of events that are stored as webhooks, in order. */
  sent(accountId?: AccountId): Promise<string[]>;
  reset(): Promise<void>;
}

export async function openOperationalBench(): Promise<OperationalBench> {
  const bench = await openTestBench();
  const models = createOperationalModels(bench.store.connection);
  await makeIndexes(bench.store.connection);
  const blindIndex = createBlindIndex(randomBytes(32));
  const tenants = new Map<AccountId, Tenant>();
  const started = () => startEngine(bench, tenants);
  const own: OperationalBench = {
    ...{ bench, models, tenants, engine: started() },
    ...{ keys: new Map(), stuck: new Map(), calls: new Map(), mails: [] },
    mailOutcome: () => ({ kind: 'sent' }),
    hasMail: true,
    unreadable: undefined,
    isUncountable: false,
    ahead: 0,
    start: () => startEvents(own, blindIndex),
    run: async () => {
      const { signal } = new AbortController();
      const events = own.start();
      await events.detect(signal);
      await events.sendMail(signal);
    },
    add: (accountId, receivers, more = {}) =>
      void tenants.set(accountId, { ...tenantWith(accountId, receivers), ...more }),
    setBreaker: (...args) => setBreaker(own, ...args),
    deadLetter: (...args) => deadLetter(own, ...args),
    sent: async (accountId = ACME) => {
      const found = await bench.models.deliveries
        .find({ accountId, endpointId: 'operational' })
        .sort({ createdAt: 1, _id: 1 })
        .lean();
      return found.map(({ event }) => event);
    },
    reset: async () => {
      await bench.reset();
      await Promise.all([models.conditions.deleteMany({}), models.notices.deleteMany({})]);
      for (const map of [tenants, own.keys, own.stuck, own.calls]) {
        map.clear();
      }
      own.mails.splice(0);
      const mailOutcome = () => ({ kind: 'sent' });
      const defaults = { hasMail: true, unreadable: undefined, isUncountable: false };
      Object.assign(own, { ahead: 0, ...defaults, mailOutcome, engine: started() });
    },
  };
  return own;
}

function startEngine(bench: TestBench, tenants: ReadonlyMap<AccountId, Tenant>): TestEngine {
  const find = async (accountId: AccountId) => tenants.get(accountId);
  const exists = async (accountId: AccountId, id: string) =>
    id !== OPERATIONAL || tenants.get(accountId)?.operationalEvents?.url !== undefined;
  return bench.start({ maxAttempts: 1 }, { tenants: { find, findStored: find, endpoints: { exists } } });
}

/** A process with the conditions and the mail server of the bench. */
function startEvents(own: OperationalBench, blindIndex: BlindIndex): OperationalEvents {
  const { engine, tenants, bench } = own;
  const { connection } = bench.store;
  const clock = () => new Date(Date.now() + own.ahead);
  const mailer: Mailer = {
    send: async (mail) => {
      own.mails.push(mail);
      return own.mailOutcome(mail);
    },
    check: async () => undefined,
  };
  const quiet = () => undefined;
  return createOperationalEvents({
    ...{ connection, blindIndex, clock, accountClock: clock },
    mailer: own.hasMail ? mailer : undefined,
    log: { warn: quiet, error: quiet },
    tenants: {
      find: async (accountId) => tenants.get(accountId),
      listWithOperationalEvents: async () =>
        [...tenants.values()].filter((one) => one.operationalEvents).map(({ accountId }) => accountId),
    },
    transaction: createTransactions(connection),
    ...{ failures: engine.failures, queue: engine.queue, identify: engine.endpoints.identify },
    keys: async (accountId, now) => {
      if (accountId === own.unreadable) {
        throw new Error('store away');
      }
      return (own.keys.get(accountId) ?? []).filter(({ endsAt }) => endsAt === null || endsAt > now);
    },
    usage: async (uses) =>
      uses.map((use: LimitUse) => ({
        ...use,
        calls: own.calls.get(`${use.limit.name}|${use.caller}`) ?? 0,
      })),
    limitsOf: () => [{ name: 'graphql', limit: 100, windowSeconds: 60 }],
    partnerFactor: 10,
    consoleUrl: 'https://api.example.com/console',
    stuckOf: async () => {
      if (own.isUncountable) {
        throw new Error('count away');
      }
      return own.stuck;
    },
  });
}

function tenantWith(accountId: AccountId, receivers: object): Tenant {
  return {
    ...{ accountId, tenantId: tenantOf(accountId), environment: environmentOf(accountId) },
    ...{ name: 'Partner', countries: [], dialCodes: [], features: [], flows: [] },
    ...{
      webhookEvents: [],
      webhookEventVersion: 1,
      fee: { fixed: '0', percent: '0' },
      mtlsClientCertSha256: [],
    },
    ...{ webhookUrl: FIRST_URL, webhookSecret: 'whsec_acme_0001' },
    ...{ createdAt: new Date(), updatedAt: new Date() },
    operationalEvents: operationalEventsSchema.parse(receivers),
  };
}

async function setBreaker(
  { engine, bench }: OperationalBench,
  accountId: AccountId,
  url: string,
  isOpen: boolean,
): Promise<void> {
  const _id = engine.endpoints.identify(accountId, url);
  const state = isOpen ? 'OPEN' : 'CLOSED';
  const breaker = { state, since: new Date(Date.now() - 60_000), failedProbes: 0 };
  const set = { accountId, breaker, holds: isOpen ? ['BREAKER'] : [] };
  await bench.models.endpointStates.updateOne({ _id }, { $set: set }, { upsert: true });
}

async function deadLetter(
  { engine, bench, ahead }: OperationalBench,
  accountId: AccountId,
  count: number,
  endpointId = FIRST,
): Promise<void> {
  const one = testDelivery('https://nowhere.invalid/', { accountId, endpointId, event: 'operation_created' });
  const ids = await bench.enqueue(engine, ...Array.from({ length: count }, () => one));
  await bench.models.deliveries.updateMany(
    { _id: { $in: ids } },
    { $set: { status: 'DEAD_LETTERED', finishedAt: new Date(Date.now() + ahead) } },
  );
}
