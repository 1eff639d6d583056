import { LRUCache } from 'lru-cache';
import { type StoredBytes, toBuffer } from '../binary.ts';
import type { Box } from '../crypto/box.ts';
import { retryOnConflict } from '../database/transaction.ts';
import type { FxRateDocument, RouteDocument, TenantDocument, TenantModels } from './model.ts';

/**
 * How long a process may act on an older configuration of a tenant. A read that is overtaken by a change still answers those
 * who wait for it, and is not kept: without `ignoreFetchAbort` they would get an error.
 */
const FRESH = { max: 10_000, ttl: 2_000, ignoreFetchAbort: true } as const;

/** A partner with its secrets readable. */
export type Tenant = Omit<TenantDocument, '_id' | 'webhookSecret' | 'sharedSecret'> & {
  tenantId: string;
  webhookSecret?: string;
  sharedSecret?: string;
};

/** What is written of a tenant: everything but the times, which the database keeps. */
export type TenantInput = Omit<Tenant, 'createdAt' | 'updatedAt'>;

export interface Tenants {
  /** The tenant, at most 2 s old; undefined when there is none. */
  find(tenantId: string): Promise<Tenant | undefined>;
  list(): Promise<Tenant[]>;
  /** Creates the tenant or sets it to exactly `input`. */
  upsert(input: TenantInput): Promise<Tenant>;
  /** The same, but for what the partner has changed itself by {@link changeWebhooks}: that stays. */
  seed(input: TenantInput): Promise<Tenant>;
  /**
   * What a partner changes itself. In force at once in this process, within 2 s in others; deliveries that are stored
   * already keep what they were stored with. Undefined when there is no such tenant.
   */
  changeWebhooks(tenantId: string, change: WebhookChange): Promise<Tenant | undefined>;
  isEmpty(): Promise<boolean>;
  /** Every route of a corridor, whatever it pays out by. */
  routes(corridor: Corridor): Promise<Route[]>;
  /** Every route between two countries, whatever it pays out by and in which currency. */
  routesBetween(countries: Pick<Corridor, 'sourceCountry' | 'destinationCountry'>): Promise<Route[]>;
  /** Whether any route begins in a country. */
  hasRoutesFrom(sourceCountry: string): Promise<boolean>;
  /** Units of `destination` for one of `source`, a decimal string; `1` for the same currency, undefined when unknown. */
  fxRate(source: string, destination: string): Promise<string | undefined>;
  /** Every route and every rate that is configured, for operators. */
  allRoutes(): Promise<Route[]>;
  allFxRates(): Promise<FxRate[]>;
  upsertRoute(route: Route): Promise<void>;
  upsertFxRate(rate: { source: string; destination: string; rate: string }): Promise<void>;
}

/** What is absent stays; without a URL (null) no webhooks are stored any more. */
export interface WebhookChange {
  readonly secret?: string;
  readonly url?: string | null;
  readonly events?: readonly string[];
}

export interface Corridor {
  sourceCountry: string;
  destinationCountry: string;
  destinationCurrency: string;
}

export type Route = RouteDocument;
export type FxRate = FxRateDocument;

interface TenantsDeps {
  models: TenantModels;
  box: Box;
}

/** The partners, and the routes and rates configured for them all (decisions, section 1, `SEED_FILE`). */
export function createTenants(deps: TenantsDeps): Tenants {
  const tenants = new LRUCache<string, Tenant>({
    ...FRESH,
    fetchMethod: (tenantId) => readTenant(deps, tenantId),
  });
  const routes = new LRUCache<string, Route[]>({
    ...FRESH,
    fetchMethod: (corridor) => deps.models.routes.find(JSON.parse(corridor)).lean(),
  });
  const rates = new LRUCache<string, string>({
    ...FRESH,
    fetchMethod: (pair) => readRate(deps, pair),
  });
  return {
    find: (tenantId) => tenants.fetch(tenantId),
    list: async () =>
      (await deps.models.tenants.find().sort({ _id: 1 }).lean()).map((found) => reveal(deps.box, found)),
    isEmpty: async () => (await deps.models.tenants.findOne().select({ _id: 1 }).lean()) === null,
    upsert: async (input) => remember(tenants, await writeTenant(deps, input)),
    seed: async (input) => remember(tenants, await seedTenant(deps, input)),
    changeWebhooks: async (tenantId, change) => {
      const tenant = await changeWebhooks(deps, tenantId, change);
      return tenant && remember(tenants, tenant);
    },
    routes: async ({ sourceCountry, destinationCountry, destinationCurrency }) => {
      const corridor = { sourceCountry, destinationCountry, destinationCurrency };
      return (await routes.fetch(JSON.stringify(corridor))) ?? [];
    },
    routesBetween: async ({ sourceCountry, destinationCountry }) =>
      (await routes.fetch(JSON.stringify({ sourceCountry, destinationCountry }))) ?? [],
    hasRoutesFrom: async (sourceCountry) =>
      ((await routes.fetch(JSON.stringify({ sourceCountry }))) ?? []).length > 0,
    fxRate: async (source, destination) =>
      source === destination ? '1' : rates.fetch(JSON.stringify({ source, destination })),
    allRoutes: () => readRoutes(deps),
    allFxRates: () => readFxRates(deps),
    upsertRoute: async (route) => {
      const { states, minAmount, maxAmount, payerCode, ...identity } = route;
      await retryOnConflict(() => deps.models.routes.replaceOne(identity, route, { upsert: true }).exec());
      routes.clear();
    },
    upsertFxRate: async ({ source, destination, rate }) => {
      await retryOnConflict(() =>
        deps.models.fxRates.updateOne({ source, destination }, { rate }, { upsert: true }).exec(),
      );
      rates.clear();
    },
  };
}

