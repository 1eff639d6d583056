/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { IS_FULL } from '../../support/depth.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../../support/money-requests.ts';
import { headerOf, type ReceivedWebhook, signatureOf } from '../../support/receiver.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS, SECRETS } from '../../support/seed.ts';
import { until } from '../../support/until.ts';
import { changeDelivery, listDeliveries, REPLAY, SEND_TEST } from '../../support/webhook-graph.ts';

/** Dead letters that are sent again as one job. */
const MANY = IS_FULL ? 200 : 40;
const AT_ONCE = 20;
const DEAD_LETTERED = { where: { status: 'DEAD_LETTERED' } };

const scene = useScene();

describeInBrowser('In the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, { env: { WEBHOOK_MAX_ATTEMPTS: '1', WEBHOOK_BREAKER: 'false' } });
    person = stage.person;
    await person.signIn(KEYS.acme);
  });

  const idOf = (webhook: ReceivedWebhook) => String(headerOf(webhook, 'X-Webhook-Delivery-Id'));
  const countDeadLetters = async () => (await listDeliveries(stage.exchange, DEAD_LETTERED)).totalCount;

  test('a failed webhook is seen on the overview and sent again within four presses; it arrives once', async () => {
    const { receiver } = stage.deployment;
    receiver.answer(() => 503);
    const reference = newReference();
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
    await person.open('/');
    await person.shows(/1\s+Webhooks given up/);
    receiver.answer(() => 204);
    const before = person.presses();
    await person.press(/Webhooks given up$/);
    await person.press('operation_created');
    await person.shows(/Attempt 1 .* 503 /);
    await person.shows('Rejected by the receiver');
    await person.press('Send again');
    await person.pressInDialog('Send again');
    await person.showsStatus('good', 'Delivered');
    expect(person.presses() - before).toBeLessThanOrEqual(4);
    const sent = receiver.webhooks.filter(({ text }) => text.includes(reference));
    expect(sent.map(({ status }) => status)).toEqual([503, 204]);
    expect(new Set(sent.map(idOf)).size).toBe(1);
    expect(await countDeadLetters()).toBe(0);
  });

  test('the timeline of a payment that is open shows what becomes of its webhooks', async () => {
    const { receiver } = stage.deployment;
    receiver.answer(() => 503);
    const reference = newReference();
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
    await until('it has failed', async () => (await countDeadLetters()) === 1);
    await person.open(`/money-requests/${reference}?tab=webhooks`);
    await person.shows('The webhook was answered with 503.');
    await person.page.until(`document.querySelector('[data-state=live]')`);
    receiver.answer(() => 204);
    const { nodes } = await listDeliveries(stage.exchange, DEAD_LETTERED);
    await changeDelivery(stage.exchange, REPLAY, { id: nodes[0]?.id });
    await person.shows(/operation_created\s+Delivered/);
    await person.page.until(`!document.body.innerText.includes('Problems')`);
  });

  test('many dead letters are counted, sent again as one job with its progress, each once', async () => {
    const { receiver } = stage.deployment;
    receiver.answer(() => 500);
    for (let made = 0; made < MANY; made += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => changeDelivery(stage.exchange, SEND_TEST)));
    }
    await until('they have failed', async () => (await countDeadLetters()) === MANY);
    receiver.answer(() => 204);
    const before = receiver.webhooks.length;
    await person.open('/webhooks');
    await person.press('Send matching webhooks again');
    await person.shows('These are only webhooks that were given up.');
    await person.open('/webhooks?status=DEAD_LETTERED');
    await person.press('Send matching webhooks again');
    await person.shows(`${MANY.toLocaleString('en')} webhooks will be sent again.`);
    await person.pressInDialog('Send them again');
    const shown = MANY.toLocaleString('en');
    await person.shows(new RegExp(`Done\\s+${shown} of ${shown}`));
    await until(
      'all were sent',
      async () => receiver.webhooks.length - before >= MANY && (await countDeadLetters()) === 0,
    );
    const ids = receiver.webhooks.slice(before).map(idOf);
    expect({ sent: ids.length, different: new Set(ids).size }).toEqual({ sent: MANY, different: MANY });
  });

  test('a secret is replaced and shown once; for the overlap both sign, and the page can check either', async () => {
    await person.open('/endpoints');
    await person.press('Replace the secret');
    await person.fill('Hours during which the old secret also signs', '2');
    await person.pressInDialog('Replace the secret');
    await person.shows('New secret (shown only once):');
    const secret = await person.page.evaluate<string>(`document.querySelector('.secret').textContent`);
    await person.pressInDialog('Close');
    await person.page.until(`!document.documentElement.outerHTML.includes(${JSON.stringify(secret)})`);
    const reference = newReference();
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
    const find = () => stage.deployment.receiver.webhooks.find(({ text }) => text.includes(reference));
    await until('the webhook', () => find() !== undefined);
    const { text = '', rawHeaders = [] } = find() ?? {};
    const header = String(headerOf({ rawHeaders }, 'X-Webhook-Signature'));
    expect(header.split(',')).toHaveLength(3);
    const [t, byNew, byFormer] = header.split(',');
    for (const [key, v1] of [
      [secret, byNew],
      [SECRETS.acme, byFormer],
    ]) {
      expect(signatureOf(String(key), String(t).slice(2), text)).toBe(`${t},${v1}`);
    }
    for (const [key, verdict] of [
      [secret, 'The signature is valid.'],
      [String(SECRETS.acme), 'The signature is valid.'],
      ['another', 'The signature does not match.'],
    ] as const) {
      await person.open('/endpoints');
      await person.fill('Secret', key);
      await person.fill('Value of X-Webhook-Signature, X-RAAS-Signature or webhook-signature', header);
      await person.fill('Body', text);
      await person.press('Check a signature');
      await person.shows(verdict);
    }
    await person.fill('Body', `${text} `);
    await person.page.until(`!document.body.innerText.includes('The signature does not match.')`);
  });

  test('the console has forbidden nothing that it does', () => {
    expect(person.page.problems).toEqual([]);
  });
});
