/** @only-in-full */
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { exchangeWith } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { runProduct } from '../support/server-process.ts';
import { latestEventCursor } from '../support/statuses.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

// The promise of gateway/docs/backup.md on a restore to an earlier moment, with the same secrets.

const scene = useScene();

/** The documents of every collection. mongorestore brings the indexes too; here `admin migrate` makes them. */
async function copyAll(from: Connection, to: Connection): Promise<void> {
  for (const { name } of (await from.db?.listCollections().toArray()) ?? []) {
    const documents = await from.collection(name).find().toArray();
    if (documents.length > 0) {
      await to.collection(name).insertMany(documents);
    }
  }
}

/** The code with which a subscription after a cursor fails, or undefined when it goes on. */
async function follow(url: string, key: string, after: string): Promise<string | undefined> {
  const query = `subscription { requestMoneyStatusChanged(after: "${after}") { cursor } }`;
  const ending = new AbortController();
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': key },
    body: JSON.stringify({ query }),
    signal: ending.signal,
  });
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [event] = /"code":"\w+"|"cursor":/.exec(text) ?? [];
    if (event !== undefined) {
      ending.abort();
      return /"code":"(\w+)"/.exec(event)?.[1];
    }
  }
  throw new Error(`The stream has ended: ${text}`);
}

test('a restored database goes on: the same answers, the webhooks that were left, and no cursor of the lost time', async () => {
  const env = { WEBHOOK_SWEEP_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_MAX_ATTEMPTS: '50' };
  const deployment = await scene.deploy({ env });
  const { receiver } = deployment;
  const server = await deployment.start();
  const exchange = exchangeWith(server.url);
  receiver.answer(() => 503);

  const referenceId = newReference();
  const before = await latestEventCursor(exchange);
  const idempotencyKey = `restored-${referenceId}`;
  const body = moneyRequestBody(referenceId);
  const created = await createMoneyRequest(exchange, body, { idempotencyKey });
  expect(created.status).toBe(201);
  await until('a failed attempt', () => receiver.webhooks.length > 0);
  await until('the number of its event', async () => (await latestEventCursor(exchange)) !== before);

  const restored = await openTestDatabase();
  scene.atEnd(restored.close);
  await copyAll(await deployment.database(), restored.connection);

  const lost = newReference();
  const atBackup = await latestEventCursor(exchange);
  expect((await createMoneyRequest(exchange, moneyRequestBody(lost))).status).toBe(201);
  await until('its number', async () => (await latestEventCursor(exchange)) !== atBackup);
  const afterBackup = await latestEventCursor(exchange);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  receiver.answer(() => 204);
  const sentBefore = receiver.webhooks.length;
  const onRestored = { ...deployment.env, MONGODB_URI: restored.uri, PORT: '0' };
  const migrated = runProduct(resolve('dist/bin/admin.js'), ['migrate'], onRestored);
  expect((await migrated.exited).code).toBe(0);
  const next = await deployment.start({ MONGODB_URI: restored.uri });
  const again = exchangeWith(next.url);
  expect((await lookUp(again, referenceId)).status).toBe(200);
  const repeated = await createMoneyRequest(again, body, { idempotencyKey });
  expect([repeated.status, repeated.text]).toEqual([created.status, created.text]);
  expect((await lookUp(again, lost)).status).toBe(404);

  await until('the webhook that was left', () =>
    receiver.webhooks
      .slice(sentBefore)
      .some(({ status, text }) => status === 204 && text.includes(referenceId)),
  );
  const [first] = receiver.webhooks;
  const delivered = receiver.webhooks.slice(sentBefore).find(({ text }) => text.includes(referenceId));
  const idOf = (webhook: typeof first) => webhook && headerOf(webhook, 'X-Webhook-Delivery-Id');
  expect(idOf(delivered)).toBe(idOf(first));

  expect(await follow(next.url, KEYS.acme, before)).toBeUndefined();
  expect(await follow(next.url, KEYS.acme, afterBackup)).toBe('INVALID_CURSOR');

  const doctor = runProduct(resolve('dist/bin/doctor.js'), ['--json'], onRestored);
  expect((await doctor.exited).code).toBe(0);
});
