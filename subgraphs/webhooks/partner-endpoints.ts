import type { AccountId } from '../kernel/account.ts';
import type { Alongside, UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../kernel/errors/result.ts';
import { FIRST } from '../partners/tenants/endpoint-store.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import type { StaticHeader } from '../partners/tenants/static-headers.ts';
import { NEWEST_EVENT_VERSION } from '../webhook-events/versions.ts';
import type { Deliveries } from './deliveries.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import { checkReceiver, issue, newWebhookSecret } from './endpoint-rules.ts';
import { type EndpointView, viewAll, viewEndpoint } from './endpoint-view.ts';
import type { Endpoints } from './endpoints.ts';
import { movePause } from './move-pause.ts';
import { type Receiver, receiverOf, urlsOf } from './receivers.ts';
import type { Waiting } from './waiting.ts';

/** The id of the documented pair of URL and secret among a partner's endpoints. */
export const FIRST_ENDPOINT = FIRST;

/** The health of an endpoint in the last hour, and the deliveries that wait for it. */
export interface EndpointReport extends Waiting {
  /** null: nothing was ever sent to it, and it was never paused. */
  readonly health: EndpointHealth | null;
}

/** The values that a partner sets for an endpoint. */
interface EndpointInput {
  readonly url?: string | null | undefined;
  /** null: all events; undefined: no change, or all events for a new endpoint. */
  readonly events?: readonly string[] | null | undefined;
  /** The version of the event catalogue. null or undefined: no change, or the newest one for a new endpoint. */
  readonly eventVersion?: number | null | undefined;
  /** null or empty: none; undefined: no change. */
  readonly description?: string | null | undefined;
  /** null: DOCUMENTED; undefined: no change, or DOCUMENTED for a new endpoint. */
  readonly signatureScheme?: SignatureScheme | null | undefined;
  /** null or empty: none; undefined: no change, or none for a new endpoint and for a URL of another origin. */
  readonly headers?: readonly StaticHeader[] | null | undefined;
}

interface NewEndpointInput extends EndpointInput {
  readonly url: string;
  /** Absent: a secret is generated. */
  readonly secret?: string | null | undefined;
}

/** An endpoint, and its secret when it was generated: nothing else ever shows it. */
interface EndpointWithSecret {
  readonly endpoint: EndpointView;
  readonly madeSecret: string | null;
}

interface RotationInput {
  readonly endpointId?: string | null | undefined;
  /** How long the replaced secret signs beside the new one, 0 to 168; 0 when absent: not at all. */
  readonly overlapHours?: number | null | undefined;
}

interface RotatedSecret {
  readonly secret: string;
  /** null: the replaced secret signs nothing that is stored from now on. */
  readonly formerUntil: Date | null;
}

/**
 * A partner's receivers: the documented pair first, and up to ten more with filters of their own. They are read from the
 * database. For new deliveries, changes are in force at once in this process, within 2 s in others; deliveries that are stored already keep URL and secret.
 */
export interface PartnerEndpoints {
  /** Lists the endpoints; the first one only if it has a URL. */
  list(accountId: AccountId): Promise<EndpointView[]>;
  /** Failures: WEBHOOK_ENDPOINT_NOT_FOUND, also for the first one without a URL. */
  find(accountId: AccountId, id: string): Promise<Result<EndpointView>>;
  /** The present target of the endpoint's webhooks. Failures: WEBHOOK_ENDPOINT_NOT_FOUND. */
  receiver(accountId: AccountId, id: string): Promise<Result<Receiver>>;
  /** Failures: INVALID_REQUEST for each issue, WEBHOOK_ENDPOINT_EXISTS, WEBHOOK_ENDPOINT_LIMIT. */
  create(
    accountId: AccountId,
    input: NewEndpointInput,
    alongside?: Alongside,
  ): Promise<Result<EndpointWithSecret>>;
  /** Changes a further endpoint. Failures: INVALID_REQUEST, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_EXISTS. */
  update(
    accountId: AccountId,
    id: string,
    input: EndpointInput,
    alongside?: Alongside,
  ): Promise<Result<EndpointView>>;
  /**
   * Removes a further endpoint. Nothing more is sent to it, and each webhook that waits for it is dead-lettered when its next
   * attempt is due.
   * Failures: INVALID_REQUEST, WEBHOOK_ENDPOINT_NOT_FOUND.
   */
  remove(accountId: AccountId, id: string, alongside?: Alongside): Promise<Result<EndpointView>>;
  /** Failures: INVALID_REQUEST, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_SECRETS_LIMIT. */
  rotateSecret(
    accountId: AccountId,
    input: RotationInput,
    alongside?: Alongside,
  ): Promise<Result<RotatedSecret>>;
  /** Reports on endpoints of the account, in their order. */
  report(accountId: AccountId, endpoints: readonly EndpointView[]): Promise<EndpointReport[]>;
  /** Holds deliveries, in all processes within 2 s; nothing is lost. Failures: WEBHOOK_ENDPOINT_NOT_FOUND. */
  pause(accountId: AccountId, id: string): Promise<Result<EndpointView>>;
  /** Sends held deliveries, longest due first. Failures: WEBHOOK_ENDPOINT_NOT_FOUND. */
  resume(accountId: AccountId, id: string): Promise<Result<EndpointView>>;
  /** Moves the pause of an endpoint in the transaction that changes its URL, before its writes are sent: see {@link movePause}. */
  move(accountId: AccountId, id: string, to: string | null, unit: UnitOfWork): void;
}

interface EndpointsDeps {
  tenants: Pick<Tenants, 'findStored' | 'endpoints' | 'rotateWebhookSecret'>;
  endpoints: Endpoints;
  deliveries: Pick<Deliveries, 'waiting'>;
  clock: () => Date;
}

const NAMES = {
  url: 'url',
  secret: 'secret',
  events: 'events',
  eventVersion: 'eventVersion',
  description: 'description',
  headers: 'headers',
} as const;
const LONGEST_OVERLAP_HOURS = 168;
const HOUR_MS = 3_600_000;

export function createPartnerEndpoints(deps: EndpointsDeps): PartnerEndpoints {
  const { tenants, endpoints, deliveries, clock } = deps;
  const list = async (accountId: AccountId) => {
    const tenant = await tenants.findStored(accountId);
    return tenant ? viewAll(endpoints, tenant, clock()) : [];
  };
  const find = async (accountId: AccountId, id: string) =>
    foundOr((await list(accountId)).find((endpoint) => endpoint.id === id));
  // A change of the URL at the same time comes before or after it: no pause stays at a URL that the endpoint has left.
  const hold = (accountId: AccountId, id: string, how: 'pause' | 'resume') =>
    tenants.endpoints.hold(accountId, async (unit) => {
      const tenant = await tenants.findStored(accountId, unit);
      const views = tenant ? viewAll(endpoints, tenant, clock()) : [];
      const found = foundOr(views.find((endpoint) => endpoint.id === id));
      if (found.ok) {
        await endpoints[how](accountId, found.value.endpoint, unit);
      }
      return found;
    });
  return {
    list,
    find,
    receiver: async (accountId, id) => {
      const tenant = await tenants.findStored(accountId);
      return foundOr(tenant && receiverOf(tenant, id));
    },
    create: (...args) => create(deps, ...args),
    update: (...args) => update(deps, ...args),
    remove: async (accountId, id, alongside) => {
      if (id === FIRST_ENDPOINT) {
        return firstIsConfigured();
      }
      const removed = await tenants.endpoints.remove(accountId, id, (unit) => {
        unit.beforeEnd(() => forget(deps, accountId, id, unit));
        alongside?.(unit);
      });
      return removed.ok ? succeed(viewEndpoint(endpoints, accountId, removed.value, clock())) : removed;
    },
    rotateSecret: (...args) => rotateSecret(deps, ...args),
    report: async (accountId, views) => {
      const names = views.map(({ endpoint }) => endpoint);
      const [health, waiting] = await Promise.all([
        endpoints.health(accountId, names),
        Promise.all(names.map((name) => deliveries.waiting(accountId, name))),
      ]);
      return waiting.map((one, index) => ({
        ...one,
        health: health.find(({ endpoint }) => endpoint === names[index]) ?? null,
      }));
    },
    pause: (accountId, id) => hold(accountId, id, 'pause'),
    resume: (accountId, id) => hold(accountId, id, 'resume'),
    move: (...args) => movePause(deps, ...args),
  };
}

function foundOr<T>(found: T | undefined): Result<T> {
  return found === undefined ? fail('WEBHOOK_ENDPOINT_NOT_FOUND') : succeed(found);
}

/** Removes the state of an endpoint's URL in the transaction that removes the endpoint, unless another endpoint has it. */
async function forget(
  { tenants, endpoints }: EndpointsDeps,
  accountId: AccountId,
  id: string,
  unit: UnitOfWork,
): Promise<void> {
  const tenant = await tenants.findStored(accountId, unit);
  const known = tenant?.webhookEndpoints?.find((one) => one.id === id);
  if (tenant && known && urlsOf(tenant).filter((url) => url === known.url).length === 1) {
    endpoints.forget(accountId, known.endpoint, unit);
  }
}

function firstIsConfigured(): Result<never> {
  return fail('INVALID_REQUEST', 'The first endpoint is changed by updateWebhookConfig.', ['id']);
}

async function create(
  { tenants, endpoints, clock }: EndpointsDeps,
  accountId: AccountId,
  input: NewEndpointInput,
  alongside?: Alongside,
): Promise<Result<EndpointWithSecret>> {
  const { url, failures } = checkReceiver(input, NAMES);
  if (url == null || failures.length > 0) {
    return { ok: false, failures };
  }
  const { events, eventVersion, description, signatureScheme, headers } = input;
  const endpoint = endpoints.identify(accountId, url);
  const secret = input.secret ?? newWebhookSecret();
  const madeSecret = input.secret == null ? secret : null;
  const createdAt = clock();
  const made = {
    endpoint,
    url,
    secret,
    createdAt,
    ...(events == null ? {} : { events: [...new Set(events)] }),
    eventVersion: eventVersion ?? NEWEST_EVENT_VERSION,
    ...(description ? { description } : {}),
    ...(signatureScheme ? { signatureScheme } : {}),
    ...(headers ? { headers } : {}),
  };
  const added = await tenants.endpoints.add(accountId, made, alongside);
  if (!added.ok) {
    return added;
  }
  return succeed({ endpoint: viewEndpoint(endpoints, accountId, added.value, createdAt), madeSecret });
}

async function update(
  deps: EndpointsDeps,
  accountId: AccountId,
  id: string,
  input: EndpointInput,
  alongside?: Alongside,
): Promise<Result<EndpointView>> {
  if (id === FIRST_ENDPOINT) {
    return firstIsConfigured();
  }
  const { url, failures } = checkReceiver(input, NAMES);
  const issues = [
    ...failures,
    ...(url === null
      ? [issue('url', 'must be an HTTPS URL; deleteWebhookEndpoint deletes the endpoint')]
      : []),
  ];
  if (issues.length > 0) {
    return { ok: false, failures: issues };
  }
  const { events, eventVersion, description, signatureScheme, headers } = input;
  const { tenants, endpoints, clock } = deps;
  const change = {
    ...(url == null ? {} : { url: { url, endpoint: endpoints.identify(accountId, url) } }),
    ...(events === undefined ? {} : { events: events && [...new Set(events)] }),
    ...(eventVersion == null ? {} : { eventVersion }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(signatureScheme === undefined ? {} : { signatureScheme: signatureScheme ?? ('DOCUMENTED' as const) }),
    ...(headers === undefined ? {} : { headers: headers ?? [] }),
  };
  const changed = await tenants.endpoints.change(accountId, id, change, (unit) => {
    if (url != null) {
      movePause(deps, accountId, id, url, unit);
    }
    alongside?.(unit);
  });
  return changed.ok ? succeed(viewEndpoint(endpoints, accountId, changed.value, clock())) : changed;
}

async function rotateSecret(
  { tenants, clock }: EndpointsDeps,
  accountId: AccountId,
  { endpointId, overlapHours }: RotationInput,
  alongside?: Alongside,
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
      ? await tenants.rotateWebhookSecret(accountId, rotation, alongside)
      : await tenants.endpoints.rotate(accountId, id, rotation, alongside);
  if (!rotated) {
    throw new TypeError(`There is no tenant ${accountId}`);
  }
  return rotated.ok ? succeed({ secret: rotation.secret, formerUntil: until }) : rotated;
}
