import { FIRST, type WebhookEndpoint } from '../partners/tenants/endpoint-store.ts';
import { type FormerSecret, stillValid } from '../partners/tenants/former-secrets.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { previewSecret } from './endpoint-rules.ts';
import type { Endpoints } from './endpoints.ts';

/** A receiver, as partners and operators see it. */
export interface EndpointView {
  /** `first`, or `we_` and 20 characters. */
  readonly id: string;
  /** Keyed digest of account and URL: deliveries and the endpoint's state are stored under it. */
  readonly endpoint: string;
  readonly url: string;
  /** null: it has no secret, and its webhooks are not signed. */
  readonly secretPreview: string | null;
  /** Until when replaced secrets sign beside the new one, latest rotation first. */
  readonly formerSecretsUntil: readonly Date[];
  /** null: all events. */
  readonly events: readonly string[] | null;
  /** The partner's note; null: none, as the first endpoint has. */
  readonly description: string | null;
  readonly createdAt: Date;
}

/** The endpoints of an account: the first one, if it has a URL, and the further ones. */
export function viewAll(endpoints: Pick<Endpoints, 'identify'>, tenant: Tenant, now: Date): EndpointView[] {
  const { accountId, webhookUrl: url, webhookSecret, webhookFormerSecrets = [] } = tenant;
  const further = (tenant.webhookEndpoints ?? []).map((endpoint) => viewFurther(endpoint, now));
  if (!url) {
    return further;
  }
  const first = {
    id: FIRST,
    endpoint: endpoints.identify(accountId, url),
    url,
    secretPreview: webhookSecret ? previewSecret(webhookSecret) : null,
    formerSecretsUntil: endsOf(webhookFormerSecrets, now),
    events: tenant.webhookEvents,
    description: null,
    createdAt: tenant.createdAt,
  };
  return [first, ...further];
}

/** A further endpoint. */
export function viewFurther(stored: WebhookEndpoint, now: Date): EndpointView {
  const { id, endpoint, url, secret, formerSecrets, events = null, description = null, createdAt } = stored;
  return {
    id,
    endpoint,
    url,
    secretPreview: previewSecret(secret),
    formerSecretsUntil: endsOf(formerSecrets, now),
    events,
    description,
    createdAt,
  };
}

function endsOf(former: readonly FormerSecret[], now: Date): Date[] {
  return stillValid(former, now).map(({ until }) => until);
}
