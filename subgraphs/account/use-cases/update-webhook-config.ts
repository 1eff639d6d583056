import { randomBytes } from 'node:crypto';
import { type Failure, type Result, succeed } from '../../platform/errors/result.ts';
import type { Tenant, Tenants, WebhookChange } from '../../platform/tenants/service.ts';
import { DEFAULT_WEBHOOK_EVENTS, WEBHOOK_EVENTS } from '../../platform/tenants/webhook-events.ts';

/** What a partner sees of its webhooks' configuration. */
export interface WebhookConfig {
  readonly webhookUrl: string | null;
  /** The secret's first six characters, `…` and its last two; null when there is none. */
  readonly webhookSecretPreview: string | null;
  readonly hasWebhookSecret: boolean;
  readonly webhookEvents: readonly string[];
}

/** What a partner wants to change; what is undefined stays. */
export interface WebhookConfigInput {
  /** null: no webhooks any more. */
  readonly webhookUrl?: string | null;
  /** null: the events of a partner that names none. */
  readonly webhookEvents?: readonly string[] | null;
  /** null: one is made. */
  readonly webhookSecret?: string | null;
}

const PREFIX = 'whsec_';
/** 32 characters of base64url. */
const SECRET_BYTES = 24;
const SHOWN_START = 6;
const SHOWN_END = 2;
const LONGEST_URL = 2048;
const SHORTEST_SECRET = 8;
const LONGEST_SECRET = 256;

/** A change of the configuration. */
export interface WebhookConfigChange {
  /** As it is then. */
  readonly config: WebhookConfig;
  /** The secret, when one was made: it is shown nowhere else. */
  readonly madeSecret: string | null;
}

/** A signing secret: `whsec_` and 32 characters (decisions, section 4, "Masks"). */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

export function toWebhookConfig({ webhookUrl, webhookSecret, webhookEvents }: Tenant): WebhookConfig {
  return {
    webhookUrl: webhookUrl || null,
    webhookSecretPreview: webhookSecret ? preview(webhookSecret) : null,
    hasWebhookSecret: Boolean(webhookSecret),
    webhookEvents,
  };
}

/** Changes URL, events and secret. Failures: INVALID_REQUEST for each issue; nothing is changed then. */
export async function updateWebhookConfig(
  tenants: Pick<Tenants, 'changeWebhooks'>,
  tenantId: string,
  input: WebhookConfigInput,
): Promise<Result<WebhookConfigChange>> {
  const issues = findIssues(input);
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

/** A secret so short that its ends are all of it is not shown at all. */
function preview(secret: string): string {
  if (secret.length <= SHOWN_START + SHOWN_END) {
    return '…';
  }
  return `${secret.slice(0, SHOWN_START)}…${secret.slice(-SHOWN_END)}`;
}

function toChange(
  { webhookUrl, webhookEvents, webhookSecret }: WebhookConfigInput,
  madeSecret: string | null,
): WebhookChange {
  const secret = madeSecret ?? webhookSecret ?? undefined;
  return {
    ...(secret === undefined ? {} : { secret }),
    ...(webhookUrl === undefined ? {} : { url: webhookUrl }),
    ...(webhookEvents === undefined ? {} : { events: [...new Set(webhookEvents ?? DEFAULT_WEBHOOK_EVENTS)] }),
  };
}

function findIssues({ webhookUrl, webhookEvents, webhookSecret }: WebhookConfigInput): Failure[] {
  const known: readonly string[] = WEBHOOK_EVENTS;
  const unknown = (webhookEvents ?? []).filter((event) => !known.includes(event));
  return [
    ...(webhookUrl == null || isReceiver(webhookUrl)
      ? []
      : [
          issue(
            'webhookUrl',
            `must be an HTTPS URL of at most ${LONGEST_URL} characters, without credentials`,
          ),
        ]),
    ...(webhookSecret == null || isSecret(webhookSecret)
      ? []
      : [
          issue(
            'webhookSecret',
            `must have ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters, without a space at either end`,
          ),
        ]),
    ...(unknown.length === 0 ? [] : [issue('webhookEvents', `may have ${WEBHOOK_EVENTS.join(', ')}`)]),
  ];
}

/** Where it leads is looked at when it is posted to: a name may lead elsewhere by then. */
function isReceiver(text: string): boolean {
  if (text.length > LONGEST_URL || !URL.canParse(text)) {
    return false;
  }
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

/** Spaces at the ends are what copying leaves behind: the signature would be made with them. */
function isSecret(text: string): boolean {
  return text.length >= SHORTEST_SECRET && text.length <= LONGEST_SECRET && text === text.trim();
}

function issue(path: 'webhookUrl' | 'webhookEvents' | 'webhookSecret', message: string): Failure {
  return { code: 'INVALID_REQUEST', message: `${path} ${message}`, path: [path] };
}
