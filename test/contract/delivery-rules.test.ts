import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TenantInput } from '../../subgraphs/partners/tenants/service.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { hasGoodSignature, headerOf, type ReceivedWebhook, type Receiver } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { SECRETS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const scene = useScene();
let exchange: Exchange;
let receiver: Receiver;
let target: TestApp;
beforeAll(async () => {
  const deployment = await scene.deploy();
  target = await buildTestApp({
    ...deployment.env,
    WEBHOOK_SWEEP_SECONDS: '1',
    WEBHOOK_RETRY_SECONDS: '0',
    WEBHOOK_MAX_ATTEMPTS: '20',
  });
  scene.atEnd(target.close);
  receiver = deployment.receiver;
  exchange = injectInto(target.app);
});

/** Acme as seeded, but for these settings. */
async function configure(changes: Partial<TenantInput>): Promise<void> {
  const { createdAt: _, updatedAt: __, ...acme } = (await target.subgraphs.tenants.find('acme/sandbox'))!;
  await target.subgraphs.tenants.upsert({ ...acme, ...changes });
}

const webhooksOf = (referenceId: string): readonly ReceivedWebhook[] =>
  receiver.webhooks.filter(({ text }) => text.includes(`"referenceId":"${referenceId}"`));

function deliveries(): Promise<number> {
  return target.connection.collection('webhookDeliveries').countDocuments();
}

describe('The webhook settings of a partner (document 2, "Delivery rules" 6 and 7)', () => {
  test('are those in force when the event is stored, for all its retries', async () => {
    const [before, after] = [newReference(), newReference()];
    let rejecting = true;
    receiver.answer(({ path }) => (path === '/hook' && rejecting ? 500 : 204));
    await createMoneyRequest(exchange, moneyRequestBody(before));
    await until('a first attempt', () => webhooksOf(before).length > 0);
    const webhookUrl = `${receiver.url}/elsewhere`;
    await configure({ webhookUrl, webhookSecret: 'whsec_acme_0002' });
    rejecting = false;
    await createMoneyRequest(exchange, moneyRequestBody(after));
    await until('a retry', () => webhooksOf(before).some(({ status }) => status === 204));
    await until('the new event', () => webhooksOf(after).length === 1);

    expect(new Set(webhooksOf(before).map(({ path }) => path))).toEqual(new Set(['/hook']));
    expect(webhooksOf(before).every((webhook) => hasGoodSignature(webhook, SECRETS.acme!))).toBe(true);
    expect(webhooksOf(after).map(({ path }) => path)).toEqual(['/elsewhere']);
    expect(webhooksOf(after).every((webhook) => hasGoodSignature(webhook, 'whsec_acme_0002'))).toBe(true);
  });

  test('without a secret: no signature', async () => {
    const referenceId = newReference();
    await configure({ webhookUrl: `${receiver.url}/hook`, webhookSecret: '' });
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await until('the event', () => webhooksOf(referenceId).length === 1);
    const names = webhooksOf(referenceId)[0]!.rawHeaders.map(([name]) => name.toLowerCase());
    expect(names).toContain('x-webhook-delivery-id');
    expect(names).not.toContain('x-webhook-signature');
    expect(headerOf(webhooksOf(referenceId)[0]!, 'X-Webhook-Event')).toBe('operation_created');
  });

  test('without a URL: no events', async () => {
    await configure({ webhookUrl: '' });
    const before = await deliveries();
    expect((await createMoneyRequest(exchange, moneyRequestBody(newReference()))).status).toBe(201);
    expect((await createMoneyRequest(exchange, '{')).status).toBe(422);
    expect(await deliveries()).toBe(before);
  });
});
