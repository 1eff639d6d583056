/** @only-in-full */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PATHS, PLATFORM_PATHS } from '../../../gateway/console/screens/paths.ts';
import { emptyScreens, openersOf, platformScreens, type Screen, screensOf } from '../../console/screens.ts';
import { fillStage, STAGE_ENV, type Stage } from '../../console/stage.ts';
import { chooseLanguage, IS_READ, OPENED, signInBy, visit } from '../../console/visit.ts';
import { findViolations } from '../../support/axe.ts';
import { type Browser, findChromium, openBrowser, type Page } from '../../support/browser.ts';
import { IS_FULL } from '../../support/depth.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';

const chromium = findChromium();
const inBrowser = chromium === undefined ? describe.skip : describe;
const reason = chromium === undefined ? ' (skipped: there is no Chromium on PATH)' : '';

const DESK = [1400, 1000] as const;
const NARROWEST = [320, 640] as const;

/** A combination of colours and language, at a width of the window. */
interface Look {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'es';
  readonly size: readonly [width: number, height: number];
}

/** All four combinations in the full form; in the short one two, which have both themes, languages and widths. */
const LOOKS: readonly [Look, ...Look[]] = [
  { theme: 'light', language: 'en', size: DESK },
  { theme: 'dark', language: 'es', size: NARROWEST },
  ...(IS_FULL
    ? [
        { theme: 'light', language: 'es', size: NARROWEST } as const,
        { theme: 'dark', language: 'en', size: DESK } as const,
      ]
    : []),
];
const LOADING = `document.querySelector('.skeleton')`;
const FAILED = `document.querySelector('.state.failed')`;
const CHOICE = `document.querySelector('.sign-in .actions button:last-child')`;
const DIALOG = `document.querySelector('dialog[open]')`;

