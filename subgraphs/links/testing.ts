import { randomBytes } from 'node:crypto';
import { type ExecutionResult, graphql } from 'graphql';
import { parse } from 'lossless-json';
import { pino } from 'pino';
import { createBlindIndex } from '../platform/crypto/blind-index.ts';
import { createBox } from '../platform/crypto/box.ts';
import { makeIndexes } from '../platform/database/indexes.ts';
import { createTransactions } from '../platform/database/transaction.ts';
import type { Store } from '../platform/database/types.ts';
import type { Result } from '../platform/errors/result.ts';
import type { NewEvent } from '../platform/events/index.ts';
import { buildSubgraph } from '../platform/graphql/subgraph.ts';
import type { Principal } from '../platform/principal.ts';
import { createSandboxCards, createSandboxUbn } from '../platform/providers/sandbox.ts';
import type { Tenant } from '../platform/tenants/service.ts';
import type { NewDelivery } from '../platform/webhooks/queue.ts';
import { createUsers } from '../users/index.ts';
import { createLinksDeps, type LinksDependencies, type LinksDeps } from './deps.ts';
import { createLinks } from './index.ts';
import type { LinksPort } from './port.ts';
import {
  createInternalLinkService,
  createLinkService,
  createLinksPort,
  type InternalLinkService,
  type LinkService,
} from './service.ts';
import type { Activity } from './store/activity-repository.ts';
import type { Link } from './store/link-repository.ts';

export const START = new Date('2026-11-21T08:00:00.000Z');
export const MINUTE_MS = 60_000;

const principalOf = (tenantId: string): Principal => ({
  tenantId,
  keyId: `key_${tenantId}`,
  scopes: ['partner'],
  environment: 'sandbox',
});
export const acme = principalOf('acme');
export const globex = principalOf('globex');
const internal: Principal = { tenantId: '', keyId: 'internal', scopes: ['internal'], environment: 'live' };

const settings = { widgetBaseUrl: 'https://widget.acme.test', webhookEvents: [] };
const hook = { webhookUrl: 'https://hook.acme.test', webhookSecret: 'whsec_acme_0001' };
const TENANTS = new Map(
  [
    { ...settings, ...hook, tenantId: 'acme', flows: ['cip', 'transfer', 'request_money'] },
    { ...settings, tenantId: 'globex', flows: ['transfer'] },
  ].map((tenant) => [tenant.tenantId, tenant as unknown as Tenant]),
);

/** Everything that an identity check needs; the values are looked for in the store. */
export const USER_DATA = {
  name: { firstName: 'Xiadani', secondName: 'Itzel', lastName: 'Quetzalcoatl', secondLastName: 'Zyanya' },
  idType: 'passport',
  idNumber: 'QX-7391-ZK84',
  dob: '1987-03-14',
  paymentMethod: { cash: { provider: 'Farmacia Jurado', reference: 'REF-55501' } },
};

/** The slice on a real store, beside users; what it hands to webhooks and to the event log is kept instead of sent. */
export interface Bench {
  readonly deps: LinksDeps;
  readonly service: LinkService;
  readonly internal: InternalLinkService;
  readonly port: LinksPort;
  readonly deliveries: NewDelivery[];
  readonly events: NewEvent[];
  /** What the slice takes for the present. */
  now: Date;
  /** Lets time pass. */
  pass(ms: number): void;
  create(changes?: Readonly<Record<string, unknown>>, by?: Principal): Promise<Result<Link>>;
  /** Makes a link for a user that nobody has seen before. */
  newLink(changes?: Readonly<Record<string, unknown>>, by?: Principal): Promise<Link>;
  /** The timeline of a link. */
  timeline(linkId: string, by?: Principal): Promise<Activity[]>;
  block(userId: string): Promise<void>;
  ask<Data = Record<string, unknown>>(
    document: string,
    variables?: Record<string, unknown>,
    by?: Principal | 'internal',
  ): Promise<ExecutionResult<Data>>;
}

export async function createBench(store: Store): Promise<Bench> {
  const bench = { now: START };
  const deliveries: NewDelivery[] = [];
  const events: NewEvent[] = [];
  const dependencies = createDependencies(store, { deliveries, events, clock: () => bench.now });
  const deps = createLinksDeps(dependencies);
  const service = createLinkService(deps);
  const subgraph = createLinks({
    ...dependencies,
    publicUrl: 'https://api.acme.test',
    log: pino({ level: 'silent' }),
    follow: () => Promise.reject(new Error('Nothing is followed here')),
  }).subgraph;
  const { schema } = await buildSubgraph(subgraph);
  await makeIndexes(store.connection);
  const create: Bench['create'] = (changes, by = acme) => service.create(by, bodyOf(changes));
  return Object.assign(bench, {
    deps,
    service,
    internal: createInternalLinkService(deps),
    port: createLinksPort(deps),
    deliveries,
    events,
    pass: (ms: number) => {
      bench.now = new Date(bench.now.getTime() + ms);
    },
    create,
    newLink: async (changes?: Readonly<Record<string, unknown>>, by?: Principal) =>
      must(await create({ referenceId: newReference(), ...changes }, by)),
    timeline: async (linkId: string, by: Principal = acme) => (await service.timeline(by, linkId)) ?? [],
    block: async (userId: string) => {
      await store.connection
        .collection<{ _id: string }>('users')
        .updateOne({ _id: userId }, { $set: { blocked: true } });
    },
    ask: async <Data>(source: string, variableValues = {}, by: Principal | 'internal' = acme) => {
      const contextValue = { principal: by === 'internal' ? internal : by, requestId: 'r1' };
      return (await graphql({ schema, source, variableValues, contextValue })) as ExecutionResult<Data>;
    },
  });
}

interface Kept {
  deliveries: NewDelivery[];
  events: NewEvent[];
  clock: () => Date;
}

function createDependencies({ connection }: Store, { deliveries, events, clock }: Kept): LinksDependencies {
  const box = createBox(randomBytes(32));
  const transaction = createTransactions(connection);
  const tenants = { find: async (tenantId: string) => TENANTS.get(tenantId) };
  const log = { append: async (added: NewEvent[]) => void events.push(...added), wake: () => undefined };
  const users = createUsers({
    connection,
    box,
    blindIndex: createBlindIndex(randomBytes(32)),
    providers: { cards: createSandboxCards(), ubn: createSandboxUbn() },
    tenants,
    events: log,
    transaction,
    clock,
  }).port;
  return {
    connection,
    box,
    tenants,
    users,
    events: log,
    webhooks: {
      enqueue: async (added) => {
        deliveries.push(...added);
        return added.map((_, index) => String(index));
      },
      wake: () => undefined,
    },
    transaction,
    clock,
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

/** @throws when it was refused */
export function must<T>(result: Result<T>): T {
  if (!result.ok) {
    throw new Error(JSON.stringify(result.failures));
  }
  return result.value;
}

export function codeOf(result: Result<unknown>): string | undefined {
  return result.ok ? undefined : result.failures[0]?.code;
}

const MAGIC = { png: '89504e470d0a1a0a', jpeg: 'ffd8ffe0', webp: '524946460000000057454250' } as const;

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
