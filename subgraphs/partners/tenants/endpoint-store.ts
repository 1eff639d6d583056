import type { UpdateQuery } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { newId } from '../../kernel/database/ids.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import type { Alongside, UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { WebhookEndpointDocument } from './endpoint-model.ts';
import {
  contextOf,
  type NewWebhookEndpoint,
  reveal,
  toDocument,
  type WebhookEndpoint,
} from './endpoint-record.ts';
import { type FormerSecret, retireSecret, sealFormerSecrets } from './former-secrets.ts';
import type { TenantDocument, TenantModels } from './model.ts';
import { requireSigning, type SignatureScheme } from './signature-scheme.ts';
import { headersAfter, type StaticHeader, sealHeaders } from './static-headers.ts';

/** Changes of an endpoint. Absent values stay as they are. */
interface WebhookEndpointChange {
  readonly url?: { readonly url: string; readonly endpoint: string };
  /** null: all events. */
  readonly events?: readonly string[] | null;
  readonly eventVersion?: number;
  /** null: none. */
  readonly description?: string | null;
  readonly signatureScheme?: SignatureScheme;
  /** Empty: none. Absent: no change, or none for a URL of another origin. */
  readonly headers?: readonly StaticHeader[];
}

/** A new secret, and how long the replaced one signs beside it; null: not at all. */
export interface SecretRotation {
  readonly secret: string;
  readonly until: Date | null;
  readonly now: Date;
}

/** The endpoints of one tenant each; an id of another tenant's is not found. */
export interface EndpointStore {
  list(accountId: AccountId, unit?: UnitOfWork): Promise<WebhookEndpoint[]>;
  listAll(): Promise<Map<string, WebhookEndpoint[]>>;
  /** Failures: INVALID_REQUEST for a secret that the scheme cannot sign with, WEBHOOK_ENDPOINT_EXISTS, WEBHOOK_ENDPOINT_LIMIT. */
  add(
    accountId: AccountId,
    endpoint: NewWebhookEndpoint,
    alongside?: Alongside,
  ): Promise<Result<WebhookEndpoint>>;
  /** Failures: as {@link add}, and WEBHOOK_ENDPOINT_NOT_FOUND. */
  change(
    accountId: AccountId,
    id: string,
    change: WebhookEndpointChange,
    alongside?: Alongside,
  ): Promise<Result<WebhookEndpoint>>;
  /** Failures: WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_SECRETS_LIMIT. */
  rotate(
    accountId: AccountId,
    id: string,
    rotation: SecretRotation,
    alongside?: Alongside,
  ): Promise<Result<WebhookEndpoint>>;
  /** Whether the further endpoint exists at this moment, also one that other processes have added or removed. */
  exists(accountId: AccountId, id: string): Promise<boolean>;
  /** Does work that writes for an endpoint's URL in a transaction that conflicts with every change of the account's URLs. */
  hold<T>(accountId: AccountId, work: (unit: UnitOfWork) => Promise<Result<T>>): Promise<Result<T>>;
  /** Returns the removed endpoint. Failures: WEBHOOK_ENDPOINT_NOT_FOUND. */
  remove(accountId: AccountId, id: string, alongside?: Alongside): Promise<Result<WebhookEndpoint>>;
}

/** Endpoints of a tenant besides the documented pair of URL and secret. */
const MOST_ENDPOINTS = 10;

interface StoreDeps {
  readonly models: Pick<TenantModels, 'tenants' | 'endpoints'>;
  readonly box: Box;
  readonly transaction: RunTransaction;
}

export function createEndpointStore(deps: StoreDeps): EndpointStore {
  const { box } = deps;
  const model = deps.models.endpoints;
  return {
    list: async (accountId, unit) => (await read(deps, accountId, unit)).map((found) => reveal(box, found)),
    listAll: async () => {
      const all = new Map<string, WebhookEndpoint[]>();
      for (const found of inOrder(await model.find().lean())) {
        all.set(found.accountId, [...(all.get(found.accountId) ?? []), reveal(box, found)]);
      }
      return all;
    },
    add: (...args) => add(deps, ...args),
    change: (...args) => changeOne(deps, ...args),
    rotate: (...args) => rotate(deps, ...args),
    exists: async (accountId, _id) =>
      (await model.findOne({ _id, accountId }).select({ _id: 1 }).lean()) !== null,
    hold: (accountId, work) =>
      deps.transaction(async (unit) => {
        const done = await work(unit);
        if (done.ok) {
          holdTenant(deps, unit, accountId);
        }
        return done;
      }, queueKey(accountId)),
    remove: (...args) => remove(deps, ...args),
  };
}