inBrowser(`The console${reason}`, () => {
  const scene = useScene();
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    stage = await fillStage(await scene.deploy({ env: STAGE_ENV }));
    browser = await openBrowser(chromium ?? '');
    page = browser.page;
    await page.resize(...DESK);
    await signInBy(page, await stage.link('ADMIN'));
  });
  afterEach(() => page.intercept('*/graphql', undefined));
  afterAll(() => browser?.close());

  /** The faults of the page as it stands, in each of the {@link LOOKS}. Leaves it in the first. */
  async function findFaults(): Promise<string[]> {
    const found: string[] = [];
    for (const look of LOOKS) {
      await show(look);
      const name = `${look.theme}, ${look.language}`;
      found.push(...(await findViolations(page)).map((one) => `${name}: ${one}`));
      const [path, width] = await page.evaluate<[string, number]>(
        '[location.pathname + location.search, document.documentElement.scrollWidth]',
      );
      if (width > look.size[0]) {
        found.push(`${name}: ${path} is ${width} pixels wide`);
      }
    }
    await show(LOOKS[0]);
    return found;
  }

  async function show({ theme, language, size }: Look): Promise<void> {
    await page.preferScheme(theme);
    await page.resize(...size);
    await chooseLanguage(page, language);
  }

  async function findFaultsOf(screens: readonly Screen[], until: string): Promise<string[]> {
    const found: string[] = [];
    for (const { path } of screens) {
      await visit(page, stage.url + path, until);
      found.push(...(await findFaults()));
    }
    return found;
  }

  test('breaks no rule of WCAG 2.2 AA with all its records, and fits a screen of 320 pixels', async () => {
    expect(await findFaultsOf([...screensOf(stage.ids), ...emptyScreens()], IS_READ)).toEqual([]);
  });

  test('does so while it waits for the server, and when the server fails', async () => {
    // The first page of a live list comes by its WebSocket, another page by a request.
    const screens = screensOf(stage.ids).map((one) => {
      const [list = '', filters] = one.path.split('?');
      return LIVE.includes(list)
        ? { ...one, path: `${list}?${filters === undefined ? '' : `${filters}&`}after=x` }
        : one;
    });
    const all = screens.filter(({ path }) => !path.startsWith(PATHS.search));
    await page.intercept('*/graphql', 'hold');
    expect(await findFaultsOf(all.filter(isOneOfItsKind), LOADING)).toEqual([]);
    await page.intercept('*/graphql', INTERNAL_ERROR);
    expect(await findFaultsOf(all, FAILED)).toEqual([]);
    expect(await page.evaluate<string>(`${FAILED}.textContent`)).toContain('req-of-the-test');
  });

  test('does so with its settings, filters and dialogs open, and a dialog gives the focus back', async () => {
    const found: string[] = [];
    for (const { path, opener } of openersOf(stage.ids)) {
      await visit(page, stage.url + path);
      await tabTo(page, opener);
      await page.evaluate('window.lastFocused = document.activeElement; 0');
      await page.press('Enter');
      await page.until(OPENED);
      found.push(...(await findFaults()));
      if (await page.evaluate<boolean>(`Boolean(${DIALOG})`)) {
        found.push(...(await findLeaks(page, opener)));
      }
    }
    expect(found).toEqual([]);
  });

  test('leads by the keyboard alone from an id to its payment', async () => {
    await visit(page, `${stage.url}${PATHS.overview}`);
    await tabTo(page, 'input[type=search]');
    await page.type(stage.ids.moneyRequest);
    await page.press('Enter');
    await page.until(`document.querySelector('h1')?.textContent.includes('${stage.ids.moneyRequest}')`);
    await expectFocusOnTitle(page);
  });

  test('leads by the keyboard alone from the overview to the problems of a payment', async () => {
    await visit(page, `${stage.url}${PATHS.overview}`);
    await tabTo(page, `main a[href$="${stage.ids.stuckCall}"]`);
    await page.press('Enter');
    await page.until(`document.querySelector('.problems')?.textContent.includes('retried automatically')`);
    await expectFocusOnTitle(page);
  });

  test('leads by the keyboard alone from the overview to a webhook that is sent again', async () => {
    stage.restoreReceiver();
    await visit(page, `${stage.url}${PATHS.overview}`);
    await tabTo(page, 'a.card[href*=DEAD_LETTERED]');
    await page.press('Enter');
    await page.until(`document.querySelector('td a') && ${IS_READ}`);
    await expectFocusOnTitle(page);
    await tabTo(page, `td a[href$="${stage.ids.deadLetter}"]`);
    await page.press('Enter');
    await page.until(`document.querySelector('.attempt')`);
    await expectFocusOnTitle(page);
    await tabTo(page, '.page-head .actions > button:last-of-type');
    await page.press('Enter');
    await page.until(DIALOG);
    await tabTo(page, 'dialog[open] button.primary');
    await page.press('Enter');
    await page.until(`document.querySelector('.status.good')`);
  });

  test('breaks no rule for a partner without records, or for one who is signed out', async () => {
    await signInBy(page, await stage.link('READ', KEYS.globex));
    const lists = Object.entries(PATHS).map(([name, path]) => ({ name, path }));
    expect(await findFaultsOf(lists, IS_READ)).toEqual([]);
    await visit(page, `${stage.url}/console/#code=raas_code_wrong`, CHOICE);
    expect(await findViolations(page)).toEqual([]);
    await page.click(CHOICE);
    await page.until(`document.querySelector('.sign-in [role=alert]')`);
    expect(await findViolations(page)).toEqual([]);
  });

  test("breaks no rule for the platform's operators, also while the server is awaited or fails", async () => {
    await signInBy(page, await stage.platformLink());
    expect(await findFaultsOf(platformScreens(), IS_READ)).toEqual([]);
    const reading = platformScreens().filter(({ path }) => path.startsWith(PLATFORM_PATHS.tenants));
    await page.intercept('*/graphql', 'hold');
    expect(await findFaultsOf(reading, LOADING)).toEqual([]);
    await page.intercept('*/graphql', INTERNAL_ERROR);
    const all = Object.entries(PLATFORM_PATHS).map(([name, path]) => ({ name, path }));
    expect(await findFaultsOf(all, FAILED)).toEqual([]);
    expect(await page.evaluate<string>(`${FAILED}.textContent`)).toContain('req-of-the-test');
  });

  test('leads an operator by the keyboard alone from the partners to the settings in force', async () => {
    await visit(page, `${stage.url}${PLATFORM_PATHS.tenants}`);
    await tabTo(page, `nav a[href="${PLATFORM_PATHS.settings}"]`);
    await page.press('Enter');
    await page.until(`location.pathname === '${PLATFORM_PATHS.settings}' && ${IS_READ}`);
    await expectFocusOnTitle(page);
    await tabTo(page, '.filters summary');
    await tabTo(page, 'section.table');
  });

  test('breaks no rule while the server is away: live lists say that they resume', async () => {
    await signInBy(page, await stage.link('ADMIN'));
    await visit(page, `${stage.url}${PATHS.operations}`);
    await stage.server.kill('SIGTERM');
    await page.until(`document.querySelector('[data-state=resuming]')`);
    const found = await findFaults();
    for (const path of [PATHS.overview, PATHS.endpoints, PATHS.users, PATHS.keys]) {
      await page.evaluate(`document.querySelector('nav a[href="${path}"]').click()`);
      await page.until(`location.pathname === '${path}' && ${FAILED}`);
      found.push(...(await findFaults()));
    }
    expect(found).toEqual([]);
  });

  test('loaded nothing from other hosts, and kept to its policy', () => {
    const hosts = page.requests
      .map((one) => new URL(one))
      .filter(({ protocol }) => /^(?:http|ws)/.test(protocol));
    expect([...new Set(hosts.map(({ host }) => host))]).toEqual([new URL(stage.url).host]);
    expect(page.problems).toEqual([]);
  });
});

