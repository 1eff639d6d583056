import { createHmac } from 'node:crypto';
import { issuesOfWebhook } from '../support/described-webhook.ts';
import { hasGoodSignature, headerOf, type ReceivedWebhook } from '../support/receiver.ts';
import { OUTCOME_SECRETS, SECRETS } from '../support/seed.ts';
import { compare, type Remembered } from './template.ts';

const WEBHOOK_TIMEOUT_MS = 45_000;
const OUTCOME = 'request_money_full_outcome';
/** Whose webhook URL a path of the receiver is (test/support/seed.ts). */
const TENANT_OF_PATH: Readonly<Record<string, string>> = { '/hook': 'acme', '/globex': 'globex' };
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** A webhook that must come. */
interface Awaited {
  /** Of the call that it follows. */
  readonly where: string;
  /** `X-Webhook-Event`, or `eventType` of an outcome of document 1. */
  readonly event: string;
  /** Of the whole body. */
  readonly template: string;
}

/**
 * Waits for a webhook, and checks its headers and its signature by the documents' own words.
 * @throws when none comes, naming what came instead
 */
export async function awaitWebhook(
  { where, event, template }: Awaited,
  candidates: () => readonly ReceivedWebhook[],
  remembered: Remembered,
): Promise<ReceivedWebhook> {
  const deadline = Date.now() + WEBHOOK_TIMEOUT_MS;
  const looked = new Set<ReceivedWebhook>();
  const differences: string[] = [];
  while (Date.now() < deadline) {
    for (const webhook of candidates()) {
      if (looked.has(webhook)) {
        continue;
      }
      looked.add(webhook);
      if (eventOf(webhook) !== event) {
        continue;
      }
      const difference = compare(template, webhook.text, remembered);
      if (difference === undefined) {
        checkDelivery(where, webhook);
        return webhook;
      }
      differences.push(difference);
    }
    await new Promise((wait) => setTimeout(wait, 10));
  }
  throw new Error(`${where}: no such webhook came.\n${differences.join('\n')}`);
}

function eventOf(webhook: ReceivedWebhook): string | undefined {
  return (
    headerOf(webhook, 'X-Webhook-Event') ??
    headerOf(webhook, 'X-RAAS-Event') ??
    (JSON.parse(webhook.text) as { eventType?: string }).eventType
  );
}

function checkDelivery(where: string, webhook: ReceivedWebhook): void {
  const issues = [
    headerOf(webhook, 'Content-Type') === 'application/json' || 'Content-Type is not application/json',
    UUID.test(String(headerOf(webhook, 'X-Webhook-Delivery-Id'))) || 'X-Webhook-Delivery-Id is no UUID',
    ...issuesOf(webhook),
    ...issuesOfWebhook(webhook.text),
  ].filter((issue) => issue !== true);
  if (issues.length > 0) {
    throw new Error(`${where}: ${issues.join('; ')}\n${JSON.stringify(webhook.rawHeaders)}`);
  }
}

function issuesOf(webhook: ReceivedWebhook): (string | true)[] {
  if (headerOf(webhook, 'X-RAAS-Event') !== undefined) {
    return partnerIssues(webhook);
  }
  return eventOf(webhook) === OUTCOME ? outcomeIssues(webhook) : eventIssues(webhook);
}

/** Document 2, "Headers of every delivery" and "Signature". */
function eventIssues(webhook: ReceivedWebhook): (string | true)[] {
  const { data } = JSON.parse(webhook.text) as { data: { partnerId: string } };
  return [
    hasGoodSignature(webhook, String(SECRETS[data.partnerId])) || 'X-Webhook-Signature does not verify',
  ];
}

/**
 * Document 1, "Events"; decisions, section 2: Base64 of HMAC-SHA256 over the raw body, and of headers of its own no
 * other than that and the delivery's id. Without a shared secret there is nothing to sign with.
 */
function outcomeIssues(webhook: ReceivedWebhook): (string | true)[] {
  const secret = OUTCOME_SECRETS[webhook.path];
  const expected = secret && createHmac('sha256', secret).update(webhook.body).digest('base64');
  const own = webhook.rawHeaders.map(([name]) => name).filter((name) => /^x-/i.test(name));
  const known = ['X-Webhook-Delivery-Id', ...(secret === undefined ? [] : ['x-raas-signature'])];
  return [
    webhook.path in OUTCOME_SECRETS || `${webhook.path} is no status hook`,
    headerOf(webhook, 'x-raas-signature') === expected || 'x-raas-signature does not verify',
    own.toSorted().join() === known.toSorted().join() || `its own headers are ${own.join(', ')}`,
  ];
}

/**
 * Document 3, "Events"; decisions, section 4: lower-case hexadecimal HMAC-SHA256 of `<X-RAAS-Timestamp>.<rawBody>`, and of
 * headers of its own the four that are named and no other.
 */
function partnerIssues(webhook: ReceivedWebhook): (string | true)[] {
  const t = headerOf(webhook, 'X-RAAS-Timestamp') ?? '';
  const secret = String(SECRETS[TENANT_OF_PATH[webhook.path] ?? '']);
  const expected = createHmac('sha256', secret).update(`${t}.`).update(webhook.body).digest('hex');
  const own = webhook.rawHeaders.map(([name]) => name).filter((name) => /^x-/i.test(name));
  const known = ['X-RAAS-Event', 'X-RAAS-Signature', 'X-RAAS-Timestamp', 'X-Webhook-Delivery-Id'];
  return [
    webhook.path in TENANT_OF_PATH || `${webhook.path} is no webhook URL`,
    (/^\d+$/.test(t) && Math.abs(Date.now() / 1000 - Number(t)) <= 300) || `X-RAAS-Timestamp is "${t}"`,
    headerOf(webhook, 'X-RAAS-Signature') === expected || 'X-RAAS-Signature does not verify',
    own.toSorted().join() === known.join() || `its own headers are ${own.join(', ')}`,
  ];
}
