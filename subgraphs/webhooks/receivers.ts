import type { WebhookEndpoint } from '../partners/tenants/endpoint-record.ts';
import { FIRST, OPERATIONAL } from '../partners/tenants/endpoint-store.ts';
import type { FormerSecret } from '../partners/tenants/former-secrets.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import type { StaticHeader } from '../partners/tenants/static-headers.ts';
import type { DeliveryDocument } from './model.ts';

/** The settings of a tenant that decide who gets its events. */
export type Receivers = Pick<
  Tenant,
  | 'accountId'
  | 'webhookUrl'
  | 'webhookSecret'
  | 'webhookFormerSecrets'
  | 'webhookSignatureScheme'
  | 'webhookHeaders'
  | 'webhookEvents'
  | 'webhookEventVersion'
  | 'webhookOrdering'
  | 'webhookEndpoints'
  | 'operationalEvents'
>;

/** The target of a delivery, the version of its body, how it is signed, and the partner's own headers. */
export interface Receiver {
  /** Id of the endpoint: `first`, that of a further one, or `operational`. */
  readonly endpointId: string;
  readonly url: string;
  /** The version of the event catalogue that it is pinned to. */
  readonly eventVersion: number;
  /** Absent: the delivery is not signed. */
  readonly secret?: string;
  /** Replaced secrets that may still sign beside it. */
  readonly formerSecrets?: readonly FormerSecret[];
  /** Absent: DOCUMENTED. */
  readonly signatureScheme?: SignatureScheme;
  /** The partner's own headers. Absent: none. */
  readonly headers?: readonly StaticHeader[];
}

/** The documented pair of URL and secret; undefined without a URL. */
function firstReceiver(tenant: Receivers): Receiver | undefined {
  const { webhookUrl: url, webhookHeaders: headers } = tenant;
  return url
    ? { endpointId: FIRST, url, ...versionAndSigningOf(tenant), ...(headers && { headers }) }
    : undefined;
}

/** The version of webhooks to the first endpoint, and how they are signed. */
function versionAndSigningOf({
  webhookEventVersion: eventVersion,
  webhookSecret: secret,
  webhookFormerSecrets: formerSecrets,
  webhookSignatureScheme: signatureScheme,
}: Receivers): Pick<Receiver, 'eventVersion' | 'secret' | 'formerSecrets' | 'signatureScheme'> {
  return {
    eventVersion,
    ...(secret === undefined ? {} : { secret }),
    ...(formerSecrets && { formerSecrets }),
    ...(signatureScheme && { signatureScheme }),
  };
}

/**
 * The present receivers of an event: the documented pair first, then each further endpoint whose filter has the event. A URL
 * that several of them have gets it once, from the first.
 * @param isForFirst whether the documented pair gets it; by default its events decide
 */
export function receiversOf(
  tenant: Receivers,
  event: string,
  isForFirst = tenant.webhookEvents.includes(event),
): Receiver[] {
  const first = isForFirst ? firstReceiver(tenant) : undefined;
  const receivers = new Map(first ? [[first.url, first]] : []);
  for (const endpoint of tenant.webhookEndpoints ?? []) {
    const { url, events } = endpoint;
    if (!receivers.has(url) && (events === undefined || events.includes(event))) {
      receivers.set(url, toReceiver(endpoint));
    }
  }
  return [...receivers.values()];
}

/**
 * The order of deliveries about an entity; undefined for a tenant without order.
 * @param entity such as `reference|ABC-1`
 */
export function orderOf({ webhookOrdering }: Receivers, entity: string): { entity?: string } {
  return webhookOrdering === 'PER_ENTITY' ? { entity } : {};
}

/** A further endpoint as a receiver. */
function toReceiver(endpoint: WebhookEndpoint): Receiver {
  const { id, url, eventVersion, secret, formerSecrets, signatureScheme, headers } = endpoint;
  return {
    endpointId: id,
    url,
    eventVersion,
    secret,
    ...(formerSecrets.length === 0 ? {} : { formerSecrets }),
    ...(signatureScheme && { signatureScheme }),
    ...(headers && { headers }),
  };
}

/**
 * The receiver of operational events, with the version and the signature of webhooks to the first endpoint, but without the partner's
 * own headers, which are for another URL; undefined without a URL.
 */
export function operationalReceiver(tenant: Receivers): Receiver | undefined {
  const url = tenant.operationalEvents?.url;
  return url === undefined ? undefined : { endpointId: OPERATIONAL, url, ...versionAndSigningOf(tenant) };
}

/** The receiver with this id; undefined when there is none, or when it has no URL. */
export function receiverOf(tenant: Receivers, endpointId: string): Receiver | undefined {
  if (endpointId === FIRST) {
    return firstReceiver(tenant);
  }
  if (endpointId === OPERATIONAL) {
    return operationalReceiver(tenant);
  }
  const found = tenant.webhookEndpoints?.find(({ id }) => id === endpointId);
  return found && toReceiver(found);
}

/**
 * The URLs of an account's endpoints; one of several endpoints is in it several times. The URLs of atomic calls' outcomes and of
 * operational events are not in it: no partner can resume them, so a pause must not stay with them.
 */
export function urlsOf(tenant: Pick<Tenant, 'webhookUrl' | 'webhookEndpoints'>): string[] {
  const further = tenant.webhookEndpoints ?? [];
  return [tenant.webhookUrl, ...further.map(({ url }) => url)].flatMap((url) => url ?? []);
}

/** The target of a delivery if it were made now, and the secrets that would sign it. */
export type Target = Omit<Receiver, 'endpointId' | 'eventVersion'>;

/** The present target of a stored delivery; undefined when its endpoint was deleted or has no URL any more. */
export function targetOf(
  tenant: Receivers & Pick<Tenant, 'operationStatusHook' | 'sharedSecret'>,
  { scheme, endpointId }: Pick<DeliveryDocument, 'scheme' | 'endpointId'>,
): Target | undefined {
  if (scheme !== 'outcome') {
    return endpointId === undefined ? undefined : receiverOf(tenant, endpointId);
  }
  const { operationStatusHook: url, sharedSecret: secret } = tenant;
  return url ? { url, ...(secret === undefined ? {} : { secret }) } : undefined;
}
