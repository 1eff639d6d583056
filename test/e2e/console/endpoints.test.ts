/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../support/console-page.ts';
import { makeLink } from '../../support/console-session.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { untilLogged } from '../../support/logged-acts.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../../support/money-requests.ts';
import { headerOf } from '../../support/receiver.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { until } from '../../support/until.ts';
import { listDeliveries } from '../../support/webhook-graph.ts';

const CONFIGURE = `mutation ($input: UpdateWebhookConfigInput!) {
  updateWebhookConfig(input: $input) { userErrors { code } }
}`;

const scene = useScene();

describeInBrowser('On the screen of endpoints', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, {
      env: {
        ...{ WEBHOOK_MAX_ATTEMPTS: '2', WEBHOOK_RETRY_SECONDS: '3600', WEBHOOK_BREAKER: 'false' },
        WEBHOOK_SWEEP_SECONDS: '1',
      },
    });
    person = stage.person;
    await person.signIn(KEYS.acme);
  });
  const received = (reference: string) =>
    stage.deployment.receiver.webhooks.filter(({ text }) => text.includes(reference));
  const choose = (select: string, value: string) =>
    person.page.evaluate(`(() => {
      const select = document.querySelector('${select}');
      select.value = '${value}';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);

  test('a mistyped URL is corrected and what it missed arrives within five actions', async () => {
    const { receiver } = stage.deployment;
    receiver.answer(({ path }) => (path === '/hoook' ? 404 : 204));
    const wrong = { input: { webhookUrl: `${receiver.url}/hoook` } };
    expect(await queryGraph(stage.exchange, CONFIGURE, wrong)).toMatchObject({
      data: { updateWebhookConfig: { userErrors: [] } },
    });
    const reference = newReference();
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
    await until('the first attempt', () => received(reference).length === 1);

    await person.open('/');
    const before = person.presses();
    await person.press('Endpoints');
    await person.press('Edit');
    await person.fill('URL', `${receiver.url}/hook`);
    await person.pressInDialog('Save');
    await person.shows('1 webhook for a former URL of this endpoint is pending or undelivered');
    await person.pressInDialog('Send them');
    await until('the webhook at the right URL', () => received(reference).length === 2);
    // The field that was filled is an action, too.
    expect(person.presses() - before + 1).toBeLessThanOrEqual(5);
    const all = received(reference);
    expect(all.map(({ path }) => path)).toEqual(['/hoook', '/hook']);
    expect(new Set(all.map((one) => headerOf(one, 'X-Webhook-Delivery-Id'))).size).toBe(1);
    const { nodes } = await listDeliveries(stage.exchange, { where: { event: 'operation_created' } });
    await person.open(`/webhooks/${nodes[0]?.id}`);
    await person.shows('Former URL');
    await person.shows(`${receiver.url}/hoook`);
    await person.showsStatus('good', 'Delivered');
  });

  test('an endpoint is added with a filter, tested, paused, resumed and deleted, each after a question', async () => {
    const { receiver } = stage.deployment;
    receiver.answer(() => 204);
    await person.open('/endpoints');
    await person.press('Add an endpoint');
    await person.fill('URL', `${receiver.url}/audit`);
    await person.fill('Description', 'Audit');
    await choose('#new-endpoint-scheme', 'STANDARD_WEBHOOKS');
    await person.shows('The libraries of Standard Webhooks verify these webhooks');
    await person.pressInDialog('Add an endpoint');
    await person.shows('New secret (shown only once):');
    await person.pressInDialog('Close');
    await person.shows('Audit');
    await person.page.until(
      `/Standard Webhooks.*whpk_/s.test(document.querySelector('section[aria-label$="/audit"]')?.innerText)`,
    );
    const ofSecond = (name: string) =>
      `(() => {
        const buttons = [...document.querySelectorAll('section[aria-label$="/audit"] .actions button')];
        const found = buttons.find((one) => one.innerText.trim() === ${JSON.stringify(name)});
        // The charts above it come a moment later, and move it down.
        found?.scrollIntoView({ block: 'center' });
        return found;
      })()`;
    const press = async (name: string) => {
      await person.page.until(ofSecond(name));
      await person.page.click(ofSecond(name));
    };
    await press('Send a test webhook');
    await person.shows('A signed webhook with the event “test”');
    await person.pressInDialog('Send a test webhook');
    await person.shows(/Test webhook:\s*Delivered/);
    const audited = receiver.webhooks.find(({ path }) => path === '/audit');
    expect(audited && headerOf(audited, 'webhook-signature')).toMatch(/^v1,\S+ v1a,\S+$/);
    await press('Pause');
    await person.shows('None is lost.');
    await person.pressInDialog('Pause');
    await press('Resume');
    await person.pressInDialog('Resume');
    await press('Delete');
    await person.shows('Webhooks that wait for it are given up');
    await person.pressInDialog('Delete');
    await person.page.until(`!document.querySelector('section[aria-label$="/audit"]')`);
    await untilLogged(person, {
      ConsoleCreateEndpoint: 'Ana',
      ConsoleSendTestWebhook: 'Ana',
      ConsolePauseEndpoint: 'Ana',
      ConsoleResumeEndpoint: 'Ana',
      ConsoleDeleteEndpoint: 'Ana',
    });
  });

  test('a version of events can be chosen when there are several', async () => {
    await person.open('/endpoints');
    await person.press('Add an endpoint');
    await person.shows('Signature scheme');
    expect(await person.text()).not.toContain('Version of events');
    await person.pressInDialog('Cancel');
    // The catalogue has one version: the page reads of others, and the server rejects them.
    await person.page.evaluate(`(() => {
      const { fetch } = window;
      window.fetch = async (...call) => {
        const answer = await fetch(...call);
        const text = await answer.text();
        return new Response(text.replace('"webhookEventVersions":[1]', window.offered), answer);
      };
    })()`);
    const offer = async (versions: string) => {
      await person.page.evaluate(`window.offered = '"webhookEventVersions":${versions}'`);
      await person.press('Webhooks');
      await person.press('Endpoints');
      await person.page.until(
        `/Version of events\\s+1/.test(document.querySelector('section[aria-label$="/hook"]')?.innerText)`,
      );
      await person.press('Edit');
    };
    // Version 1 has ended: the endpoint still has it, and none can choose it.
    await offer('[2]');
    await person.shows('how long each version is supported');
    const choices = `[...document.querySelectorAll('#edit-first-version option')].map((one) => [one.value, one.disabled, one.selected])`;
    expect(await person.page.evaluate(choices)).toEqual([
      ['1', true, true],
      ['2', false, false],
    ]);
    await person.pressInDialog('Cancel');
    await offer('[1,2]');
    await person.shows('how long each version is supported');
    await choose('#edit-first-version', '2');
    await person.pressInDialog('Save');
    await person.shows('must be a supported version: 1');
  });

  test('a webhook that waits for its retry is sent now', async () => {
    const { receiver } = stage.deployment;
    receiver.answer(() => 503);
    const reference = newReference();
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
    await until('the first attempt', () => received(reference).length === 1);
    receiver.answer(() => 204);
    await person.open('/webhooks?status=PENDING');
    await person.press('operation_created');
    await person.press('Send now');
    await person.shows('The next attempt is made now');
    await person.pressInDialog('Send now');
    await person.showsStatus('good', 'Delivered');
    expect(received(reference).map(({ status }) => status)).toEqual([503, 204]);
  });

  test.each([
    [
      'OPERATE',
      ['Edit: needs the role admin.', 'Replace the secret: needs the role admin.'],
      'Add an endpoint',
    ],
    [
      'SUPPORT',
      ['Change and test endpoints: needs the role operator.', 'Add an endpoint: needs the role operator.'],
      'Send missed webhooks to this URL',
    ],
  ])('a session with the access %s sees the roles that it lacks', async (access, lacking, button) => {
    const { code } = await makeLink(stage.exchange, KEYS.acme, { access, label: 'Ben' });
    await person.signInBy(code);
    await person.open('/endpoints');
    await person.page.until(
      `[...document.querySelectorAll('button')].some((one) => one.innerText.trim() === ${JSON.stringify(button)})`,
    );
    const lacks = await person.page.evaluate<string[]>(
      `[...document.querySelectorAll('.lacks')].map((one) => one.innerText)`,
    );
    expect(lacks.toSorted()).toEqual(lacking.toSorted());
  });

  test('nothing that the console does is forbidden', () => {
    expect(person.page.problems).toEqual([]);
  });
});
