import type { BlindIndex } from '../crypto/blind-index.ts';
import { fail, type Result, succeed } from '../errors/result.ts';
import type { WebhookEndpoint } from '../tenants/endpoint-store.ts';
import { type FormerSecret, stillValid } from '../tenants/former-secrets.ts';
import type { Tenant, Tenants } from '../tenants/service.ts';
import { findReceiverIssues, issue, newWebhookSecret, previewSecret } from './endpoint-rules.ts';
import { identifyEndpoint } from './queue.ts';
import { firstReceiver, type Receiver, toReceiver } from './receivers.ts';

/** What the documented pair of URL and secret is known by among a partner's endpoints. */
export const FIRST_ENDPOINT = 'first';

/** A receiver as partner and operator see it. */
export interface EndpointView {
  /** `first`, or `we_` and 20 characters. */
  readonly id: string;
  /** Keyed digest of tenant and URL: what deliveries and the endpoint's state are known by. */
  readonly endpoint: string;
  readonly url: string;
  /** null: it has no secret, and its webhooks are not signed. */
  readonly secretPreview: string | null;
  /** Until when replaced secrets sign beside the new one, latest rotation first. */
  readonly formerSecretsUntil: readonly Date[];
  /** null: all events. */
  readonly events: readonly string[] | null;
  readonly createdAt: Date;
}

/** What a partner says of an endpoint. */
export interface EndpointInput {
  readonly url?: string | null | undefined;
  /** null: all events; undefined: as it is, of a new one all. */
  readonly events?: readonly string[] | null | undefined;
}

export interface NewEndpointInput extends EndpointInput {
  readonly url: string;
  /** Absent: one is made. */
  readonly secret?: string | null | undefined;
}

/** An endpoint, and its secret where one was made: it is shown nowhere else. */
export interface EndpointWithSecret {
  readonly endpoint: EndpointView;
  readonly madeSecret: string | null;
}

export interface RotationInput {
  readonly endpointId?: string | null | undefined;
  /** How long the replaced secret signs beside the new one, 0 to 168; 0 when absent: not at all. */
  readonly overlapHours?: number | null | undefined;
}

/** What a rotation has made. */
export interface RotatedSecret {
  readonly secret: string;
  /** null: the replaced secret signs nothing that is stored from now on. */
  readonly formerUntil: Date | null;
}

/**
 * A partner's receivers: the documented pair first, and up to ten more with filters of their own. Changes are in force at
 * once in this process, within 2 s in others; deliveries that are stored already keep URL and secret.
 */
export interface PartnerEndpoints {
  /** The first one only if it has a URL. */
  list(tenantId: string): Promise<EndpointView[]>;
  /** Failures: WEBHOOK_ENDPOINT_NOT_FOUND, also for the first one without a URL. */
  find(tenantId: string, id: string): Promise<Result<EndpointView>>;
  /** Where a webhook of the endpoint goes now. Failures: WEBHOOK_ENDPOINT_NOT_FOUND. */
  receiver(tenantId: string, id: string): Promise<Result<Receiver>>;
  /** Failures: INVALID_REQUEST for each issue, WEBHOOK_ENDPOINT_EXISTS, WEBHOOK_ENDPOINT_LIMIT. */
  create(tenantId: string, input: NewEndpointInput): Promise<Result<EndpointWithSecret>>;
  /** Of a further endpoint. Failures: INVALID_REQUEST, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_EXISTS. */
  update(tenantId: string, id: string, input: EndpointInput): Promise<Result<EndpointView>>;
  /** Of a further endpoint; what is stored for it is still sent. Failures: INVALID_REQUEST, WEBHOOK_ENDPOINT_NOT_FOUND. */
  remove(tenantId: string, id: string): Promise<Result<EndpointView>>;
  /** Failures: INVALID_REQUEST, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_SECRETS_LIMIT. */
  rotateSecret(tenantId: string, input: RotationInput): Promise<Result<RotatedSecret>>;
}

interface EndpointsDeps {
  tenants: Pick<Tenants, 'find' | 'endpoints' | 'rotateWebhookSecret'>;
  blindIndex: BlindIndex;
  clock: () => Date;
}

const NAMES = { url: 'url', secret: 'secret', events: 'events' } as const;
const LONGEST_OVERLAP_HOURS = 168;
const HOUR_MS = 3_600_000;

export function createPartnerEndpoints(deps: EndpointsDeps): PartnerEndpoints {
  const { tenants, clock } = deps;
  const list = async (tenantId: string) => {
    const tenant = await tenants.find(tenantId);
    return tenant ? viewAll(deps, tenant) : [];
  };
  return {
    list,
    find: async (tenantId, id) => foundOr((await list(tenantId)).find((endpoint) => endpoint.id === id)),
    receiver: async (tenantId, id) => {
      const tenant = await tenants.find(tenantId);
      return foundOr(tenant && receiverOf(tenant, id));
    },
    create: (tenantId, input) => create(deps, tenantId, input),
    update: (tenantId, id, input) => update(deps, tenantId, id, input),
    remove: async (tenantId, id) => {
      if (id === FIRST_ENDPOINT) {
        return firstIsConfigured();
      }
      const removed = await tenants.endpoints.remove(tenantId, id);
      return removed.ok ? succeed(viewFurther(removed.value, clock())) : removed;
    },
    rotateSecret: (tenantId, input) => rotateSecret(deps, tenantId, input),
  };
}

