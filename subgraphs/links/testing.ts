import { randomBytes } from 'node:crypto';
import { type ExecutionResult, graphql } from 'graphql';
import { parse } from 'lossless-json';
import { pino } from 'pino';
import { makeIndexesOnce } from '../../test/support/test-database.ts';
import { buildSubgraph } from '../graph/subgraph.ts';
import { type AccountId, ENVIRONMENTS } from '../kernel/account.ts';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { type Box, createBox } from '../kernel/crypto/box.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { andThen, type Result } from '../kernel/errors/result.ts';
import { INTERNAL_ACCOUNT, type Principal, withIncluded } from '../kernel/principal.ts';
import { NO_REVEALS } from '../partners/request-log/testing.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { createProviders } from '../providers/create.ts';
import { createEventHistory } from '../runtime/events/history.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import { createEventModels } from '../runtime/events/model.ts';
import { createUsers } from '../users/index.ts';
import type { NewDelivery } from '../webhooks/queue.ts';
import type { Activity } from './activity.ts';
import {
  readCreateCipTicket,
  readCreateLink,
  readFulfilDataRequest,
  readRaiseDataRequest,
  readUpdateCip,
} from './commands/link-commands.ts';
import { createLinksDeps, type LinksDependencies, type LinksDeps } from './deps.ts';
import { createLinks } from './index.ts';
import type { CheckedUser, CipTicket, DataRequest, Link } from './link.ts';
import type { LinksPort } from './port.ts';
import {
  createInternalLinkService,
  createLinkService,
  createLinksPort,
  type InternalLinkService,
  type LinkService,
} from './service.ts';

export const START = new Date('2026-11-21T08:00:00.000Z');
export const MINUTE_MS = 60_000;

const principalOf = (accountId: AccountId): Principal => ({
  accountId,
  keyId: `key_${accountId}`,
  scopes: withIncluded(['partner']),
});
export const acme = principalOf('acme/sandbox');
export const globex = principalOf('globex/sandbox');
const internalPrincipal: Principal = {
  accountId: INTERNAL_ACCOUNT,
  keyId: 'internal',
  scopes: ['internal'],
};

const settings = { widgetBaseUrl: 'https://widget.acme.test', webhookEvents: [], webhookEventVersion: 1 };
const hook = {
  webhookOrdering: 'PER_ENTITY' as const,
  webhookUrl: 'https://hook.acme.test',
  webhookSecret: 'whsec_acme_0001',
};
const TENANTS = new Map<AccountId, Tenant>(
  [
    { ...settings, ...hook, accountId: 'acme/sandbox' as const, flows: ['cip', 'transfer', 'request_money'] },
    { ...settings, accountId: 'globex/sandbox' as const, flows: ['transfer'] },
  ].map((tenant) => [tenant.accountId, tenant as unknown as Tenant]),
);

/** Everything that an identity check needs. A test looks for these values in the database. */
export const USER_DATA = {
  name: { firstName: 'Xiadani', secondName: 'Itzel', lastName: 'Quetzalcoatl', secondLastName: 'Zyanya' },
  idType: 'passport',
  idNumber: 'QX-7391-ZK84',
  dob: '1987-03-14',
  paymentMethod: { cash: { provider: 'Farmacia Jurado', reference: 'REF-55501' } },
};

/** The slice's calls with bodies that are read first, as its mutations do it. */
interface Calls {
  create(changes?: Readonly<Record<string, unknown>>, by?: Principal): Promise<Result<Link>>;
  createFrom(body: unknown, by?: Principal): Promise<Result<Link>>;
  createTicket(by: Principal, body: unknown): Promise<Result<CipTicket>>;
  fulfil(by: Principal, dataRequestId: string, body: unknown): Promise<Result<DataRequest>>;
  raise(body: unknown): Promise<Result<DataRequest>>;
  updateCip(userId: string, body: unknown): Promise<Result<CheckedUser>>;
}

/** The slice on a real database, beside users; what it hands to webhooks and to the event log is kept instead of sent. */
export interface Bench extends Calls {
  readonly deps: LinksDeps;
  readonly service: LinkService;
  readonly internal: InternalLinkService;
  readonly port: LinksPort;
  readonly deliveries: NewDelivery[];
  readonly events: NewEvent[];
  /** The present for the slice. */
  now: Date;
  /** Lets time pass. */
  pass(ms: number): void;
  /** Makes a link for a user that nobody has seen before. */
  newLink(changes?: Readonly<Record<string, unknown>>, by?: Principal): Promise<Link>;
  /** The timeline of a link. */
  timeline(linkId: string, by?: Principal): Promise<Activity[]>;
  block(userId: string): Promise<void>;
  execute<Data = Record<string, unknown>>(
    document: string,
    variables?: Record<string, unknown>,
    by?: Principal | 'internal',
  ): Promise<ExecutionResult<Data>>;
}

