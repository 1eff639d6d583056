import type { AccountId } from '../kernel/account.ts';
import type { WebhookEndpoint } from '../partners/tenants/endpoint-record.ts';
import { FIRST } from '../partners/tenants/endpoint-store.ts';
import { type FormerSecret, stillValid } from '../partners/tenants/former-secrets.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import type { StaticHeader } from '../partners/tenants/static-headers.ts';
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
  /** The partner's note; null: none, as the first endpoint has. */
  readonly description: string | null;
  readonly createdAt: Date;
}

/** The endpoints of an account: the first one, if it has a URL, and the further ones. */
export function viewAll(endpoints: ViewedEndpoints, tenant: Tenant, now: Date): EndpointView[] {
  const { accountId, webhookUrl: url, webhookSecret, webhookFormerSecrets = [] } = tenant;
  const further = (tenant.webhookEndpoints ?? []).map((endpoint) =>
    viewFurther(endpoints, accountId, endpoint, now),
  );
  if (!url) {
    return further;
  }
  const first = {
    id: FIRST,
    endpoint: endpoints.identify(accountId, url),
    url,
    secretPreview: webhookSecret ? previewSecret(webhookSecret) : null,
    formerSecretsUntil: endsOf(webhookFormerSecrets, now),
    signatureScheme: tenant.webhookSignatureScheme ?? ('DOCUMENTED' as const),
    publicKeys: publicKeysOf(endpoints, accountId, [webhookSecret, stillValid(webhookFormerSecrets, now)]),
    headerNames: namesOf(tenant.webhookHeaders),
    events: tenant.webhookEvents,
    description: null,
    createdAt: tenant.createdAt,
  };
  return [first, ...further];
}

/** A further endpoint. */
export function viewFurther(
  endpoints: ViewedEndpoints,
  accountId: AccountId,
  stored: WebhookEndpoint,
  now: Date,
): EndpointView {
  const { id, endpoint, url, secret, formerSecrets, events = null, description = null, createdAt } = stored;
  return {
    id,
    endpoint,
    url,
    secretPreview: previewSecret(secret),
    formerSecretsUntil: endsOf(formerSecrets, now),
    signatureScheme: stored.signatureScheme ?? 'DOCUMENTED',
    publicKeys: publicKeysOf(endpoints, accountId, [secret, stillValid(formerSecrets, now)]),
    headerNames: namesOf(stored.headers),
    events,
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
  const { accountId, webhookSecret, webhookFormerSecrets = [], webhookEndpoints = [] } = tenant;
  const first = { secret: webhookSecret, formerSecrets: webhookFormerSecrets };
  return [first, ...webhookEndpoints].flatMap(({ secret, formerSecrets }) =>
    publicKeysOf(endpoints, accountId, [secret, stillValid(formerSecrets, now)]),
  );
}

type ViewedEndpoints = Pick<Endpoints, 'identify' | 'publicKeyOf'>;

/** The keys of a secret and of replaced ones. */
function publicKeysOf(
  { publicKeyOf }: Pick<Endpoints, 'publicKeyOf'>,
  accountId: AccountId,
  [secret, former]: readonly [secret: string | undefined, former: readonly FormerSecret[]],
): EndpointKey[] {
  const secrets = secret ? [{ secret, until: null }, ...former] : [];
  return secrets.map((one) => ({ ...publicKeyOf(accountId, one.secret), until: one.until }));
}

function namesOf(headers: readonly StaticHeader[] = []): string[] {
  return headers.map(({ name }) => name);
}

function endsOf(former: readonly FormerSecret[], now: Date): Date[] {
  return stillValid(former, now).map(({ until }) => until);
}