const LIVE: readonly string[] = [PATHS.operations, PATHS.moneyRequests, PATHS.remittances, PATHS.deliveries];

const INTERNAL_ERROR = {
  status: 500,
  headers: { 'content-type': 'application/json', 'x-request-id': 'req-of-the-test' },
  body: JSON.stringify({ errors: [{ message: 'It broke.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }),
};

/** Whether it is the first with its screen: others differ in their record alone. */
function isOneOfItsKind({ name }: Screen, index: number, all: readonly Screen[]): boolean {
  const kind = (one: string) => one.split('-')[0];
  return all.findIndex((one) => kind(one.name) === kind(name)) === index;
}

/** Goes on with Tab until an element has the focus, which can be seen at each stop. @throws when it never has */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < 120; stops += 1) {
    await page.press('Tab');
    const [isThere, isSeen, text] = await page.evaluate<[boolean, boolean, string]>(`(() => {
      const at = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const { top, bottom } = at.getBoundingClientRect();
      const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && bottom > 0 && top < innerHeight;
      return [at.matches('${selector}'), isSeen || at === document.body, at.outerHTML.slice(0, 100)];
    })()`);
    if (!isSeen) {
      throw new Error(`The focus cannot be seen on ${text}`);
    }
    if (isThere) {
      return;
    }
  }
  throw new Error(`Tab never comes to ${selector}`);
}

async function expectFocusOnTitle(page: Page): Promise<void> {
  // It is focused once the browser has shown it.
  await page.until(`document.activeElement.tagName === 'H1'`);
}

/** Where the focus goes that a dialog should keep, and whether it comes back to what opened it. */
async function findLeaks(page: Page, opener: string): Promise<string[]> {
  const leaks: string[] = [];
  for (let stops = 0; stops < 8; stops += 1) {
    const isIn = await page.evaluate<boolean>(
      `document.activeElement === document.body || ${DIALOG}.contains(document.activeElement)`,
    );
    leaks.push(...(isIn ? [] : [`The focus leaves the dialog of ${opener}`]));
    await page.press('Tab');
  }
  await page.press('Escape');
  await page.until(`!${DIALOG}`);
  await page.until('document.activeElement === window.lastFocused');
  return leaks;
}
