import type { AccountId } from '../kernel/account.ts';
import type { WebhookEndpoint } from '../partners/tenants/endpoint-record.ts';
import { FIRST } from '../partners/tenants/endpoint-store.ts';
import { stillValid } from '../partners/tenants/former-secrets.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import { previewSecret } from './endpoint-rules.ts';
import type { Endpoints } from './endpoints.ts';
import type { PublicKey } from './signing-key.ts';

/** A key that verifies Ed25519 signatures of an endpoint's webhooks. */
interface EndpointKey extends PublicKey {
  /** null: it is the key of the present secret. */
  readonly until: Date | null;
}

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
  readonly signatureScheme: SignatureScheme;
  /** The key of the secret, then those of replaced ones that still sign, latest rotation first; empty without a secret. */
  readonly publicKeys: readonly EndpointKey[];
  /** The names of the partner's own headers; their values are secret. */
  readonly headerNames: readonly string[];
  /** null: all events. */
  readonly events: readonly string[] | null;
  /** The version of the event catalogue that it is pinned to. */
  readonly eventVersion: number;
  /** The partner's note; null: none, as the first endpoint has. */
  readonly description: string | null;
  readonly createdAt: Date;
}

/** The endpoints of an account: the first one, if it has a URL, and the further ones. */
export function viewAll(endpoints: ViewedEndpoints, tenant: Tenant, now: Date): EndpointView[] {
  const { accountId, webhookUrl: url, webhookEndpoints = [] } = tenant;
  const first = url && {
    id: FIRST,
    endpoint: endpoints.identify(accountId, url),
    url,
    secret: tenant.webhookSecret,
    formerSecrets: tenant.webhookFormerSecrets,
    signatureScheme: tenant.webhookSignatureScheme,
    headers: tenant.webhookHeaders,
    events: tenant.webhookEvents,
    eventVersion: tenant.webhookEventVersion,
    createdAt: tenant.createdAt,
  };
  return [...(first ? [first] : []), ...webhookEndpoints].map((one) =>
    viewEndpoint(endpoints, accountId, one, now),
  );
}

/** The values of an endpoint; without a secret its webhooks are not signed. */
type Viewed = Pick<WebhookEndpoint, 'id' | 'endpoint' | 'url' | 'eventVersion' | 'createdAt'> & {
  readonly [Name in 'secret' | 'formerSecrets' | 'signatureScheme' | 'headers' | 'events' | 'description']?:
    | WebhookEndpoint[Name]
    | undefined;
};

/** An endpoint without its secrets. */
export function viewEndpoint(
  endpoints: Pick<Endpoints, 'publicKeyOf'>,
  accountId: AccountId,
  viewed: Viewed,
  now: Date,
): EndpointView {
  const { id, endpoint, url, secret, formerSecrets = [], headers = [], createdAt } = viewed;
  const { signatureScheme = 'DOCUMENTED', events = null, eventVersion, description = null } = viewed;
  return {
    id,
    endpoint,
    url,
    secretPreview: secret ? previewSecret(secret) : null,
    formerSecretsUntil: stillValid(formerSecrets, now).map(({ until }) => until),
    signatureScheme,
    publicKeys: publicKeysOf(endpoints, accountId, viewed, now),
    headerNames: headers.map(({ name }) => name),
    events,
    eventVersion,
    description,
    createdAt,
  };
}

/**
 * The keys that verify Ed25519 signatures of an account's webhooks, a key for each secret that signs. That of the first endpoint is
 * among them without a URL, too: its webhooks that are stored are still sent.
 */
export function publicKeysOfAccount(
  endpoints: Pick<Endpoints, 'publicKeyOf'>,
  tenant: Pick<Tenant, 'accountId' | 'webhookSecret' | 'webhookFormerSecrets' | 'webhookEndpoints'>,
  now: Date,
): PublicKey[] {
  const { accountId, webhookSecret: secret, webhookFormerSecrets: formerSecrets } = tenant;
  return [{ secret, formerSecrets }, ...(tenant.webhookEndpoints ?? [])].flatMap((one) =>
    publicKeysOf(endpoints, accountId, one, now),
  );
}

type ViewedEndpoints = Pick<Endpoints, 'identify' | 'publicKeyOf'>;

/** The keys of a secret and of replaced ones that still sign. */
function publicKeysOf(
  { publicKeyOf }: Pick<Endpoints, 'publicKeyOf'>,
  accountId: AccountId,
  { secret, formerSecrets = [] }: Pick<Viewed, 'secret' | 'formerSecrets'>,
  now: Date,
): EndpointKey[] {
  const secrets = secret ? [{ secret, until: null }, ...stillValid(formerSecrets, now)] : [];
  return secrets.map((one) => ({ ...publicKeyOf(accountId, one.secret), until: one.until }));
}
