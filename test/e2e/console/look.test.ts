/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import { IS_READ } from '../../console/visit.ts';
import { paceOf } from '../../runner/pace.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';

const scene = useScene();

const SKELETON = `document.querySelector('.skeleton')`;
const SPOKEN = `[...document.querySelectorAll('[role=status]')].filter((one) => one.textContent === 'Loading…').length`;
/** How far the page has moved by itself. Source: "layout shift" of the W3C's Layout Instability; up to 0.1 is good. */
const WATCH_SHIFTS = `window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value;
  }).observe({ type: 'layout-shift' }); 0`;
/** Resolves after two more frames: the last drawing is measured then. */
const TWO_FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))`;
const GOOD_SHIFT = 0.1;
/** When the page has drawn its largest part, in milliseconds from the navigation ("largest contentful paint" of the W3C). */
const LARGEST_PAINT_MS = `new Promise((done) => new PerformanceObserver((list) =>
  done(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`;

const LISTS = ['/operations', '/money-requests', '/atomic-calls', '/webhooks', '/users', '/links'];

describeInBrowser('The look of the console', () => {
  let person: ConsolePage;
  const reference = newReference();
  beforeAll(async () => {
    const stage = await openConsoleStage(scene, {});
    person = stage.person;
    await person.page.resize(1400, 1000);
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
    await person.signIn(KEYS.acme);
  });

  test.each(['/', '/users', '/keys', '/endpoints', `/money-requests/${reference}`])(
    'keeps the place of what %s reads, and says once that it loads',
    async (path) => {
      const { page } = person;
      await page.intercept('*/graphql', 'hold');
      await person.open(path);
      await page.until(`${SKELETON} && ${SPOKEN} === 1`);
      await page.evaluate(WATCH_SHIFTS);
      await page.intercept('*/graphql', undefined);
      await page.until(`${IS_READ} && ${SPOKEN} === 0`);
      await page.evaluate(TWO_FRAMES);
      expect(await page.evaluate<number>('shift')).toBeLessThanOrEqual(GOOD_SHIFT);
    },
  );

  test.each(['/', '/operations', `/money-requests/${reference}`])(
    'draws the largest part of %s within a second',
    async (path) => {
      await person.open(path);
      await person.page.until(IS_READ);
      const ms = await person.page.evaluate<number>(LARGEST_PAINT_MS);
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(1_000 * paceOf());
    },
  );

  test('has an icon beside each screen, which screen readers skip', async () => {
    await person.open('/');
    const [screens = 0, icons] = await person.page.evaluate<number[]>(
      `['', ' svg.icon[aria-hidden=true] > *:first-child'].map((icon) => document.querySelectorAll('nav.screens a' + icon).length)`,
    );
    expect(screens).toBeGreaterThan(8);
    expect(icons).toBe(screens);
  });

  test.each([
    ['Escape', () => person.page.press('Escape')],
    ['a press outside of it', () => person.page.click(`document.querySelector('h1')`)],
    ['another screen', () => person.press('Operations')],
  ])('closes the settings by %s', async (_way, close) => {
    await person.open('/');
    await person.press('Settings');
    await person.page.until(`document.querySelector('#zone').checkVisibility()`);
    await close();
    await person.page.until(`!document.querySelector('#zone').checkVisibility()`);
  });

  test('leads from each empty list to a page that exists', async () => {
    await person.signIn(KEYS.globex);
    for (const path of LISTS) {
      await person.open(path);
      await person.page.until(`${IS_READ} && document.querySelector('.state.empty a')`);
      const answers = await person.page.evaluate<number[]>(
        `Promise.all([...document.querySelectorAll('.state.empty a')].map(async ({ href }) => (await fetch(href)).status))`,
      );
      expect([path, new Set(answers)]).toEqual([path, new Set([200])]);
    }
  });
});