/** @param box the slice's box for sealing */
export async function createBench(store: Database, box: Box = createBox(randomBytes(32))): Promise<Bench> {
  const bench = { now: START };
  const deliveries: NewDelivery[] = [];
  const events: NewEvent[] = [];
  const dependencies = createDependencies(store, box, { deliveries, events, clock: () => bench.now });
  const deps = createLinksDeps(dependencies);
  const service = createLinkService(deps);
  const subgraph = createLinks({
    reveals: NO_REVEALS,
    ...dependencies,
    publicUrl: 'https://api.acme.test',
    log: pino({ level: 'silent' }),
    follow: () => Promise.reject(new Error('Nothing is followed here')),
    history: createEventHistory(createEventModels(store.connection)),
  }).subgraph;
  const { schema } = await buildSubgraph(subgraph);
  await makeIndexesOnce(store.connection);
  const internal = createInternalLinkService(deps);
  const calls = createCalls(service, internal);
  return Object.assign(bench, {
    deps,
    service,
    internal,
    port: createLinksPort(deps),
    deliveries,
    events,
    pass: (ms: number) => {
      bench.now = new Date(bench.now.getTime() + ms);
    },
    ...calls,
    newLink: async (changes?: Readonly<Record<string, unknown>>, by?: Principal) =>
      must(await calls.create({ referenceId: newReference(), ...changes }, by)),
    timeline: async (linkId: string, by: Principal = acme) => (await service.timeline(by, linkId)) ?? [],
    block: async (userId: string) => {
      await store.connection
        .collection<{ _id: string }>('users')
        .updateOne({ _id: userId }, { $set: { blocked: true } });
    },
    execute: async <Data>(source: string, variableValues = {}, by: Principal | 'internal' = acme) => {
      const contextValue = { principal: by === 'internal' ? internalPrincipal : by, requestId: 'r1' };
      return (await graphql({ schema, source, variableValues, contextValue })) as ExecutionResult<Data>;
    },
  });
}

function createCalls(service: LinkService, internal: InternalLinkService): Calls {
  const createFrom: Calls['createFrom'] = (body, by = acme) =>
    andThen(readCreateLink(body), (link) => service.create(by, link));
  return {
    createFrom,
    create: (changes, by) => createFrom(bodyOf(changes), by),
    createTicket: (by, body) =>
      andThen(readCreateCipTicket(body), (ticket) => service.createTicket(by, ticket)),
    fulfil: (by, dataRequestId, body) =>
      andThen(readFulfilDataRequest(body), (answer) => service.fulfil(by, dataRequestId, answer)),
    raise: (body) => andThen(readRaiseDataRequest(body), (request) => internal.raise(request)),
    updateCip: (userId, body) => andThen(readUpdateCip(body), (check) => internal.updateCip(userId, check)),
  };
}

interface Kept {
  deliveries: NewDelivery[];
  events: NewEvent[];
  clock: () => Date;
}

function createDependencies(
  { connection }: Database,
  box: Box,
  { deliveries, events, clock }: Kept,
): LinksDependencies {
  const transaction = createTransactions(connection);
  const tenants = {
    environments: ENVIRONMENTS,
    find: async (accountId: AccountId) => TENANTS.get(accountId),
  };
  const log = {
    append: (added: readonly NewEvent[], unit: UnitOfWork) =>
      unit.onEnd((committed) => void (committed && events.push(...added))),
    wake: () => undefined,
  };
  const users = createUsers({
    connection,
    box,
    blindIndex: createBlindIndex(randomBytes(32)),
    providers: createProviders({ PIPELINE_TENANT_CONCURRENCY: 1 }),
    tenants,
    events: log,
    transaction,
    reveals: NO_REVEALS,
    apiKeys: { find: async () => undefined },
    accountClock: clock,
  }).port;
  return {
    connection,
    box,
    tenants,
    users,
    events: log,
    webhooks: {
      enqueue: (added, unit) => unit.onEnd((committed) => void (committed && deliveries.push(...added))),
    },
    transaction,
    accountClock: clock,
    listExpired: () => [{ at: clock() }],
  };
}

export function newReference(): string {
  return `ref-${randomBytes(6).toString('hex')}`;
}

/** A body as readers of REST bodies have it: numbers keep their digits. A property set to undefined is left out. */
export function bodyOf(changes: Readonly<Record<string, unknown>> = {}): unknown {
  return parse(JSON.stringify({ flow: 'transfer', referenceId: 'ref-1', ...changes }));
}

export function jsonOf(value: unknown): unknown {
  return parse(JSON.stringify(value));
}

/** @throws when it failed */
export function must<T>(result: Result<T>): T {
  if (!result.ok) {
    throw new Error(JSON.stringify(result.failures));
  }
  return result.value;
}

export function codeOf(result: Result<unknown>): string | undefined {
  return result.ok ? undefined : result.failures[0]?.code;
}

const MAGIC = {
  gif: '474946383961',
  png: '89504e470d0a1a0a',
  jpeg: 'ffd8ffe0',
  webp: '524946460000000057454250',
} as const;

/** A data URI of an image of that many bytes. */
export function imageOf(
  type: keyof typeof MAGIC,
  bytes: number = 64,
): { uri: string; contentType: string; bytes: Buffer } {
  const image = Buffer.alloc(bytes, 7);
  Buffer.from(MAGIC[type], 'hex').copy(image);
  const contentType = `image/${type}`;
  return { uri: `data:${contentType};base64,${image.toString('base64')}`, contentType, bytes: image };
}
