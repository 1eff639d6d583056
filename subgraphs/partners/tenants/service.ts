import { LRUCache } from 'lru-cache';
import type { UpdateQuery } from 'mongoose';
import { type AccountId, ENVIRONMENTS, type Environment } from '../../kernel/account.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { type RunTransaction, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { Alongside, UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { withoutUndefined } from '../../kernel/objects.ts';
import { type Corridors, createCorridors } from './corridors.ts';
import {
  createEndpointStore,
  type EndpointStore,
  OPERATIONAL,
  queueKey,
  type SecretRotation,
} from './endpoint-store.ts';
import { FRESH } from './fresh.ts';
import type { TenantDocument, TenantModels } from './model.ts';
import {
  changeOperationalEvents,
  hasOperationalUrl,
  listWithOperationalEvents,
  type OperationalEventsChange,
} from './operational-events.ts';
import type { RateLimits } from './rate-limits.ts';
import { ownOf, reveal, type Tenant, type TenantInput, toDocument } from './tenant-record.ts';
import { changeWebhooks, rotateSecret, type WebhookChange } from './webhook-changes.ts';

export type { Corridor, CurrentRate, FxRate, Route } from './corridors.ts';
export type { Tenant, TenantInput } from './tenant-record.ts';
export type { WebhookChange } from './webhook-changes.ts';

export interface Tenants extends Corridors {
  /** The environments that the deployment serves. */
  readonly environments: readonly Environment[];
  /** The partner in an environment, at most 2 s old; undefined when there is none. */
  find(accountId: AccountId): Promise<Tenant | undefined>;
  /**
   * The partner as the database has it now, for an act that must not follow a URL or an endpoint of 2 s ago; with a unit, as its
   * transaction has found it.
   */
  findStored(accountId: AccountId, unit?: UnitOfWork): Promise<Tenant | undefined>;
  /**
   * The partner's own limits of calls, at most 2 s old; undefined without any. Returns no promise for a partner that was read
   * a moment ago, as nearly every call's is.
   */
  rateLimitsOf(accountId: AccountId): RateLimits | undefined | Promise<RateLimits | undefined>;
  /** All partners, each in both environments. */
  list(): Promise<Tenant[]>;
  /** The accounts of the environments served that have set receivers of operational events, in one command without their values. */
  listWithOperationalEvents(): Promise<AccountId[]>;
  /** Creates the tenant, pinned to the newest version of events, or sets it to exactly `input`; its version stays. */
  upsert(input: TenantInput): Promise<Tenant>;
  /**
   * Creates the tenant or sets it to `input`, as {@link upsert}, except for values that the partner has changed by
   * {@link changeWebhooks}: they stay.
   * @param alongside added to the transaction of a `webhookUrl` that becomes another one
   */
  seed(input: TenantInput, alongside?: Alongside): Promise<Tenant>;
  /**
   * Applies a partner's own changes. They are in force at once in this process, within 2 s in others; stored deliveries keep
   * their values. Failures: WEBHOOK_ENDPOINT_EXISTS when a further endpoint has the URL; INVALID_REQUEST for a secret that the
   * scheme cannot sign with. Undefined when there is no such tenant.
   */
  changeWebhooks(
    accountId: AccountId,
    change: WebhookChange,
    alongside?: Alongside,
  ): Promise<Result<Tenant> | undefined>;
  /**
   * Replaces the secret of `webhookUrl`, in force as with {@link changeWebhooks}. Failures: WEBHOOK_SECRETS_LIMIT.
   * Undefined when there is no such tenant.
   */
  rotateWebhookSecret(
    accountId: AccountId,
    rotation: SecretRotation,
    alongside?: Alongside,
  ): Promise<Result<Tenant> | undefined>;
  /**
   * Changes the receivers of operational events, in force as with {@link changeWebhooks}. The change gets the stored ones and may run
   * more than once. Undefined when there is no such tenant.
   */
  changeOperationalEvents(
    accountId: AccountId,
    change: OperationalEventsChange,
    alongside?: Alongside,
  ): Promise<Result<Tenant> | undefined>;
  /**
   * Receivers besides `webhookUrl`. Changes are in force at once in this process, within 2 s in others. `exists` takes the URL for
   * operational events for one, with the id `operational`.
   */
  readonly endpoints: Omit<EndpointStore, 'listAll'>;
  isEmpty(): Promise<boolean>;
}

interface TenantsDeps {
  models: TenantModels;
  box: Box;
  transaction: RunTransaction;
  /** Default: both. */
  environments?: readonly Environment[];
  /** Judges the age of rates. Default: the clock of the machine. */
  clock?: () => Date;
}