function foundOr<T>(found: T | undefined): Result<T> {
  return found === undefined ? fail('WEBHOOK_ENDPOINT_NOT_FOUND') : succeed(found);
}

function firstIsConfigured(): Result<never> {
  return fail('INVALID_REQUEST', 'The first endpoint is changed by updateWebhookConfig.', ['id']);
}

function receiverOf(tenant: Tenant, id: string): Receiver | undefined {
  if (id === FIRST_ENDPOINT) {
    return firstReceiver(tenant);
  }
  const found = tenant.webhookEndpoints?.find((endpoint) => endpoint.id === id);
  return found && toReceiver(found);
}

async function create(
  { tenants, blindIndex, clock }: EndpointsDeps,
  tenantId: string,
  input: NewEndpointInput,
): Promise<Result<EndpointWithSecret>> {
  const issues = findReceiverIssues(input, NAMES);
  if (issues.length > 0) {
    return { ok: false, failures: issues };
  }
  const { url, events } = input;
  const endpoint = identifyEndpoint(blindIndex, tenantId, url);
  if ((await tenants.find(tenantId))?.webhookUrl === url) {
    return fail('WEBHOOK_ENDPOINT_EXISTS');
  }
  const secret = input.secret ?? newWebhookSecret();
  const madeSecret = input.secret == null ? secret : null;
  const createdAt = clock();
  const added = await tenants.endpoints.add(tenantId, {
    endpoint,
    url,
    secret,
    createdAt,
    ...(events == null ? {} : { events: [...new Set(events)] }),
  });
  return added.ok ? succeed({ endpoint: viewFurther(added.value, createdAt), madeSecret }) : added;
}

async function update(
  { tenants, blindIndex, clock }: EndpointsDeps,
  tenantId: string,
  id: string,
  input: EndpointInput,
): Promise<Result<EndpointView>> {
  if (id === FIRST_ENDPOINT) {
    return firstIsConfigured();
  }
  const { url, events } = input;
  const issues = [
    ...findReceiverIssues(input, NAMES),
    ...(url === null
      ? [issue('url', 'must be an HTTPS URL; deleteWebhookEndpoint takes the endpoint away')]
      : []),
  ];
  if (issues.length > 0) {
    return { ok: false, failures: issues };
  }
  const changed = await tenants.endpoints.change(tenantId, id, {
    ...(url == null ? {} : { url: { url, endpoint: identifyEndpoint(blindIndex, tenantId, url) } }),
    ...(events === undefined ? {} : { events: events && [...new Set(events)] }),
  });
  return changed.ok ? succeed(viewFurther(changed.value, clock())) : changed;
}

async function rotateSecret(
  { tenants, clock }: EndpointsDeps,
  tenantId: string,
  { endpointId, overlapHours }: RotationInput,
): Promise<Result<RotatedSecret>> {
  const id = endpointId ?? FIRST_ENDPOINT;
  const hours = overlapHours ?? 0;
  if (!(hours >= 0 && hours <= LONGEST_OVERLAP_HOURS)) {
    const failure = issue('overlapHours', `must be 0 to ${LONGEST_OVERLAP_HOURS}`);
    return { ok: false, failures: [failure] };
  }
  const now = clock();
  const until = hours === 0 ? null : new Date(now.getTime() + hours * HOUR_MS);
  const rotation = { secret: newWebhookSecret(), until, now };
  const rotated =
    id === FIRST_ENDPOINT
      ? await tenants.rotateWebhookSecret(tenantId, rotation)
      : await tenants.endpoints.rotate(tenantId, id, rotation);
  if (!rotated) {
    throw new TypeError(`There is no tenant ${tenantId}`);
  }
  return rotated.ok ? succeed({ secret: rotation.secret, formerUntil: until }) : rotated;
}

function viewAll({ blindIndex, clock }: EndpointsDeps, tenant: Tenant): EndpointView[] {
  const now = clock();
  const { tenantId, webhookUrl: url, webhookSecret, webhookFormerSecrets = [] } = tenant;
  const further = (tenant.webhookEndpoints ?? []).map((endpoint) => viewFurther(endpoint, now));
  if (!url) {
    return further;
  }
  const first = {
    id: FIRST_ENDPOINT,
    endpoint: identifyEndpoint(blindIndex, tenantId, url),
    url,
    secretPreview: webhookSecret ? previewSecret(webhookSecret) : null,
    formerSecretsUntil: endsOf(webhookFormerSecrets, now),
    events: tenant.webhookEvents,
    createdAt: tenant.createdAt,
  };
  return [first, ...further];
}

function viewFurther(stored: WebhookEndpoint, now: Date): EndpointView {
  const { id, endpoint, url, secret, formerSecrets, events = null, createdAt } = stored;
  return {
    id,
    endpoint,
    url,
    secretPreview: previewSecret(secret),
    formerSecretsUntil: endsOf(formerSecrets, now),
    events,
    createdAt,
  };
}

function endsOf(former: readonly FormerSecret[], now: Date): Date[] {
  return stillValid(former, now).map(({ until }) => until);
}
