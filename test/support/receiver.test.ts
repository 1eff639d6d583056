import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WEBHOOK_EVENTS } from '../../subgraphs/webhook-events/catalogue.ts';
import { exchangeByTls } from './https.ts';
import { startReceiver } from './receiver.ts';
import { createTestCertificate, type TestCertificate } from './test-certificate.ts';

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await createTestCertificate();
});
afterAll(() => certificate.remove());

const [created] = WEBHOOK_EVENTS;

/** A receiver that has got this body, and answered it. */
async function receiverOf(body: object) {
  const receiver = await startReceiver(certificate);
  const exchange = exchangeByTls(Number(new URL(receiver.url).port), { ca: certificate.cert });
  const { status } = await exchange({ method: 'POST', path: '/hook', body: JSON.stringify(body) });
  expect([status, receiver.webhooks.length]).toEqual([204, 1]);
  return receiver;
}

test('a receiver ends without an error after webhooks as the catalogue describes them', async () => {
  await (await receiverOf({ ...created?.example })).close();
});

test('a receiver reports a webhook with an unknown member when it ends', async () => {
  const receiver = await receiverOf({ ...created?.example, more: 1 });
  await expect(receiver.close()).rejects.toThrow(/1 webhook.*must NOT have additional properties.*"more":1/s);
});
