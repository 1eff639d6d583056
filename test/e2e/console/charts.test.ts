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

const scene = useScene();
/** Money requests by their last status; each of `completed` and `rejected` has an operation or none. */
const STATUSES = ['completed', 'completed', 'completed', 'rejected', 'pending'] as const;

describeInBrowser('The charts of the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, { env: { WEBHOOK_MAX_ATTEMPTS: '1', WEBHOOK_BREAKER: 'false' } });
    person = stage.person;
    for (const status of STATUSES) {
      const referenceId = newReference();
      expect((await createMoneyRequest(stage.exchange, moneyRequestBody(referenceId))).status).toBe(201);
      if (status !== 'pending') {
        expect((await updateStatus(stage.exchange, { referenceId, status })).status).toBe(200);
      }
    }
    await person.signIn(KEYS.acme);
  });

  const rowsOf = () =>
    person.page.evaluate<string[]>(
      `[...document.querySelectorAll('tbody tr')].map((row) => row.innerText.replaceAll('\\t', ' '))`,
    );

  test('show today’s failure rate beside last week’s, without a press', async () => {
    await person.open('/?of=REQUEST_MONEY&range=24h');
    await person.shows(/Failed today\s+25%\s+a week ago: –/);
    await person.shows('Nothing was created in the period before');
    expect((await person.text()).match(/compare/g)).toHaveLength(1);
    await person.shows(/Created\s+5\b/);
    await person.shows(/Success rate\s+75%/);
    await person.shows(/Completed\s+3/);
  });

  test('link each figure to the list of its records', async () => {
    await person.open('/?of=REQUEST_MONEY&range=24h');
    await person.press(/^Failed today/);
    await person.showsStatus('bad', 'Rejected');
    expect(await rowsOf()).toHaveLength(1);
    expect(await person.address()).toMatch(/\/money-requests\?from=\S+&status=REJECTED&to=/);
  });

  test('have a link over each bar, and the same in a table', async () => {
    await person.open('/?of=REQUEST_MONEY&range=24h');
    await person.page.until(`document.querySelectorAll('.chart canvas').length >= 5`);
    const bars = `document.querySelector('.chart .plot-links').querySelectorAll('a[href*="from="]')`;
    expect(await person.page.evaluate<number>(`${bars}.length`)).toBe(24);
    await person.press(/^Show as a table\s+Created/);
    const table = `document.querySelector('.chart table')`;
    await person.page.until(table);
    const links = `[...${table}.querySelectorAll('a')].map(({ href }) => href)`;
    expect(await person.page.evaluate<string[]>(links)).toEqual(
      await person.page.evaluate<string[]>(`[...${bars}].map(({ href }) => href)`),
    );
    // The present hour has them all, unless a new one has begun meanwhile.
    const counts = `[...${table}.querySelectorAll('tbody td:nth-child(2)')].map((cell) => Number(cell.innerText))`;
    const completed = await person.page.evaluate<number[]>(counts);
    expect(completed.reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  test('keep their range in the address, also one that a person chooses', async () => {
    await person.open('/');
    await person.press('30 days');
    await person.page.until(`location.search.includes('range=30d')`);
    await person.page.until(
      `document.querySelector('.ranges [aria-current]') && document.querySelector('.plot-links')`,
    );
    await person.press('90 days');
    await person.page.until(`document.querySelector('.plot-links')?.childElementCount === 90`);
    expect(await person.address()).toContain('range=90d');
    await person.open((await person.address()).replace('/console', ''));
    await person.page.until(`document.querySelector('.plot-links')?.childElementCount === 90`);
    await person.open('/?from=2026-11-01T00:00:00.000Z&to=2026-11-03T00:00:00.000Z');
    await person.page.until(`document.querySelector('.plot-links')?.childElementCount === 48`);
    const chosen = `document.querySelector('.ranges summary').getAttribute('aria-current')`;
    expect(await person.page.evaluate<string | null>(chosen)).toBe('true');
  });

  test('are replaced by the reason where a range is not possible, and the form says it before it leads to one', async () => {
    await person.open('/?from=2026-11-03T00:00:00.000Z&to=2026-11-01T00:00:00.000Z');
    await person.shows('The range ends before it starts.');
    expect(await person.page.evaluate(`document.querySelector('.card.figure, .chart')`)).toBeNull();
    await person.press('7 days');
    await person.page.until(`document.querySelector('.chart')`);
    const before = await person.address();
    await person.press('Other range');
    await person.page.evaluate(`(() => {
      const to = document.querySelector('#range-to');
      to.value = '2020-01-01T00:30';
      to.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await person.press('Apply');
    await person.shows('The range ends before it starts.');
    expect(await person.address()).toBe(before);
  });

  test('rank corridors and the causes of failures, which link to the list of their records', async () => {
    await person.open('/?of=REQUEST_MONEY&range=24h');
    await person.shows(/Failures by cause\s+Rejected by the payer or the provider\s+1/);
    await person.press('Rejected by the payer or the provider');
    await person.showsStatus('bad', 'Rejected');
    await person.page.until(`document.querySelectorAll('tbody tr').length === 1`);
    expect(await person.address()).toMatch(
      /\/money-requests\?failureCause=REJECTED&from=\S+&status=REJECTED&to=/,
    );
    await person.open('/?of=REQUEST_MONEY&range=24h');
    await person.shows(/United States → Mexico\s+5\s+3 completed/);
    await person.press('United States → Mexico');
    await person.page.until(`document.querySelectorAll('tbody tr').length === 5`);
    expect(await person.address()).toMatch(
      /\/money-requests\?destinationCountry=MX&from=\S+&sourceCountry=US&to=/,
    );
  });

  test('link a volume to the completed records of its currency, unless the range is too long for such a list', async () => {
    await person.open('/?of=REQUEST_MONEY&range=24h');
    await person.press(/^Completed volume, MXN/);
    await person.page.until(`document.querySelectorAll('tbody tr').length === 3`);
    expect(await person.address()).toMatch(/\/money-requests\?currency=MXN&from=\S+&status=COMPLETED&to=/);
    await person.open('/?of=REQUEST_MONEY&range=90d');
    await person.shows(/United States → Mexico\s+5/);
    const links = `document.querySelector('.ranked a, a.card[href*="currency="]')`;
    expect(await person.page.evaluate(links)).toBeNull();
    // Each day has a list.
    await person.page.until(`document.querySelectorAll('.plot-links a[href*="currency=MXN"]').length === 90`);
  });

  test('keep a list of a currency within the days for which the graph selects it', async () => {
    await person.open('/money-requests?currency=mxn');
    await person.page.until(`document.querySelectorAll('tbody tr').length === ${STATUSES.length}`);
    await person.open('/money-requests?currency=usd&last=7d');
    await person.shows('Nothing matches these filters.');
  });

  test('show a day of attempts of each endpoint, by hour and, unfolded, by duration', async () => {
    await person.open('/endpoints');
    await person.shows('Attempts in the last 24 hours');
    await person.page.until(`document.querySelectorAll('.chart .plot-links')[0]?.childElementCount === 24`);
    expect(await person.text()).not.toMatch(/up to 10\s?ms/);
    const link = `document.querySelector('.chart .plot-links').lastElementChild.getAttribute('href')`;
    const href = await person.page.evaluate<string>(link);
    expect(href).toMatch(/^\/console\/webhooks\?endpointId=first&from=[^&]+&to=[^&]+$/);
    await person.press('Duration of attempts in the last 24 hours');
    await person.shows(/up to 10\s?ms/);
    expect(await person.page.evaluate(`document.querySelector('.ranked a')`)).toBeNull();
    await person.open(href.replace('/console', ''));
    // The present hour has them all, unless a new one has begun meanwhile.
    await person.page.until(`document.querySelectorAll('tbody tr').length > 0`);
    await person.shows('remove the filter by endpoint');
    await person.open('/webhooks?endpointId=none');
    await person.shows('Nothing matches these filters.');
  });
});
