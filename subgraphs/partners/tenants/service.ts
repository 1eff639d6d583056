import { LRUCache } from 'lru-cache';
import {
  type AccountId,
  ENVIRONMENTS,
  type Environment,
  environmentOf,
  tenantOf,
} from '../../kernel/account.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { type RunTransaction, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { Alongside } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { type Corridors, createCorridors } from './corridors.ts';
import type { WebhookEndpoint } from './endpoint-record.ts';
import { createEndpointStore, type EndpointStore, type SecretRotation } from './endpoint-store.ts';
import { type FormerSecret, openFormerSecrets } from './former-secrets.ts';
import { FRESH } from './fresh.ts';
import type { TenantDocument, TenantModels } from './model.ts';
import {
  changeOperationalEvents,
  type OperationalEventsConfig,
  openOperationalEvents,
  sealOperationalEvents,
} from './operational-events.ts';
import type { RateLimits } from './rate-limits.ts';
import { secretContext } from './secret-context.ts';
import { openSignIn, type SignIn, sealSignIn } from './sign-in.ts';
import { headersAfter, openHeaders, type StaticHeader } from './static-headers.ts';
import { changeWebhooks, rotateSecret, type WebhookChange } from './webhook-changes.ts';
import type { WebhookOrdering } from './webhook-ordering.ts';

export type { Corridor, FxRate, Route } from './corridors.ts';
export type { WebhookChange } from './webhook-changes.ts';

/** A partner in one environment, with readable secrets. */
export type Tenant = Omit<
  TenantDocument,
  | '_id'
  | 'webhookSecret'
  | 'webhookFormerSecrets'
  | 'webhookHeaders'
  | 'sharedSecret'
  | 'signIn'
  | 'operationalEvents'
  | 'endpointChanges'
> & {
  accountId: AccountId;
  webhookSecret?: string;
  /** Replaced secrets, newest first; expired ones sign nothing. Absent: none. */
  webhookFormerSecrets?: readonly FormerSecret[];
  /** The partner's own headers for `webhookUrl`. Absent: none. */
  webhookHeaders?: readonly StaticHeader[];
  sharedSecret?: string;
  /** How its people sign in to the console with their company's accounts. Absent: they do not. */
  signIn?: SignIn;
  /** The receivers of its operational events. Absent: none. */
  operationalEvents?: OperationalEventsConfig;
  /** Receivers besides `webhookUrl`, oldest first. Absent: none. */
  webhookEndpoints?: readonly WebhookEndpoint[];
};

/**
 * The stored values of a partner in one environment, without the times, which the database keeps, and without values that only the partner
 * changes.
 */
export type TenantInput = Omit<
  Tenant,
  | 'tenantId'
  | 'environment'
  | 'createdAt'
  | 'updatedAt'
  | 'webhookFormerSecrets'
  | 'webhookSignatureScheme'
  | 'webhookHeaders'
  | 'webhookEndpoints'
  | 'operationalEventsConfiguredAt'
>;

export interface Tenants extends Corridors {
  /** The environments that the deployment serves. */
  readonly environments: readonly Environment[];
  /** The partner in an environment, at most 2 s old; undefined when there is none. */
  find(accountId: AccountId): Promise<Tenant | undefined>;
  /**
   * The partner's own limits of calls, at most 2 s old; undefined without any. Returns no promise for a partner that was read
   * a moment ago, as nearly every call's is.
   */
  rateLimitsOf(accountId: AccountId): RateLimits | undefined | Promise<RateLimits | undefined>;
  /** All partners, each in both environments. */
  list(): Promise<Tenant[]>;
  /** Creates the tenant or sets it to exactly `input`. */
  upsert(input: TenantInput): Promise<Tenant>;
  /**
   * Creates the tenant or sets it to `input`, except for values that the partner has changed by {@link changeWebhooks}: they
   * stay.
   */
  seed(input: TenantInput): Promise<Tenant>;
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
   * Replaces the receivers of operational events, in force as with {@link changeWebhooks}. Undefined when there is no such tenant.
   */
  changeOperationalEvents(accountId: AccountId, config: OperationalEventsConfig): Promise<Tenant | undefined>;
  /** Receivers besides `webhookUrl`. Changes are in force at once in this process, within 2 s in others. */
  readonly endpoints: Omit<EndpointStore, 'listAll'>;
  isEmpty(): Promise<boolean>;
}

