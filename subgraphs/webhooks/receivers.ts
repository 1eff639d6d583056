import type { FormerSecret } from '../partners/tenants/former-secrets.ts';
import type { Tenant } from '../partners/tenants/service.ts';

/** The settings of a tenant that decide who gets its events. */
export type Receivers = Pick<
  Tenant,
  | 'accountId'
  | 'webhookUrl'
  | 'webhookSecret'
  | 'webhookFormerSecrets'
  | 'webhookEvents'
  | 'webhookOrdering'
  | 'webhookEndpoints'
>;

/** The target of a delivery, and the secrets that sign it. */
export interface Receiver {
  readonly url: string;
  /** Absent: the delivery is not signed. */
  readonly secret?: string;
  /** Replaced secrets that may still sign beside it. */
  readonly formerSecrets?: readonly FormerSecret[];
}

/** The documented pair of URL and secret; undefined without a URL. */
export function firstReceiver({
  webhookUrl: url,
  webhookSecret: secret,
  webhookFormerSecrets: formerSecrets,
}: Receivers): Receiver | undefined {
  return url
    ? { url, ...(secret === undefined ? {} : { secret }), ...(formerSecrets && { formerSecrets }) }
    : undefined;
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
export function toReceiver({ url, secret, formerSecrets }: Required<Receiver>): Receiver {
  return { url, secret, ...(formerSecrets.length === 0 ? {} : { formerSecrets }) };
}
