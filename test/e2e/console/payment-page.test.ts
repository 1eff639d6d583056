/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  updateStatus,
} from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { until } from '../../support/until.ts';
import { listDeliveries } from '../../support/webhook-graph.ts';

const scene = useScene();

const ATTEMPTS = 2;
const STEPS = `[...document.querySelectorAll('.steps li')].map((one) =>
  one.className + ' ' + one.querySelector('strong').innerText)`;
const ROWS_OF_WEBHOOKS = `[...document.querySelectorAll('.webhook-entry')]`;

describeInBrowser('The page of a payment', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  let reference = '';
  let webhooks = 0;
  beforeAll(async () => {
    const env = {
      WEBHOOK_MAX_ATTEMPTS: String(ATTEMPTS),
      WEBHOOK_RETRY_SECONDS: '0',
      WEBHOOK_SWEEP_SECONDS: '1',
    };
    stage = await openConsoleStage(scene, { env: { ...env, WEBHOOK_BREAKER: 'false' } });
    person = stage.person;
    stage.deployment.receiver.answer(() => 503);
    reference = newReference();
    const body = moneyRequestBody(reference, { amount: 1500.5 });
    expect((await createMoneyRequest(stage.exchange, body)).status).toBe(201);
    await until('its webhooks were given up', async () => {
      const { totalCount } = await listDeliveries(stage.exchange, {});
      const given = await listDeliveries(stage.exchange, { where: { status: 'DEAD_LETTERED' } });
      webhooks = totalCount;
      return totalCount > 0 && given.totalCount === totalCount;
    });
    await person.signIn(KEYS.acme);
  });

  test('begins with the amount, the verdict and the steps, those to come too', async () => {
    await person.open(`/money-requests/${reference}`);
    await person.shows('Waiting for the payer since');
    const heading = await person.page.evaluate<string>(`document.querySelector('h1').innerText`);
    expect(heading).toMatch(new RegExp(`^\\w{3}\\s1,500\\.50\\s+Money request ${reference}$`));
    expect(await person.page.evaluate(STEPS)).toEqual([
      'current Pending',
      'ahead Processing',
      'ahead Completed',
    ]);
    await person.page.until(`document.querySelector('.steps .current time')`);
  });

  test('never names a webhook as the cause, and counts those that failed on their tab', async () => {
    await person.open(`/money-requests/${reference}`);
    await person.page.until(`document.querySelector('.tabs .count.bad')`);
    expect(await person.text()).not.toContain('Problems');
    expect(await person.text()).not.toContain('answered with 503');
    await person.page.click(`document.querySelector('.tabs a[href$="tab=webhooks"]')`);
    await person.page.until(`location.search === '?tab=webhooks'`);
    await person.shows('The webhook was answered with 503.');
    expect(await person.page.evaluate(`document.querySelectorAll('.problems li').length`)).toBe(webhooks);
    expect(await person.page.evaluate(`document.querySelector('.tabs .count.bad').textContent`)).toContain(
      `${webhooks} not delivered`,
    );
    await person.shows('Waiting for the payer since');
  });

  test('has one row for each webhook by day, its attempts folded', async () => {
    for (const address of [`/money-requests/${reference}`, `/money-requests/${reference}?tab=webhooks`]) {
      await person.open(address);
      await person.page.until(`${ROWS_OF_WEBHOOKS}.length === ${webhooks}`);
      const [row, isFolded] = await person.page.evaluate<[string, boolean]>(`(() => {
        const [row] = ${ROWS_OF_WEBHOOKS};
        return [row.innerText, !row.querySelector('.attempts li').checkVisibility()];
      })()`);
      expect(row).toContain(`${ATTEMPTS} attempts`);
      expect(isFolded).toBe(true);
      await person.page.evaluate(`document.querySelector('.attempts summary').focus()`);
      await person.page.press('Enter');
      await person.shows(/Attempt 2: 503/);
      const days = await person.page.evaluate<string[]>(
        `[...document.querySelectorAll('ol.timeline')].map(({ ariaLabel }) => ariaLabel)`,
      );
      expect(days.length).toBeGreaterThan(0);
      expect(days.filter((day) => !/\b20\d\d\b/.test(day))).toEqual([]);
    }
  });

  test('offers to send a webhook again that was given up, or says which role may', async () => {
    const tab = `/money-requests/${reference}?tab=webhooks`;
    await person.signIn(KEYS.acme, 'READ');
    await person.open(tab);
    await person.shows('Send again: needs the role support.');
    await person.shows(/\bviewer\b/i);
    expect(await person.page.evaluate(`document.querySelectorAll('main .timeline button').length`)).toBe(0);
    await person.page.until(`document.querySelector('main .tabs a[href$="${reference}"]')`);
    await person.page.click(`document.querySelector('main .tabs a[href$="${reference}"]')`);
    await person.shows('POST /v1/request-money');
    expect(await person.page.evaluate(`document.querySelector('a[href*="/requests?"]')`)).toBeNull();
    await person.signIn(KEYS.acme);
    await person.open(tab);
    await person.press('Send again');
    await person.pressInDialog('Send again');
    await until('it was sent again and given up again', async () => {
      const { totalCount } = await listDeliveries(stage.exchange, { where: { status: 'DEAD_LETTERED' } });
      return totalCount === webhooks && (await person.text()).includes(`${2 * ATTEMPTS} attempts`);
    });
  });

  test('fits the list of webhooks into 1280 pixels', async () => {
    await person.page.resize(1280, 900);
    await person.open('/webhooks');
    await person.page.until(`document.querySelector('.table.fits tbody tr')`);
  });

  test('follows the payment while it is open: verdict, steps and title of the reader’s language', async () => {
    await person.open(`/money-requests/${reference}`);
    await person.page.until(`document.querySelector('[data-state=live]')`);
    await person.page.until(`document.querySelector('.verdict p')`);
    // Nothing is read again from time to time: only the event of the payment leads to its new verdict.
    await person.page.evaluate(`(() => {
      const newest = setInterval(() => undefined, 1_000_000);
      for (let timer = 1; timer <= newest; timer += 1) clearInterval(timer);
    })()`);
    await updateStatus(stage.exchange, { referenceId: reference, status: 'cancelled' });
    await person.page.until(`JSON.stringify(${STEPS}) === '["ended Pending","ended Cancelled"]'`);
    await person.page.until(`document.querySelector('.verdict.idle')?.innerText.includes('Cancelled')`);
    await person.page.evaluate(`(() => {
      const select = document.querySelector('#language');
      select.value = 'es';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await person.page.until(`document.querySelector('.verdict p')?.innerText.trim().startsWith('Cancelad')`);
    await person.page.evaluate(`localStorage.clear()`);
  });

  test('follows the payment that it shows, also after the way back from another one', async () => {
    const [first, second] = [newReference(), newReference()];
    for (const one of [first, second]) {
      expect((await createMoneyRequest(stage.exchange, moneyRequestBody(one))).status).toBe(201);
    }
    await person.open(`/money-requests/${first}`);
    await person.search(second);
    await person.page.until(`location.pathname === '/console/money-requests/${second}'`);
    await person.shows(`Money request ${second}`);
    await person.page.evaluate('history.back()');
    await person.shows(`Money request ${first}`);
    await person.page.until(`document.querySelector('[data-state=live]')`);
    await updateStatus(stage.exchange, { referenceId: first, status: 'cancelled' });
    await person.page.until(`JSON.stringify(${STEPS}) === '["ended Pending","ended Cancelled"]'`);
  });

  test('was allowed everything that it does', () => {
    expect(person.page.problems).toEqual([]);
  });
});
