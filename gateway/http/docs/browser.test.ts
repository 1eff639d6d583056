/** @only-in-full */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { openApiRoutes } from '../../../rest-compat/openapi.ts';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { findViolations } from '../../../test/support/axe.ts';
import { type Browser, findChromium, openBrowser } from '../../../test/support/browser.ts';
import { readSite } from '../../build/docs/site.ts';
import { addDocs } from './routes.ts';

const chromium = findChromium();
const inBrowser = chromium === undefined ? describe.skip : describe;
const SCHEMES = ['light', 'dark'] as const;
const reason = chromium === undefined ? ' (skipped: there is no Chromium on PATH)' : '';

inBrowser(`the documentation in a browser${reason}`, () => {
  let app: FastifyInstance;
  let browser: Browser;
  let url: string;
  const asked: { readonly path: string; readonly key: unknown }[] = [];

  beforeAll(async () => {
    app = Fastify();
    await addDocs(app);
    await app.register(openApiRoutes);
    app.get('/v1/request-money/:referenceId', (request, reply) => {
      asked.push({ path: request.url, key: request.headers['x-api-key'] });
      return reply.send({ referenceId: 'AB12cd34' });
    });
    url = await app.listen({ port: 0 });
    browser = await openBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** Together they have every part of pages. */
  const KINDS = ['index', 'quickstart-rest', 'go-live', 'http', 'graphql/subscriptions', 'api/request-money'];
  const pages = readSite(projectRoot()).flatMap((section) => section.pages.map(({ name }) => name));
  const open = async (name: string) => {
    // Leaves the page first, because it may be open in a changed state.
    await browser.page.goto('about:blank');
    await browser.page.until(`location.href === 'about:blank'`);
    await browser.page.goto(`${url}/docs/${name === 'index' ? '' : name}`);
    await browser.page.until(
      `document.readyState === 'complete' && document.querySelector('.pages a[aria-current]')`,
    );
  };

  test('no page is wider than a screen of 320 pixels', async () => {
    await browser.page.resize(320, 640);
    const wide: string[] = [];
    for (const name of pages) {
      await open(name);
      const width = await browser.page.evaluate<number>('document.documentElement.scrollWidth');
      wide.push(...(width > 320 ? [`${name}: ${width}`] : []));
    }
    expect(wide).toEqual([]);
    await browser.page.resize(1400, 1000);
  });

  test('no kind of page breaks a rule of WCAG 2.2 AA, light or dark, nor a call that is opened', async () => {
    const { page } = browser;
    const broken: string[] = [];
    for (const scheme of SCHEMES) {
      await page.preferScheme(scheme);
      for (const name of KINDS) {
        await open(name);
        if (name.startsWith('api/')) {
          await page.until(`document.querySelector('.opblock-summary-control')`);
          await page.evaluate(`document.querySelector('.opblock-summary-control').click()`);
          await page.until(`document.querySelector('.try-out button')`);
          await page.evaluate(`document.querySelector('.try-out button').click()`);
          await page.until(`document.querySelector('.execute')`);
        }
        broken.push(...(await findViolations(page)));
      }
    }
    expect(broken).toEqual([]);
  });

  test('the search finds sections by the beginning of words, by keyboard, and says so', async () => {
    const { page } = browser;
    await open('graphql/queries');
    const key = (name: string) =>
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${name}', bubbles: true }))`;
    await page.evaluate(key('/'));
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    const search = async (text: string) => {
      await page.evaluate(`(() => {
        document.activeElement.value = '${text}';
        document.activeElement.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      await page.until(`document.querySelector('.find [role=status]').textContent !== ''`, 30_000);
    };
    await search('xyzzyplugh');
    await page.until(`document.querySelector('.find [role=status]').textContent === 'Nothing found'`);
    await search('sandbox and li');
    await page.until(`document.querySelectorAll('.find li').length > 0`);
    expect(await findViolations(page)).toEqual([]);
    await page.evaluate(key('ArrowDown'));
    await page.evaluate('document.activeElement.click()');
    await page.until(`location.pathname === '/docs/concepts' && location.hash === '#sandbox-and-live'`);
  });

  test('arrow keys change the language of all calls, also on the next page', async () => {
    const { page } = browser;
    await open('quickstart-rest');
    const shown = () =>
      page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll('.languages pre:not([hidden])')].map((one) => one.dataset.language))]`,
      );
    const press = async (key: string) => {
      await page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`,
      );
      return page.evaluate<string>('document.activeElement.textContent');
    };
    expect(await shown()).toEqual(['curl']);
    await page.evaluate(`document.querySelectorAll('.languages [role=tab][tabindex="0"]')[2].focus()`);
    const visited: string[] = [];
    for (const key of ['ArrowLeft', 'ArrowRight', 'End', 'Home', 'ArrowRight']) {
      visited.push(await press(key));
      expect(await shown()).toEqual(visited.slice(-1));
    }
    expect(visited).toEqual(['Python', 'curl', 'Python', 'curl', 'JavaScript']);
    expect(await findViolations(page)).toEqual([]);
    await open('quickstart-graphql');
    expect(await shown()).toEqual(['JavaScript']);
    await page.evaluate('localStorage.clear()');
  });

  test('a call can be tried with a key, which is sent to this server alone', async () => {
    const { page } = browser;
    const find = (selector: string) => `document.querySelector('${selector}')`;
    const click = async (selector: string) => {
      await page.until(find(selector), 30_000);
      await page.evaluate(`${find(selector)}.click()`);
    };
    // Fields apply their text after a moment, or when they lose the focus.
    const type = async (selector: string, text: string) => {
      await page.until(find(selector), 30_000);
      await page.evaluate(`(() => {
        const input = ${find(selector)};
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${text}');
        for (const name of ['input', 'change', 'focusout']) {
          input.dispatchEvent(new Event(name, { bubbles: true }));
        }
      })()`);
    };
    await open('api/request-money');
    await click('.auth-wrapper .authorize');
    await type('.modal-ux input', 'raas_sandbox_typed');
    await click('.modal-ux .authorize');
    await page.until(`${find('.modal-ux')}.textContent.includes('Logout')`, 30_000);
    await click('.modal-ux .close-modal');
    await click('.opblock-get .opblock-summary-control');
    await click('.opblock-get .try-out button');
    await type('.opblock-get input[type=text]', 'AB12cd34');
    await click('.opblock-get .execute');
    await page.until(
      `${find('.opblock-get .live-responses-table')}?.textContent.includes('AB12cd34')`,
      30_000,
    );
    expect(asked).toEqual([{ path: '/v1/request-money/AB12cd34', key: 'raas_sandbox_typed' }]);
    const stored = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(stored).not.toContain('raas_sandbox_typed');
  });

  test('all of it did so without a request to another host, and within its policy', () => {
    const { host } = new URL(url);
    const hosts = browser.page.requests
      .map((one) => new URL(one))
      .filter(({ protocol }) => protocol !== 'data:');
    expect([...new Set(hosts.map((one) => one.host))]).toEqual([host]);
    expect(browser.page.problems).toEqual([]);
  });
});
