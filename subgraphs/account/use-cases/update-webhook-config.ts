import { type Result, succeed } from '../../platform/errors/result.ts';
import type { Tenant, Tenants, WebhookChange } from '../../platform/tenants/service.ts';
import { DEFAULT_WEBHOOK_EVENTS } from '../../platform/tenants/webhook-events.ts';
import type { WebhookOrdering } from '../../platform/tenants/webhook-ordering.ts';
import {
  findReceiverIssues,
  newWebhookSecret,
  previewSecret,
} from '../../platform/webhooks/endpoint-rules.ts';

/** What a partner sees of its webhooks' configuration. */
export interface WebhookConfig {
  readonly webhookUrl: string | null;
  /** The secret's first six characters, `…` and its last two; null when there is none. */
  readonly webhookSecretPreview: string | null;
  readonly hasWebhookSecret: boolean;
  readonly webhookEvents: readonly string[];
  readonly webhookOrdering: WebhookOrdering;
}

/** What a partner wants to change; what is undefined stays. */
export interface WebhookConfigInput {
  /** null: no webhooks any more. */
  readonly webhookUrl?: string | null;
  /** null: the events of a partner that names none. */
  readonly webhookEvents?: readonly string[] | null;
  /** null: one is made. */
  readonly webhookSecret?: string | null;
  /** null: NONE. */
  readonly webhookOrdering?: WebhookOrdering | null;
}

const NAMES = { url: 'webhookUrl', secret: 'webhookSecret', events: 'webhookEvents' } as const;

/** A change of the configuration. */
export interface WebhookConfigChange {
  /** As it is then. */
  readonly config: WebhookConfig;
  /** The secret, when one was made: it is shown nowhere else. */
  readonly madeSecret: string | null;
}

export function toWebhookConfig(tenant: Tenant): WebhookConfig {
  const { webhookUrl, webhookSecret, webhookEvents, webhookOrdering = 'NONE' } = tenant;
  return {
    webhookUrl: webhookUrl || null,
    webhookSecretPreview: webhookSecret ? previewSecret(webhookSecret) : null,
    hasWebhookSecret: Boolean(webhookSecret),
    webhookEvents,
    webhookOrdering,
  };
}

/** Changes URL, events, their order and the secret. Failures: INVALID_REQUEST for each issue; nothing is changed then. */
export async function updateWebhookConfig(
  tenants: Pick<Tenants, 'changeWebhooks'>,
  tenantId: string,
  input: WebhookConfigInput,
): Promise<Result<WebhookConfigChange>> {
  const { webhookUrl: url, webhookSecret: secret, webhookEvents: events } = input;
  const issues = findReceiverIssues({ url, secret, events }, NAMES);
  if (issues.length > 0) {
    return { ok: false, failures: issues };
  }
  const madeSecret = input.webhookSecret === null ? newWebhookSecret() : null;
  const tenant = await tenants.changeWebhooks(tenantId, toChange(input, madeSecret));
  if (!tenant) {
    throw new TypeError(`There is no tenant ${tenantId}`);
  }
  return succeed({ config: toWebhookConfig(tenant), madeSecret });
}

function toChange(
  { webhookUrl, webhookEvents, webhookSecret, webhookOrdering }: WebhookConfigInput,
  madeSecret: string | null,
): WebhookChange {
  const secret = madeSecret ?? webhookSecret ?? undefined;
  return {
    ...(secret === undefined ? {} : { secret }),
    ...(webhookUrl === undefined ? {} : { url: webhookUrl }),
    ...(webhookEvents === undefined ? {} : { events: [...new Set(webhookEvents ?? DEFAULT_WEBHOOK_EVENTS)] }),
    ...(webhookOrdering === undefined ? {} : { ordering: webhookOrdering ?? 'NONE' }),
  };
}
