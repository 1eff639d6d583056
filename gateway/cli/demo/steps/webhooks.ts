import { accountOf } from '../../../../subgraphs/kernel/account.ts';
import { type Ledger, readLedger } from '../ledger.ts';
import { issueOf, type ReceivedWebhook } from '../receiver.ts';
import type { Step } from '../stage.ts';
import type { StepDeps } from './deps.ts';

/** Event and status of the webhooks that the journey causes. */
const EXPECTED = [
  ['operation_created', 'pending'],
  ['operation_updated', 'processing'],
  ['operation_updated', 'completed'],
] as const;

/**
 * Waits for the three webhooks of the money request.
 * @returns them, all with a good signature
 * @throws Error when any webhook has another
 */
export async function receiveWebhooks(
  { receiver, colors }: StepDeps,
  referenceId: string,
  step: Step,
): Promise<ReceivedWebhook[]> {
  const received: ReceivedWebhook[] = [];
  for (const [event, status] of EXPECTED) {
    const matches = (webhook: ReceivedWebhook) =>
      webhook.issue !== undefined ||
      (webhook.referenceId === referenceId && webhook.event === event && webhook.status === status);
    const [webhook] = await receiver.webhooks.collect(1, matches, step.signal);
    if (!webhook || webhook.issue !== undefined) {
      throw new Error(`a webhook came with a bad signature: ${webhook?.issue}`);
    }
    step.say(
      `${colors.bold(event)} ${status} · ${webhook.body.length} bytes · delivery ${webhook.deliveryId}`,
    );
    step.say(`${colors.dim(`X-Webhook-Signature: ${webhook.signature}`)} ${colors.green('verified')}`);
    received.push(webhook);
  }
  for (const webhook of received.slice(-1)) {
    step.say(`the last one with a single byte changed: ${rejectTampered(receiver.secret, webhook)}`);
  }
  return received;
}

/** A verifier that accepts everything would show nothing. */
function rejectTampered(secret: string, { body, signature }: ReceivedWebhook): string {
  const tampered = Buffer.from(body);
  tampered[0] = (tampered[0] ?? 0) ^ 1;
  const issue = issueOf({ 'X-Webhook-Signature': signature }, tampered, secret);
  if (issue === undefined) {
    throw new Error('the verifier accepted a body that was changed');
  }
  return `rejected, ${issue}`;
}

/** The records of the journey: the money request's events in order, and each delivery with its attempts. */
export async function showLedger(
  { connection, partner, colors }: StepDeps,
  referenceId: string,
  webhooks: readonly ReceivedWebhook[],
  step: Step,
): Promise<void> {
  const deliveryIds = webhooks.map(({ deliveryId }) => deliveryId);
  const query = { accountId: accountOf(partner.tenantId, 'sandbox'), referenceId, deliveryIds };
  const { events, deliveries } = await readLedger(connection, query, step.signal);
  checkLedger({ events, deliveries });
  for (const { seq, version, type, previousStatus, status, statusDetails, occurredAt } of events) {
    const change = `${previousStatus ?? '–'} → ${status}`.padEnd(24);
    step.say(
      `${colors.cyan(`#${seq}`)} v${version} ${change}${(statusDetails ?? '').padEnd(20)}${colors.dim(`${type} ${occurredAt.toISOString()}`)}`,
    );
  }
  for (const { delivery, attempts } of deliveries) {
    const tries = attempts.map(
      ({ number, statusCode, ms }) => `attempt ${number}: ${statusCode} in ${ms} ms`,
    );
    step.say(`${delivery.event.padEnd(20)}${colors.green(delivery.status)} ${tries.join(', ')}`);
  }
}

function checkLedger({ events, deliveries }: Ledger): void {
  const statuses = events.map(({ status }) => status).join(', ');
  if (statuses !== 'pending, processing, completed') {
    throw new Error(`the statuses in the ledger are ${statuses}`);
  }
  if (deliveries.length !== EXPECTED.length || deliveries.some(({ attempts }) => attempts.length === 0)) {
    throw new Error('the ledger does not have each delivery with its attempts');
  }
}