/** Oldest first; ten at most, so they are put in order here. */
async function read(
  { models }: StoreDeps,
  accountId: AccountId,
  unit?: UnitOfWork,
): Promise<WebhookEndpointDocument[]> {
  const found = models.endpoints.find({ accountId });
  return inOrder(await (unit ? found.session(unit.session) : found).lean());
}

function inOrder(found: readonly WebhookEndpointDocument[]): WebhookEndpointDocument[] {
  return [...found].sort(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.slot - other.slot,
  );
}

/** Stands for the endpoint of the documented pair where others have their ids. */
export const FIRST = 'first';

/** The id that deliveries to the partner's URL for operational events have in place of an endpoint's. */
export const OPERATIONAL = 'operational';

/** A tenant, its further endpoints, and which URLs its endpoints have. */
interface Urls {
  readonly tenant: TenantDocument | null;
  readonly further: readonly WebhookEndpointDocument[];
  /** Whether an endpoint, a new one without its id, can have the URL: no other endpoint has it. */
  isFree(url: string, id?: string): boolean;
}

/**
 * Reads the URLs for a change of one. The caller writes the tenant in the same transaction: of two changes at once, one then
 * sees what the other has made.
 */
export async function readUrls(
  { models, box }: Pick<StoreDeps, 'models' | 'box'>,
  { session }: Pick<UnitOfWork, 'session'>,
  accountId: AccountId,
): Promise<Urls> {
  const tenant = await models.tenants.findById(accountId).session(session).lean();
  const further = await models.endpoints.find({ accountId }).session(session).lean();
  return {
    tenant,
    further,
    isFree: (url, id) =>
      (id === FIRST || tenant?.webhookUrl !== url) &&
      !further.some((one) => one._id !== id && reveal(box, one).url === url),
  };
}

/** Makes a change of a tenant's endpoints, or of the pause of one, conflict with every other one. */
function holdTenant({ models }: StoreDeps, unit: Pick<UnitOfWork, 'update'>, accountId: AccountId): void {
  unit.update(models.tenants, {
    filter: { _id: accountId },
    update: { $inc: { endpointChanges: 1 } },
    otherwise: () => new TypeError(`There is no tenant ${accountId}`),
  });
}

function add(
  deps: StoreDeps,
  accountId: AccountId,
  made: NewWebhookEndpoint,
  alongside?: Alongside,
): Promise<Result<WebhookEndpoint>> {
  const { box, models, transaction } = deps;
  return transaction(async (unit) => {
    const signing = requireSigning(made, 'signatureScheme');
    if (!signing.ok) {
      return signing;
    }
    const { further, isFree } = await readUrls(deps, unit, accountId);
    if (!isFree(made.url)) {
      return fail('WEBHOOK_ENDPOINT_EXISTS');
    }
    const taken = new Set(further.map(({ slot }) => slot));
    const slot = Array.from({ length: MOST_ENDPOINTS }, (_, index) => index).find((one) => !taken.has(one));
    if (slot === undefined) {
      return fail('WEBHOOK_ENDPOINT_LIMIT');
    }
    const document = toDocument(box, { accountId, slot, _id: newId('we_') }, made);
    holdTenant(deps, unit, accountId);
    unit.insert(models.endpoints, [document]);
    alongside?.(unit);
    return succeed(reveal(box, document));
  }, queueKey(accountId));
}

function changeOne(
  deps: StoreDeps,
  accountId: AccountId,
  _id: string,
  change: WebhookEndpointChange,
  alongside?: Alongside,
): Promise<Result<WebhookEndpoint>> {
  const { box, models, transaction } = deps;
  return transaction(async (unit) => {
    const { further, isFree } = await readUrls(deps, unit, accountId);
    const before = further.find((one) => one._id === _id);
    if (!before) {
      return fail('WEBHOOK_ENDPOINT_NOT_FOUND');
    }
    if (change.url && !isFree(change.url.url, _id)) {
      return fail('WEBHOOK_ENDPOINT_EXISTS');
    }
    const { set, unset, after } = applyChange(box, before, change);
    const changed = reveal(box, after);
    const signing = requireSigning(changed, 'signatureScheme');
    if (!signing.ok) {
      return signing;
    }
    holdTenant(deps, unit, accountId);
    unit.update(models.endpoints, {
      filter: { _id, accountId },
      update: { $set: set, $unset: unset },
      otherwise: () => new Removed(),
    });
    alongside?.(unit);
    return succeed(changed);
  }, queueKey(accountId)).catch((error: unknown) => {
    if (error instanceof Removed) {
      return fail('WEBHOOK_ENDPOINT_NOT_FOUND');
    }
    throw error;
  });
}

