import type { AccountId } from '../../kernel/account.ts';
import type { Alongside } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import type { Tenant, Tenants, WebhookChange } from '../../partners/tenants/service.ts';
import type { SignatureScheme } from '../../partners/tenants/signature-scheme.ts';
import type { StaticHeader } from '../../partners/tenants/static-headers.ts';
import type { WebhookOrdering } from '../../partners/tenants/webhook-ordering.ts';
import { DEFAULT_EVENTS } from '../../webhook-events/catalogue.ts';
import { checkReceiver, newWebhookSecret, previewSecret } from '../../webhooks/endpoint-rules.ts';
import { FIRST_ENDPOINT, type PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';

/** The configuration of webhooks that a partner sees. */
export interface WebhookConfig {
  readonly webhookUrl: string | null;
  /** The secret's first six characters, `…` and its last two; null when there is none. */
  readonly webhookSecretPreview: string | null;
  readonly hasWebhookSecret: boolean;
  readonly webhookEvents: readonly string[];
  /** The version of the event catalogue that it is pinned to. */
  readonly webhookEventVersion: number;
  readonly webhookOrdering: WebhookOrdering;
  readonly webhookSignatureScheme: SignatureScheme;
  /** The names of the partner's own headers; their values are secret. */
  readonly webhookHeaderNames: readonly string[];
}

/** The changes that a partner requests; undefined fields do not change. */
export interface WebhookConfigInput {
  /** null: no webhooks any more. */
  readonly webhookUrl?: string | null;
  /** null: the default events. */
  readonly webhookEvents?: readonly string[] | null;
  /** null: no change. */
  readonly webhookEventVersion?: number | null;
  /** null: a secret is generated. */
  readonly webhookSecret?: string | null;
  /** null: NONE. */
  readonly webhookOrdering?: WebhookOrdering | null;
  /** null: DOCUMENTED. */
  readonly webhookSignatureScheme?: SignatureScheme | null;
  /** null or empty: none. Undefined: no change, or none for a URL of another origin. */
  readonly webhookHeaders?: readonly StaticHeader[] | null;
}

const NAMES = {
  url: 'webhookUrl',
  secret: 'webhookSecret',
  events: 'webhookEvents',
  eventVersion: 'webhookEventVersion',
  // The documented pair has none.
  description: 'description',
  headers: 'webhookHeaders',
} as const;

/** A change of the configuration. */
export interface WebhookConfigChange {
  /** The configuration after the change. */
  readonly config: WebhookConfig;
  /** The secret, when it was generated: nothing else ever shows it. */
  readonly madeSecret: string | null;
}

export function toWebhookConfig(tenant: Tenant): WebhookConfig {
  const { webhookUrl, webhookSecret, webhookEvents, webhookEventVersion, webhookOrdering = 'NONE' } = tenant;
  const { webhookSignatureScheme = 'DOCUMENTED', webhookHeaders = [] } = tenant;
  return {
    webhookUrl: webhookUrl || null,
    webhookSecretPreview: webhookSecret ? previewSecret(webhookSecret) : null,
    hasWebhookSecret: Boolean(webhookSecret),
    webhookEvents,
    webhookEventVersion,
    webhookOrdering,
    webhookSignatureScheme,
    webhookHeaderNames: webhookHeaders.map(({ name }) => name),
  };
}

interface UpdateDeps {
  readonly tenants: Pick<Tenants, 'changeWebhooks'>;
  readonly endpoints: Pick<PartnerEndpoints, 'move'>;
}

/**
 * Changes URL, events, their version and order, secret, scheme and headers. Failures, after which nothing changes: INVALID_REQUEST for each issue;
 * WEBHOOK_ENDPOINT_EXISTS when a further endpoint has the URL.
 */
export async function updateWebhookConfig(
  { tenants, endpoints }: UpdateDeps,
  accountId: AccountId,
  input: WebhookConfigInput,
  alongside?: Alongside,
): Promise<Result<WebhookConfigChange>> {
  const { webhookUrl, webhookSecret: secret, webhookEvents: events, webhookHeaders: headers } = input;
  const { webhookEventVersion: eventVersion } = input;
  const { url, failures } = checkReceiver({ url: webhookUrl, secret, events, eventVersion, headers }, NAMES);
  if (failures.length > 0) {
    return { ok: false, failures };
  }
  const madeSecret = input.webhookSecret === null ? newWebhookSecret() : null;
  const change = toChange({ ...input, ...(url === undefined ? {} : { webhookUrl: url }) }, madeSecret);
  const changed = await tenants.changeWebhooks(accountId, change, (unit) => {
    if (url !== undefined) {
      endpoints.move(accountId, FIRST_ENDPOINT, url, unit);
    }
    alongside?.(unit);
  });
  if (!changed) {
    throw new TypeError(`There is no tenant ${accountId}`);
  }
  return changed.ok ? succeed({ config: toWebhookConfig(changed.value), madeSecret }) : changed;
}

function toChange(input: WebhookConfigInput, madeSecret: string | null): WebhookChange {
  const { webhookUrl, webhookEvents, webhookEventVersion, webhookSecret, webhookOrdering } = input;
  const { webhookSignatureScheme: scheme, webhookHeaders: headers } = input;
  const secret = madeSecret ?? webhookSecret ?? undefined;
  return {
    ...(secret === undefined ? {} : { secret }),
    ...(webhookUrl === undefined ? {} : { url: webhookUrl }),
    ...(webhookEvents === undefined ? {} : { events: [...new Set(webhookEvents ?? DEFAULT_EVENTS)] }),
    ...(webhookEventVersion == null ? {} : { eventVersion: webhookEventVersion }),
    ...(webhookOrdering === undefined ? {} : { ordering: webhookOrdering ?? 'NONE' }),
    ...(scheme === undefined ? {} : { signatureScheme: scheme ?? 'DOCUMENTED' }),
    ...(headers === undefined ? {} : { headers: headers ?? [] }),
  };
}
