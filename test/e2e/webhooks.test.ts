import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  updateStatus,
} from '../support/money-requests.ts';
import { hasGoodSignature, headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS, SECRETS } from '../support/seed.ts';
import { MOSTLY_ALL } from '../support/server.ts';
import { cashBody } from '../support/statuses.ts';
import { until } from '../support/until.ts';

describe.each(MOSTLY_ALL)('Arrangement %s', (arrangement) => {
  const scene = useScene();
  let deployment: Deployment;
  let exchange: Exchange;
  beforeAll(async () => {
    deployment = await scene.deploy({
      arrangement,
      env: { WEBHOOK_SWEEP_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1' },
    });
    exchange = exchangeWith((await deployment.start()).url);
  });

  const attemptsOf = (referenceId: string) =>
    deployment.receiver.webhooks.filter(({ text }) => text.includes(`"referenceId":"${referenceId}"`));
  const statusOf = async (deliveryId: string | undefined) => {
    const database = await deployment.database();
    const found = await database.collection('webhookDeliveries').findOne({ _id: deliveryId as never });
    return found?.status;
  };

  describe('A webhook that is not accepted', () => {
    test('is tried again with the same id and bytes and a fresh signature; five failures are the end', async () => {
      const [recovering, hopeless] = [newReference(), newReference()];
      deployment.receiver.answer(({ text }, nth) => (text.includes(hopeless) || nth < 3 ? 500 : 200));
      await createMoneyRequest(exchange, moneyRequestBody(recovering));
      await createMoneyRequest(exchange, moneyRequestBody(hopeless));
      await until('a third attempt', () => attemptsOf(recovering).length === 3);
      await until('a fifth attempt', () => attemptsOf(hopeless).length === 5);
      deployment.receiver.answer(() => 204);

      for (const [referenceId, count] of [[recovering, 3] as const, [hopeless, 5] as const]) {
        const attempts = attemptsOf(referenceId);
        const distinct = (of: (attempt: (typeof attempts)[number]) => unknown) =>
          new Set(attempts.map(of)).size;
        expect(distinct(({ text }) => text)).toBe(1);
        expect(distinct((attempt) => headerOf(attempt, 'X-Webhook-Delivery-Id'))).toBe(1);
        expect(distinct((attempt) => headerOf(attempt, 'X-Webhook-Signature'))).toBe(count);
        expect(attempts.every((attempt) => hasGoodSignature(attempt, SECRETS.acme!))).toBe(true);
      }
      const idOf = (referenceId: string) => headerOf(attemptsOf(referenceId)[0]!, 'X-Webhook-Delivery-Id');
      await until('delivered', async () => (await statusOf(idOf(recovering))) === 'DELIVERED');
      await until('dead', async () => (await statusOf(idOf(hopeless))) === 'DEAD_LETTERED');
    });
  });

  /** How many deliveries a call stores. */
  async function deliveriesBy(call: () => Promise<unknown>): Promise<string[]> {
    const deliveries = (await deployment.database()).collection('webhookDeliveries');
    const before = await deliveries.countDocuments();
    await call();
    const all = await deliveries.find().sort({ createdAt: 1, _id: 1 }).toArray();
    const names = all.map(({ event }) => String(event));
    return names.slice(before).toSorted();
  }

  describe('Events are stored before the call answers', () => {
    const referenceId = newReference();
    test.each<[string, () => Promise<unknown>, string[]]>([
      ['a create', () => createMoneyRequest(exchange, moneyRequestBody(referenceId)), ['operation_created']],
      [
        'a create of a tenant that wants all',
        () => createMoneyRequest(exchange, cashBody(newReference()), { key: KEYS.globex }),
        ['operation_created', 'request_money.created'],
      ],
      ['a lookup', () => lookUp(exchange, referenceId), []],
      ['a duplicate', () => createMoneyRequest(exchange, moneyRequestBody(referenceId)), ['operation_error']],
      [
        'an error for a tenant that wants all',
        () => createMoneyRequest(exchange, '{', { key: KEYS.globex }),
        ['operation_error', 'request_money.failed'],
      ],
      [
        'an unknown key',
        () => createMoneyRequest(exchange, moneyRequestBody(newReference()), { key: 'unknown-key-0000' }),
        [],
      ],
      [
        'a missing feature',
        () => createMoneyRequest(exchange, moneyRequestBody(newReference()), { key: KEYS.initech }),
        [],
      ],
      [
        'a missing scope',
        () => createMoneyRequest(exchange, moneyRequestBody(newReference()), { key: KEYS.acmeBare }),
        [],
      ],
      ['a move', () => updateStatus(exchange, { referenceId, status: 'processing' }), ['operation_updated']],
      ['the same move again', () => updateStatus(exchange, { referenceId, status: 'processing' }), []],
      [
        'an illegal move',
        () => updateStatus(exchange, { referenceId, status: 'pending' }),
        ['operation_error'],
      ],
      [
        'a move of an unknown money request',
        () => updateStatus(exchange, { referenceId: newReference(), status: 'processing' }),
        ['operation_error'],
      ],
      [
        'a move for an unknown partner',
        () => updateStatus(exchange, { partnerId: 'nobody', referenceId, status: 'processing' }),
        [],
      ],
    ])('%s', async (_name, call, events) => {
      expect(await deliveriesBy(call)).toEqual(events);
    });

    test('a replay of a create stores none', async () => {
      const body = moneyRequestBody(newReference());
      const options = { idempotencyKey: `replay-${body.referenceId}` };
      await createMoneyRequest(exchange, body, options);
      expect(await deliveriesBy(() => createMoneyRequest(exchange, body, options))).toEqual([]);
    });
  });
});