interface TenantsDeps {
  models: TenantModels;
  box: Box;
  transaction: RunTransaction;
  /** Default: both. */
  environments?: readonly Environment[];
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
  return {
    environments,
    find: (accountId) => tenants.fetch(accountId),
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
    isEmpty: async () => (await deps.models.tenants.findOne().select({ _id: 1 }).lean()) === null,
    upsert: async (input) =>
      withEndpoints(await changed(input.accountId, writeTenant(deps, input).then(revealed))),
    seed: async (input) =>
      withEndpoints(await changed(input.accountId, seedTenant(deps, input).then(revealed))),
    changeWebhooks: async (accountId, ...args) => {
      const tenant = await changed(accountId, changeWebhooks(deps, accountId, ...args));
      return tenant?.ok ? succeed(await withEndpoints(revealed(tenant.value))) : tenant;
    },
    rotateWebhookSecret: async (accountId, ...args) => {
      const rotated = await changed(accountId, rotateSecret(deps, accountId, ...args));
      return rotated?.ok ? succeed(await withEndpoints(revealed(rotated.value))) : rotated;
    },
    changeOperationalEvents: async (accountId, config) => {
      const tenant = await changed(accountId, changeOperationalEvents(deps, accountId, config));
      return tenant ? withEndpoints(revealed(tenant)) : undefined;
    },
    endpoints: {
      list: endpoints.list,
      exists: endpoints.exists,
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
): Promise<Tenant | undefined> {
  const [found, webhookEndpoints] = await Promise.all([
    models.tenants.findById(accountId).lean(),
    endpoints.list(accountId),
  ]);
  return found ? { ...reveal(box, found), webhookEndpoints } : undefined;
}

async function writeTenant({ models, box }: TenantsDeps, input: TenantInput): Promise<TenantDocument> {
  const _id = input.accountId;
  const before = await models.tenants.findById(_id).select({ createdAt: 1 }).lean();
  const document = toDocument(box, input, before?.createdAt);
  await retryOnConflict(() =>
    models.tenants.replaceOne({ _id }, document, { upsert: true, timestamps: false }).exec(),
  );
  return document;
}

/** Conditional on the partner's own changes: a change at the same time makes this run again and see it. */
function seedTenant({ models, box }: TenantsDeps, input: TenantInput): Promise<TenantDocument> {
  const _id = input.accountId;
  return retryOnConflict(async () => {
    const before = await models.tenants.findById(_id).lean();
    const document = {
      ...toDocument(box, input, before?.createdAt),
      ...(before ? ownOf(before, input) : {}),
    };
    const unchanged = {
      webhookSecretRegeneratedAt: before?.webhookSecretRegeneratedAt ?? { $exists: false },
      webhookConfiguredAt: before?.webhookConfiguredAt ?? { $exists: false },
      endpointChanges: before?.endpointChanges ?? { $exists: false },
      operationalEventsConfiguredAt: before?.operationalEventsConfiguredAt ?? { $exists: false },
    };
    await models.tenants
      .replaceOne({ _id, ...unchanged }, document, { upsert: true, timestamps: false })
      .exec();
    return document;
  });
}

/** The values that the partner has changed itself. */
function ownOf(stored: TenantDocument, seeded: Pick<TenantInput, 'webhookUrl'>): Partial<TenantDocument> {
  const { webhookSecret, webhookFormerSecrets, webhookSecretRegeneratedAt } = stored;
  const { webhookUrl, webhookEvents, webhookOrdering, webhookConfiguredAt } = stored;
  const { webhookSignatureScheme, webhookHeaders, endpointChanges } = stored;
  const { operationalEvents, operationalEventsConfiguredAt } = stored;
  const to = (webhookConfiguredAt ? stored : seeded).webhookUrl ?? null;
  const isMoved = headersAfter({ from: webhookUrl, to, headers: undefined }) !== undefined;
  return {
    ...(endpointChanges !== undefined && { endpointChanges }),
    ...(webhookSignatureScheme && { webhookSignatureScheme }),
    ...(webhookHeaders && !isMoved && { webhookHeaders: toBuffer(webhookHeaders) }),
    ...(webhookSecret && webhookSecretRegeneratedAt
      ? {
          webhookSecret: toBuffer(webhookSecret),
          ...(webhookFormerSecrets && { webhookFormerSecrets: toBuffer(webhookFormerSecrets) }),
          webhookSecretRegeneratedAt,
        }
      : {}),
    ...(operationalEventsConfiguredAt
      ? {
          ...(operationalEvents && { operationalEvents: toBuffer(operationalEvents) }),
          operationalEventsConfiguredAt,
        }
      : {}),
    ...(webhookConfiguredAt
      ? {
          // The casts: an undefined setting stays in the object, so that it takes away what the seed says.
          webhookUrl: webhookUrl as string,
          webhookEvents,
          webhookOrdering: webhookOrdering as WebhookOrdering,
          webhookConfiguredAt,
        }
      : {}),
  };
}

function toDocument(box: Box, input: TenantInput, createdAt: Date | undefined): TenantDocument {
  const { accountId, webhookSecret, sharedSecret, signIn, operationalEvents, ...plain } = input;
  const now = new Date();
  const document: TenantDocument = {
    ...plain,
    _id: accountId,
    tenantId: tenantOf(accountId),
    environment: environmentOf(accountId),
    createdAt: createdAt ?? now,
    updatedAt: now,
  };
  if (webhookSecret !== undefined) {
    document.webhookSecret = box.seal(webhookSecret, secretContext(accountId, 'webhookSecret'));
  }
  if (sharedSecret !== undefined) {
    document.sharedSecret = box.seal(sharedSecret, secretContext(accountId, 'sharedSecret'));
  }
  if (signIn !== undefined) {
    document.signIn = sealSignIn(box, signIn, secretContext(accountId, 'signIn'));
  }
  if (operationalEvents !== undefined) {
    const context = secretContext(accountId, 'operationalEvents');
    document.operationalEvents = sealOperationalEvents(box, operationalEvents, context);
  }
  return document;
}

function reveal(box: Box, document: TenantDocument): Tenant {
  const {
    _id: accountId,
    webhookSecret,
    webhookFormerSecrets,
    webhookHeaders,
    sharedSecret,
    signIn,
    operationalEvents,
    endpointChanges: _,
    ...plain
  } = document;
  const tenant: Tenant = { ...plain, accountId };
  if (webhookFormerSecrets) {
    const context = secretContext(accountId, 'webhookFormerSecrets');
    tenant.webhookFormerSecrets = openFormerSecrets(box, webhookFormerSecrets, context);
  }
  if (webhookHeaders) {
    const context = secretContext(accountId, 'webhookHeaders');
    tenant.webhookHeaders = openHeaders(box, webhookHeaders, context);
  }
  if (webhookSecret) {
    tenant.webhookSecret = openSecret(box, webhookSecret, secretContext(accountId, 'webhookSecret'));
  }
  if (signIn) {
    tenant.signIn = openSignIn(box, signIn, secretContext(accountId, 'signIn'));
  }
  if (operationalEvents) {
    const context = secretContext(accountId, 'operationalEvents');
    tenant.operationalEvents = openOperationalEvents(box, operationalEvents, context);
  }
  if (sharedSecret) {
    tenant.sharedSecret = openSecret(box, sharedSecret, secretContext(accountId, 'sharedSecret'));
  }
  return tenant;
}

function openSecret(box: Box, sealed: StoredBytes, context: string): string {
  return box.open(toBuffer(sealed), context).toString();
}
