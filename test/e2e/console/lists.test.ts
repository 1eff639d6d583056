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

/** Labels and numbers of the tabs of statuses. */
const TABS = `[...document.querySelectorAll('.tabs a')].map((one) => one.innerText.replace(/\\s+/g, ' ').trim())`;
const KEYS_OF_ROWS = `[...document.querySelectorAll('tr[data-key]')].map(({ dataset }) => dataset.key)`;
const FOCUSED_ROW = `document.activeElement.closest('tr')?.dataset.key`;

describeInBrowser('A list of the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  /** References of money requests, newest first. */
  const references: string[] = [];
  beforeAll(async () => {
    stage = await openConsoleStage(scene, { env: {} });
    person = stage.person;
    for (let made = 0; made < 3; made += 1) {
      await create();
    }
    await updateStatus(stage.exchange, { referenceId: String(references[0]), status: 'cancelled' });
    await person.signIn(KEYS.acme);
  });

  async function create(): Promise<string> {
    const referenceId = newReference();
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(referenceId))).status).toBe(201);
    references.unshift(referenceId);
    return referenceId;
  }

  const openList = async (address = '/money-requests') => {
    await person.open(address);
    await person.page.until(`document.querySelector('tr[data-key]')`);
  };

  test('has a tab with the number of its records for each status; the numbers follow changes', async () => {
    await openList();
    await person.page.until(`${TABS}.includes('Pending 2')`);
    expect(await person.page.evaluate(TABS)).toEqual([
      'All 3',
      'Pending 2',
      'Processing 0',
      'Completed 0',
      'Rejected 0',
      'Cancelled 1',
    ]);
    await create();
    await person.page.until(`${TABS}.includes('All 4') && ${TABS}.includes('Pending 3')`);
    await person.press(/^Cancelled/);
    await person.page.until(`location.search === '?status=CANCELLED'`);
    await person.page.until(`JSON.stringify(${KEYS_OF_ROWS}) === '["${references[1]}"]'`);
    expect(await person.page.evaluate(`document.querySelector('.tabs [aria-current]').innerText`)).toMatch(
      /^Cancelled/,
    );
  });

  test('has statuses in words, and their codes in titles', async () => {
    await openList('/money-requests?status=PENDING');
    const [status, details] = await person.page.evaluate<[string, string]>(`
      ['.status', 'td:nth-child(3) [title]'].map((one) => document.querySelector('tr[data-key] ' + one)?.title)`);
    expect([status, details]).toEqual(['PENDING', 'AwaitingPayment']);
    await person.shows('Waiting for the payer');
  });

  test('opens a record by a press anywhere on its row, and by the middle button in a new tab', async () => {
    const [, reference] = references;
    const cell = `document.querySelector('tr[data-key="${reference}"] td:last-child')`;
    await openList();
    await person.page.clickMiddle(cell);
    const address = `${stage.server.url}/console/money-requests/${reference}`;
    await until('a new tab', async () => (await person.page.tabs()).includes(address));
    expect(await person.address()).toBe('/console/money-requests');
    await person.page.click(cell);
    await person.page.until(`location.pathname === '/console/money-requests/${reference}'`);
    await openList();
    const links = await person.page.evaluate<number>(
      `document.querySelectorAll('tr[data-key="${reference}"] a').length`,
    );
    expect(links).toBe(1);
  });

  test('is used by keys, but not while somebody types', async () => {
    const { page } = person;
    await openList();
    const rows = await page.evaluate<string[]>(KEYS_OF_ROWS);
    const focused: unknown[] = [];
    for (const key of ['j', 'j', 'k'] as const) {
      await page.press(key);
      focused.push(await page.evaluate(FOCUSED_ROW));
    }
    expect(focused).toEqual([rows[0], rows[1], rows[0]]);
    await page.intercept('*/graphql', 'hold');
    await page.press('Enter');
    await page.until(`location.pathname === '/console/money-requests/${rows[0]}'`);
    await page.until(`document.activeElement.tagName === 'H1'`);
    await page.press('/');
    await page.until(`document.activeElement.type === 'search'`);
    // The screen that comes with its data does not take the focus away.
    await page.intercept('*/graphql', undefined);
    await person.shows('Waiting for the payer since');
    for (const key of ['j', '?', '/'] as const) {
      await page.press(key);
    }
    await page.until(`document.activeElement.value === 'j?/'`);
    expect(await page.evaluate(`document.querySelector('dialog[open]')`)).toBeNull();
  });

  test('shows its keys at ?, which also turns them off', async () => {
    const { page } = person;
    await openList();
    await page.press('?');
    await page.until(`document.querySelector('dialog[open]')?.innerText.includes('Go to the search')`);
    await page.click(`document.querySelector('dialog[open] input[type=checkbox]')`);
    await person.pressInDialog('Close');
    await page.until(`!document.querySelector('dialog[open]')`);
    await page.press('j');
    expect((await page.evaluate(FOCUSED_ROW)) ?? null).toBeNull();
  });

  test('is kept as a view: an address with a name, its filters and a span of time up to now', async () => {
    await openList();
    await person.press('Last hour');
    await person.page.until(`location.search === '?last=1h'`);
    await person.press('Save this view');
    await person.fill('Name of the view', 'New & waiting');
    await person.press('Name it');
    await person.page.until(`document.title.startsWith('Money requests: New & waiting')`);
    expect(await person.address()).toBe('/console/money-requests?last=1h&view=New+%26+waiting');
    await openList('/money-requests?last=1h&view=New+%26+waiting');
    await person.shows('Money requests: New & waiting');
    expect(await person.page.evaluate(KEYS_OF_ROWS)).toEqual(references);
    await person.press('Any time');
    await person.page.until(`location.search === ''`);
  });

  test.each([
    [
      'the browser forbids it',
      `navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))`,
    ],
    [
      'the page has no HTTPS and so no clipboard',
      `Object.defineProperty(window, 'isSecureContext', { value: false });
       Object.defineProperty(navigator, 'clipboard', { value: undefined });`,
    ],
  ])('offers its address, selected, where %s', async (_why, denial) => {
    await openList('/money-requests?last=1h');
    await person.press('Save this view');
    await person.page.evaluate(`(() => { ${denial} })()`);
    await person.press('Copy link');
    await person.shows('Not copied: the browser does not allow it.');
    await person.page.until(`document.activeElement.value === location.href`);
    const selected = `document.activeElement.selectionEnd - document.activeElement.selectionStart`;
    expect(await person.page.evaluate(selected)).toBe(await person.page.evaluate('location.href.length'));
  });

  test('of webhooks leads to the payment that each is about', async () => {
    const [reference = ''] = references;
    await until('its webhooks', async () => (await listDeliveries(stage.exchange, {})).totalCount > 0);
    await openList('/webhooks');
    const link = `[...document.querySelectorAll('td:nth-child(3) a')].find((one) => one.innerText.trim() === '${reference}')`;
    await person.page.until(link);
    await person.page.click(link);
    await person.page.until(`location.pathname === '/console/money-requests/${reference}'`);
  });

  test('keeps its header in view while the page scrolls', async () => {
    for (let made = references.length; made < 25; made += 1) {
      await create();
    }
    await person.page.resize(1400, 500);
    await openList();
    await person.page.evaluate('scrollTo(0, 400)');
    await person.page.until(
      `Math.round(document.querySelector('thead th').getBoundingClientRect().top) === 0`,
    );
    await person.page.resize(1400, 1000);
  });

  test('is cards with a menu button on a narrow screen', async () => {
    const { page } = person;
    await page.resize(320, 640);
    await openList();
    const menu = `document.querySelector('button.menu')`;
    const isMenuOpen = `document.querySelector('nav.screens a').checkVisibility()`;
    expect(await page.evaluate(isMenuOpen)).toBe(false);
    const [width, isBelow, label] = await page.evaluate<[number, boolean, string]>(`(() => {
      const [first, second] = document.querySelector('tr[data-key]').cells;
      return [
        document.documentElement.scrollWidth,
        second.getBoundingClientRect().top >= first.getBoundingClientRect().bottom,
        getComputedStyle(second, '::before').content,
      ];
    })()`);
    expect([width <= 320, isBelow, label]).toEqual([true, true, '"Status"']);
    await page.click(menu);
    await page.until(isMenuOpen);
    expect(await page.evaluate(`${menu}.ariaExpanded`)).toBe('true');
    await page.press('Escape');
    await page.until(`!${isMenuOpen}`);
    await page.click(menu);
    await person.press('Webhooks');
    await page.until(`location.pathname === '/console/webhooks' && !${isMenuOpen}`);
    await page.resize(1400, 1000);
  });

  test('was allowed everything that it does', () => {
    expect(person.page.problems).toEqual([]);
  });
});