function readRoutes({ models }: TenantsDeps): Promise<Route[]> {
  return models.routes
    .find()
    .sort({ sourceCountry: 1, destinationCountry: 1, destinationCurrency: 1, payoutType: 1 })
    .select({ _id: 0 })
    .lean();
}

function readFxRates({ models }: TenantsDeps): Promise<FxRate[]> {
  return models.fxRates.find().sort({ source: 1, destination: 1 }).select({ _id: 0 }).lean();
}

async function readRate({ models }: TenantsDeps, pair: string): Promise<string | undefined> {
  return (await models.fxRates.findOne(JSON.parse(pair)).lean())?.rate;
}

async function readTenant(deps: TenantsDeps, tenantId: string): Promise<Tenant | undefined> {
  const found = await deps.models.tenants.findById(tenantId).lean();
  return found ? reveal(deps.box, found) : undefined;
}

function remember(cache: LRUCache<string, Tenant>, tenant: Tenant): Tenant {
  cache.set(tenant.tenantId, tenant);
  return tenant;
}

async function writeTenant({ models, box }: TenantsDeps, input: TenantInput): Promise<Tenant> {
  const _id = input.tenantId;
  const before = await models.tenants.findById(_id).select({ createdAt: 1 }).lean();
  const document = toDocument(box, input, before?.createdAt);
  await retryOnConflict(() =>
    models.tenants.replaceOne({ _id }, document, { upsert: true, timestamps: false }).exec(),
  );
  return reveal(box, document);
}

/** Conditional on what the partner has changed itself: what it changes meanwhile is seen when this is done again. */
function seedTenant({ models, box }: TenantsDeps, input: TenantInput): Promise<Tenant> {
  const _id = input.tenantId;
  return retryOnConflict(async () => {
    const before = await models.tenants.findById(_id).lean();
    const document = { ...toDocument(box, input, before?.createdAt), ...(before ? ownOf(before) : {}) };
    const unchanged = {
      webhookSecretRegeneratedAt: before?.webhookSecretRegeneratedAt ?? { $exists: false },
      webhookConfiguredAt: before?.webhookConfiguredAt ?? { $exists: false },
    };
    await models.tenants
      .replaceOne({ _id, ...unchanged }, document, { upsert: true, timestamps: false })
      .exec();
    return reveal(box, document);
  });
}

/** What the partner has changed itself. */
function ownOf(stored: TenantDocument): Partial<TenantDocument> {
  const { webhookSecret, webhookSecretRegeneratedAt, webhookUrl, webhookEvents, webhookConfiguredAt } =
    stored;
  return {
    ...(webhookSecret && webhookSecretRegeneratedAt
      ? { webhookSecret: toBuffer(webhookSecret), webhookSecretRegeneratedAt }
      : {}),
    ...(webhookConfiguredAt ? { webhookUrl: webhookUrl as string, webhookEvents, webhookConfiguredAt } : {}),
  };
}

async function changeWebhooks(
  { models, box }: TenantsDeps,
  tenantId: string,
  { secret, url, events }: WebhookChange,
): Promise<Tenant | undefined> {
  const now = new Date();
  const set: Partial<TenantDocument> = {
    ...(secret === undefined
      ? {}
      : {
          webhookSecret: box.seal(secret, secretContext(tenantId, 'webhookSecret')),
          webhookSecretRegeneratedAt: now,
        }),
    ...(url == null ? {} : { webhookUrl: url }),
    ...(events === undefined ? {} : { webhookEvents: [...events] }),
    ...(url === undefined && events === undefined ? {} : { webhookConfiguredAt: now }),
  };
  const change = { $set: set, ...(url === null ? { $unset: { webhookUrl: 1 as const } } : {}) };
  const changed = await retryOnConflict(() =>
    models.tenants.findOneAndUpdate({ _id: tenantId }, change, { returnDocument: 'after' }).lean().exec(),
  );
  return changed ? reveal(box, changed) : undefined;
}

function toDocument(box: Box, input: TenantInput, createdAt: Date | undefined): TenantDocument {
  const { tenantId, webhookSecret, sharedSecret, ...plain } = input;
  const now = new Date();
  const document: TenantDocument = {
    ...plain,
    _id: tenantId,
    createdAt: createdAt ?? now,
    updatedAt: now,
  };
  if (webhookSecret !== undefined) {
    document.webhookSecret = box.seal(webhookSecret, secretContext(tenantId, 'webhookSecret'));
  }
  if (sharedSecret !== undefined) {
    document.sharedSecret = box.seal(sharedSecret, secretContext(tenantId, 'sharedSecret'));
  }
  return document;
}

function reveal(box: Box, document: TenantDocument): Tenant {
  const { _id: tenantId, webhookSecret, sharedSecret, ...plain } = document;
  const tenant: Tenant = { ...plain, tenantId };
  if (webhookSecret) {
    tenant.webhookSecret = openSecret(box, webhookSecret, secretContext(tenantId, 'webhookSecret'));
  }
  if (sharedSecret) {
    tenant.sharedSecret = openSecret(box, sharedSecret, secretContext(tenantId, 'sharedSecret'));
  }
  return tenant;
}

function openSecret(box: Box, sealed: StoredBytes, context: string): string {
  return box.open(toBuffer(sealed), context).toString();
}

function secretContext(tenantId: string, field: string): string {
  return `${tenantId}|${field}|tenant`;
}
