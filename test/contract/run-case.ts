import type { Exchange, RawRequest, RawResponse } from '../support/http.ts';
import type { ReceivedWebhook, Receiver } from '../support/receiver.ts';
import { awaitWebhook } from './await-webhook.ts';
import { checkDescription } from './description.ts';
import { createFill, type Fill } from './fill.ts';
import type { Case, Step } from './fixture.ts';
import { checkHeaders } from './response-headers.ts';
import { compare, type Remembered } from './template.ts';

/** Where a case is run. */
export interface Target {
  readonly exchange: Exchange;
  readonly receiver: Receiver;
}

/**
 * Runs the calls of a case.
 * @param fill with what this run has of its own
 * @throws naming the call that the product answered otherwise, and how
 */
export async function runCase(target: Target, { steps }: Case, fill: Fill = createFill()): Promise<void> {
  const remembered: Remembered = new Map();
  for (const [index, step] of steps.entries()) {
    const { request } = step;
    const where = `Call ${index + 1}, ${request.method} ${request.path.slice(0, 100)}`;
    const seen = target.receiver.webhooks.length;
    const sent = fillRequest(request, (text) => recall(fill(text), remembered));
    const response = await target.exchange(sent);
    const issues = [
      ...checkResponse(step, response, fill, remembered),
      ...checkDescription(sent, response),
      ...checkHeaders(sent, response),
    ];
    if (issues.length > 0) {
      throw new Error(`${where}: ${issues.join('\n')}`);
    }
    const claimed = new Set<ReceivedWebhook>();
    for (const { event, body } of step.webhooks) {
      const candidates = () => target.receiver.webhooks.slice(seen).filter((one) => !claimed.has(one));
      const awaited = { where: `${where}, ${event}`, event, template: fill(body) };
      claimed.add(await awaitWebhook(awaited, candidates, remembered));
    }
  }
}

/** Puts what earlier answers had in the place of its name: `<user>`. */
function recall(text: string, remembered: Remembered): string {
  return text.replaceAll(/<(\w+)>/g, (place, name: string) => remembered.get(name) ?? place);
}

function fillRequest({ method, path, headers = {}, body }: RawRequest, fill: Fill) {
  return {
    method,
    path: fill(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    ...(body === undefined ? {} : { body: fill(String(body)) }),
  };
}

/** Decisions, section 0: what holds for every response, then what this one must be. */
function checkResponse(step: Step, response: RawResponse, fill: Fill, remembered: Remembered): string[] {
  const expected = { 'content-type': 'application/json', ...step.headers };
  const issues = Object.entries(expected)
    .filter(([name, value]) => compare(fill(value), response.headers[name.toLowerCase()] ?? '', remembered))
    .map(([name, value]) => `${name} is "${response.headers[name.toLowerCase()]}", not "${fill(value)}"`);
  if (!response.headers['x-request-id']) {
    issues.push('there is no x-request-id');
  }
  if (Number(response.headers['content-length']) !== response.body.length) {
    issues.push(`content-length is ${response.headers['content-length']}, not ${response.body.length}`);
  }
  if (response.status !== step.status) {
    issues.push(`the status is ${response.status}, not ${step.status}`);
  }
  const difference = compare(fill(step.body), response.text, remembered);
  return difference === undefined ? issues : [...issues, difference];
}
