import { randomInt } from 'node:crypto';
import { newReference } from '../support/asks.ts';
import type { Exchange, RawRequest, RawResponse } from '../support/http.ts';
import { hasGoodSignature, headerOf, type ReceivedWebhook, type Receiver } from '../support/receiver.ts';
import { SECRETS } from '../support/seed.ts';
import { checkDescription } from './description.ts';
import type { Case, Step } from './fixture.ts';
import { compare, type Remembered } from './template.ts';

/** Where a case is run. */
export interface Target {
  readonly exchange: Exchange;
  readonly receiver: Receiver;
}

const WEBHOOK_TIMEOUT_MS = 30_000;

/** Runs the calls of a case. @throws naming the call that the product answered otherwise, and how */
export async function runCase(target: Target, { steps }: Case): Promise<void> {
  const fill = createFill();
  const remembered: Remembered = new Map();
  for (const [index, step] of steps.entries()) {
    const { request } = step;
    const where = `Call ${index + 1}, ${request.method} ${request.path.slice(0, 100)}`;
    const seen = target.receiver.webhooks.length;
    const sent = fillRequest(request, (text) => recall(fill(text), remembered));
    const response = await target.exchange(sent);
    const faults = [...checkResponse(step, response, fill, remembered), ...checkDescription(sent, response)];
    if (faults.length > 0) {
      throw new Error(`${where}: ${faults.join('\n')}`);
    }
    const claimed = new Set<ReceivedWebhook>();
    for (const { event, body } of step.webhooks) {
      const candidates = () => target.receiver.webhooks.slice(seen).filter((one) => !claimed.has(one));
      claimed.add(await awaitWebhook(`${where}, ${event}`, candidates, event, fill(body), remembered));
    }
  }
}

/**
 * Fills in what a case may not share with others: `{ref}`, `{ref2}` and `{ref3}` are references of its own, `{phone}`
 * and `{phone2}` mobile numbers, `{digits}` those of the first without its plus sign; `{x*3}` is `xxx`, for what is too
 * long to be written down.
 */
function createFill(): (text: string) => string {
  const digits = newPhoneDigits();
  const own = new Map([
    ...['ref', 'ref2', 'ref3'].map((name) => [name, newReference()] as const),
    ['digits', digits],
    ['phone', `+${digits}`],
    ['phone2', `+${newPhoneDigits()}`],
  ]);
  return (text) =>
    text
      .replaceAll(/\{(ref[23]?|phone2?|digits)\}/g, (_match, name: string) => String(own.get(name)))
      .replaceAll(/\{(.)\*(\d+)\}/g, (_match, character: string, times: string) =>
        character.repeat(Number(times)),
      );
}

/** A number of Mexico City; its numbers are mobile ones too. */
function newPhoneDigits(): string {
  return `5255${String(randomInt(100_000_000)).padStart(8, '0')}`;
}

/** Puts what earlier answers had in the place of its name: `<user>`. */
function recall(text: string, remembered: Remembered): string {
  return text.replaceAll(/<(\w+)>/g, (place, name: string) => remembered.get(name) ?? place);
}

function fillRequest({ method, path, headers = {}, body }: RawRequest, fill: (text: string) => string) {
  return {
    method,
    path: fill(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    ...(body === undefined ? {} : { body: fill(String(body)) }),
  };
}

/** Decisions, section 0: what holds for every response, then what this one must be. */
function checkResponse(
  step: Step,
  response: RawResponse,
  fill: (text: string) => string,
  remembered: Remembered,
): string[] {
  const expected = { 'content-type': 'application/json', ...step.headers };
  const faults = Object.entries(expected)
    .filter(([name, value]) => response.headers[name.toLowerCase()] !== fill(value))
    .map(([name, value]) => `${name} is "${response.headers[name.toLowerCase()]}", not "${fill(value)}"`);
  if (!response.headers['x-request-id']) {
    faults.push('there is no x-request-id');
  }
  if (Number(response.headers['content-length']) !== response.body.length) {
    faults.push(`content-length is ${response.headers['content-length']}, not ${response.body.length}`);
  }
  if (response.status !== step.status) {
    faults.push(`the status is ${response.status}, not ${step.status}`);
  }
  const difference = compare(fill(step.body), response.text, remembered);
  return difference === undefined ? faults : [...faults, difference];
}

async function awaitWebhook(
  where: string,
  candidates: () => readonly ReceivedWebhook[],
  event: string,
  template: string,
  remembered: Remembered,
): Promise<ReceivedWebhook> {
  const deadline = Date.now() + WEBHOOK_TIMEOUT_MS;
  const differences = new Map<ReceivedWebhook, string | undefined>();
  while (Date.now() < deadline) {
    for (const webhook of candidates()) {
      if (headerOf(webhook, 'X-Webhook-Event') !== event || differences.has(webhook)) {
        continue;
      }
      const difference = compare(template, webhook.text, remembered);
      if (difference === undefined) {
        checkDelivery(where, webhook);
        return webhook;
      }
      differences.set(webhook, difference);
    }
    await new Promise((wait) => setTimeout(wait, 10));
  }
  throw new Error(`${where}: no such webhook came.\n${[...differences.values()].join('\n')}`);
}

/** Document 2, "Headers of every delivery" and "Signature". */
function checkDelivery(where: string, webhook: ReceivedWebhook): void {
  const { data } = JSON.parse(webhook.text) as { data: { partnerId: string } };
  const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
  const faults = [
    headerOf(webhook, 'Content-Type') === 'application/json' || 'Content-Type is not application/json',
    uuid.test(String(headerOf(webhook, 'X-Webhook-Delivery-Id'))) || 'X-Webhook-Delivery-Id is no UUID',
    hasGoodSignature(webhook, String(SECRETS[data.partnerId])) || 'X-Webhook-Signature does not verify',
  ].filter((fault) => fault !== true);
  if (faults.length > 0) {
    throw new Error(`${where}: ${faults.join('; ')}\n${JSON.stringify(webhook.rawHeaders)}`);
  }
}