/** The fields that a change sets and removes, and the endpoint after it. */
function applyChange(
  box: Box,
  before: WebhookEndpointDocument,
  { url, events, eventVersion, description, signatureScheme, ...change }: WebhookEndpointChange,
) {
  const { url: from } = reveal(box, before);
  const headers = headersAfter({ from, to: url?.url, headers: change.headers });
  const context = contextOf(before.accountId, before._id);
  const sealedHeaders = headers && sealHeaders(box, headers, context('headers'));
  const set: Partial<WebhookEndpointDocument> = {
    ...(url && { url: box.seal(url.url, context('url')), endpoint: url.endpoint }),
    ...(events ? { events: [...events] } : {}),
    ...(eventVersion === undefined ? {} : { eventVersion }),
    ...(description ? { description } : {}),
    ...(signatureScheme && { signatureScheme }),
    ...(sealedHeaders && { headers: sealedHeaders }),
  };
  const unset = {
    ...(events === null ? { events: 1 as const } : {}),
    ...(description === null ? { description: 1 as const } : {}),
    ...(headers?.length === 0 ? { headers: 1 as const } : {}),
  };
  const after = { ...before, ...set };
  if (events === null) {
    delete after.events;
  }
  if (description === null) {
    delete after.description;
  }
  if (headers?.length === 0) {
    delete after.headers;
  }
  return { set, unset, after };
}

/** Thrown within a transaction: the endpoint was removed meanwhile. */
class Removed extends Error {}

/** Changes of a tenant's endpoints are made one after the other. */
export function queueKey(accountId: AccountId): string {
  return `endpoints ${accountId}`;
}

/** Of two removals at once, one finds nothing. */
function remove(
  deps: StoreDeps,
  accountId: AccountId,
  _id: string,
  alongside?: Alongside,
): Promise<Result<WebhookEndpoint>> {
  const { box, models, transaction } = deps;
  return transaction(async (unit) => {
    const found = await models.endpoints.findOne({ _id, accountId }).session(unit.session).lean();
    if (!found) {
      return fail('WEBHOOK_ENDPOINT_NOT_FOUND');
    }
    holdTenant(deps, unit, accountId);
    unit.remove(models.endpoints, { _id, accountId });
    alongside?.(unit);
    return succeed(reveal(box, found));
  }, queueKey(accountId));
}

/** Of two rotations at once, the database lets one through. The other one runs again, and retires the secret that the first one made. */
function rotate(
  { box, models, transaction }: StoreDeps,
  accountId: AccountId,
  _id: string,
  { secret, until, now }: SecretRotation,
  alongside?: Alongside,
): Promise<Result<WebhookEndpoint>> {
  const context = contextOf(accountId, _id);
  return transaction(async (unit) => {
    const found = await models.endpoints.findOne({ _id, accountId }).session(unit.session).lean();
    if (!found) {
      return fail('WEBHOOK_ENDPOINT_NOT_FOUND');
    }
    const before = reveal(box, found);
    const retired = retireSecret({ secret: before.secret, former: before.formerSecrets, until, now });
    if (!retired.ok) {
      return retired;
    }
    unit.update(models.endpoints, {
      filter: { _id, accountId },
      update: secretUpdate(box, context, secret, retired.value),
      otherwise: () => new Error(`Endpoint ${_id} changed within the transaction that read it`),
    });
    alongside?.(unit);
    return succeed({ ...before, secret, formerSecrets: retired.value });
  }, queueKey(accountId));
}

function secretUpdate(
  box: Box,
  context: (field: string) => string,
  secret: string,
  former: readonly FormerSecret[],
): UpdateQuery<WebhookEndpointDocument> {
  const formerSecrets = sealFormerSecrets(box, former, context('formerSecrets'));
  return {
    $set: { secret: box.seal(secret, context('secret')), ...(formerSecrets && { formerSecrets }) },
    ...(formerSecrets ? {} : { $unset: { formerSecrets: 1 } }),
  };
}