/** The partners, and the routes and rates configured for them all (decisions, section 1, `SEED_FILE`). */
export function createTenants(deps: TenantsDeps): Tenants {
  const { environments = ENVIRONMENTS } = deps;
  const endpoints = createEndpointStore(deps);
  const tenants = new LRUCache<AccountId, Tenant>({
    ...FRESH,
    fetchMethod: (accountId) => readTenant(deps, endpoints, accountId),
  });
  // A tenant is read again after each change. Otherwise a read that is under way would be cached.
  const changed = async <T>(accountId: AccountId, change: Promise<T>): Promise<T> => {
    const answer = await change;
    tenants.delete(accountId);
    return answer;
  };
  const withEndpoints = async (tenant: Tenant) => ({
    ...tenant,
    webhookEndpoints: await endpoints.list(tenant.accountId),
  });
  const revealed = (document: TenantDocument) => reveal(deps.box, document);
  const answer = async (accountId: AccountId, change: Promise<Result<TenantDocument> | undefined>) => {
    const done = await changed(accountId, change);
    return done?.ok ? succeed(await withEndpoints(revealed(done.value))) : done;
  };
  return {
    environments,
    find: (accountId) => tenants.fetch(accountId),
    findStored: (accountId, unit) => readTenant(deps, endpoints, accountId, unit),
    rateLimitsOf: (accountId) => {
      const known = tenants.get(accountId);
      return known
        ? known.rateLimits
        : tenants.fetch(accountId).then((tenant?: Tenant) => tenant?.rateLimits);
    },
    list: async () => {
      const [found, all] = await Promise.all([
        deps.models.tenants.find().sort({ _id: 1 }).lean(),
        endpoints.listAll(),
      ]);
      return found.map((one) => ({ ...reveal(deps.box, one), webhookEndpoints: all.get(one._id) ?? [] }));
    },
    listWithOperationalEvents: () => listWithOperationalEvents(deps.models, environments),
    isEmpty: async () => (await deps.models.tenants.findOne().select({ _id: 1 }).lean()) === null,
    upsert: async (input) =>
      withEndpoints(await changed(input.accountId, writeTenant(deps, input).then(revealed))),
    seed: async (input, alongside) =>
      withEndpoints(await changed(input.accountId, seedTenant(deps, input, alongside).then(revealed))),
    changeWebhooks: (accountId, ...args) => answer(accountId, changeWebhooks(deps, accountId, ...args)),
    rotateWebhookSecret: (accountId, ...args) => answer(accountId, rotateSecret(deps, accountId, ...args)),
    changeOperationalEvents: (accountId, ...args) =>
      answer(accountId, changeOperationalEvents(deps, accountId, ...args)),
    endpoints: {
      list: endpoints.list,
      hold: endpoints.hold,
      exists: (accountId, id) =>
        id === OPERATIONAL ? hasOperationalUrl(deps, accountId) : endpoints.exists(accountId, id),
      add: (accountId, ...args) => changed(accountId, endpoints.add(accountId, ...args)),
      change: (accountId, ...args) => changed(accountId, endpoints.change(accountId, ...args)),
      rotate: (accountId, ...args) => changed(accountId, endpoints.rotate(accountId, ...args)),
      remove: (accountId, ...args) => changed(accountId, endpoints.remove(accountId, ...args)),
    },
    ...createCorridors(deps),
  };
}

async function readTenant(
  { models, box }: TenantsDeps,
  endpoints: EndpointStore,
  accountId: AccountId,
  unit?: UnitOfWork,
): Promise<Tenant | undefined> {
  const query = models.tenants.findById(accountId);
  // A transaction begins with its first command: the second one waits for it.
  const [found, webhookEndpoints] = unit
    ? [await query.session(unit.session).lean(), await endpoints.list(accountId, unit)]
    : await Promise.all([query.lean(), endpoints.list(accountId)]);
  return found ? { ...reveal(box, found), webhookEndpoints } : undefined;
}

async function writeTenant({ models, box }: TenantsDeps, input: TenantInput): Promise<TenantDocument> {
  const _id = input.accountId;
  const before = await models.tenants.findById(_id).select({ createdAt: 1, webhookEventVersion: 1 }).lean();
  const document = toDocument(box, input, before);
  await retryOnConflict(() =>
    models.tenants.replaceOne({ _id }, document, { upsert: true, timestamps: false }).exec(),
  );
  return document;
}

/** In a transaction with what it reads: a change by the partner at the same time makes this run again and see it. */
function seedTenant(
  { models, box, transaction }: TenantsDeps,
  input: TenantInput,
  alongside?: Alongside,
): Promise<TenantDocument> {
  const _id = input.accountId;
  const seed = async (unit: UnitOfWork) => {
    const before = await models.tenants.findById(_id).session(unit.session).lean();
    const document = { ...toDocument(box, input, before), ...(before ? ownOf(before, input) : {}) };
    if (before) {
      unit.update(models.tenants, { filter: { _id }, update: toReplacement(before, document) });
    } else {
      unit.insert(models.tenants, [withoutUndefined(document)]);
    }
    if (before && document.webhookUrl !== before.webhookUrl) {
      alongside?.(unit);
    }
    return document;
  };
  return retryOnConflict(() => transaction(seed, queueKey(_id)));
}

/** The change that makes one document of another one with the same id. */
function toReplacement(before: TenantDocument, after: TenantDocument): UpdateQuery<TenantDocument> {
  const { _id, ...set } = withoutUndefined(after);
  const gone = Object.keys(before).filter((name) => name !== '_id' && !Object.hasOwn(set, name));
  return {
    $set: set,
    ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, 1])) }),
  };
}
