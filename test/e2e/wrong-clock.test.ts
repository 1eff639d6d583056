/**
 * @starts-processes A clock is wrong for a whole process.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { callAtomic, callerOf, newAtomicCall, seedCallers } from '../support/atomic-calls.ts';
import { exchangeWith } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { preloading } from '../support/preloads.ts';
import { useScene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const scene = useScene();

test('a process whose clock is set 10 minutes ahead is not ready, and does nothing until it is right', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-clock-'));
  scene.atEnd(async () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ahead');
  const setAhead = (ms: number) => writeFileSync(file, String(ms));
  setAhead(0);
  const deployment = await scene.deploy({ processes: true });
  seedCallers(deployment);
  const server = await deployment.start({
    ...preloading('wrong-clock'),
    CLOCK_FILE: file,
    WEBHOOK_SWEEP_SECONDS: '1',
  });
  const exchange = exchangeWith(server.url);
  const get = (path: string) => exchange({ method: 'GET', path });

  setAhead(10 * MINUTE);
  await until('the process is not ready', async () => (await get('/health/ready')).status === 503);
  const ready = await get('/health/ready');
  expect([ready.status, JSON.parse(ready.text)]).toEqual([
    503,
    { status: 'unavailable', draining: false, checks: { store: 'ok', writes: 'ok', clock: 'failed' } },
  ]);
  const { text: metrics } = await get('/metrics');
  const [, skew] = /^clock_skew_seconds ([\d.]+)$/m.exec(metrics) ?? [];
  expect(Number(skew)).toBeCloseTo(600, -1);

  // It still answers, and writes the time of the database.
  const referenceId = newReference();
  const created = await createMoneyRequest(exchange, {
    ...moneyRequestBody(referenceId),
    expiresInMinutes: 5,
  });
  expect(created.status).toBe(201);
  const { createdAt, expiresAt } = JSON.parse((await lookUp(exchange, referenceId)).text);
  expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(MINUTE);
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(5 * MINUTE);
  const deliveries = (await deployment.database()).collection('webhookDeliveries');
  expect(await deliveries.findOne({ status: 'PENDING' })).toMatchObject({ attempt: 0, claims: 0 });
  const accepted = await callAtomic(
    exchange,
    newAtomicCall({ caller: callerOf(0), method: 'account', requester: 'Lopez', payer: 'Smith' }),
  );
  expect(accepted.status).toBeLessThan(300);
  const remittances = (await deployment.database()).collection('remittances');
  expect(await remittances.findOne({})).toMatchObject({ status: 'IN_PROGRESS', version: 1, claims: 0 });

  setAhead(0);
  await until('the process is ready', async () => (await get('/health/ready')).status === 200);
  await until(
    'the atomic call is done',
    async () => (await remittances.findOne({ status: 'SUCCEEDED' })) !== null,
  );
  await until('the webhook is sent', () => deployment.receiver.webhooks.length > 0);
  expect(JSON.parse((await lookUp(exchange, referenceId)).text)).toMatchObject({ status: 'pending' });

  setAhead(-60 * MINUTE);
  await until('the process is not ready', async () => (await get('/health/ready')).status === 503);
});
