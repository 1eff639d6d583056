/** @only-in-full */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../subgraphs/kernel/database/open-database.ts';
import { type Browser, findChromium, openBrowser, type Page } from '../../../test/support/browser.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { type Demo, startDemo } from '../../cli/demo/demo.ts';
import { moneyRequestInput } from '../../cli/demo/operations.ts';

const chromium = findChromium();
const inBrowser = chromium === undefined ? describe.skip : describe;
const reason = chromium === undefined ? ' (skipped: there is no Chromium on PATH)' : '';

/** Text of one of GraphiQL's editors. */
const textOf = (editor: string) => `document.querySelector('.${editor} .CodeMirror')?.CodeMirror.getValue()`;
const answer = textOf('result-window');

/** Runs one of the document's operations, as a person does: the button, once it has its menu, and the menu. */
async function run(page: Page, operation: string): Promise<void> {
  await page.click(`document.querySelector('.graphiql-execute-button[aria-haspopup=menu]')`);
  await page.click(
    `[...document.querySelectorAll('[role=menuitem]')].find((item) => item.textContent === '${operation}')`,
  );
}

inBrowser(`GraphiQL in a browser${reason}`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-graphiql-'));
  let store: Database;
  let demo: Demo;
  let browser: Browser;

  beforeAll(async () => {
    store = await openTestDatabase();
    const env = { MONGODB_URI: store.uri, DATA_DIR: dataDir, PORT: '0' };
    demo = await startDemo({ env, onWebhook: () => undefined });
    browser = await openBrowser(chromium ?? '');
    await browser.page.goto(`${demo.server.url}/graphiql`);
  });

  afterAll(async () => {
    await browser?.close();
    await demo?.close();
    await store?.close();
    rmSync(dataDir, { recursive: true });
  });

  async function createMoneyRequest(referenceId: string): Promise<void> {
    const response = await fetch(`${demo.server.url}/v1/request-money`, {
      method: 'POST',
      headers: { 'X-API-Key': demo.partner.key, 'content-type': 'application/json' },
      body: JSON.stringify(moneyRequestInput(referenceId)),
    });
    expect(response.status).toBe(201);
  }

  test('runs a query with the key that it was given', async () => {
    const { page } = browser;
    await createMoneyRequest('Browser1');
    await page.until(`${textOf('graphiql-query-editor')}?.includes('LatestMoneyRequests')`);
    await run(page, 'LatestMoneyRequests');
    await page.until(`${answer}?.includes('Browser1')`);
    const { data, errors } = JSON.parse(await page.evaluate<string>(answer));
    expect(errors).toBeUndefined();
    expect(data.requestMonies.nodes[0].user.firstName).toBe('Ana');
  });

  test('runs a subscription', async () => {
    const { page } = browser;
    await run(page, 'LiveStatuses');
    // A subscription is not acknowledged: a money request made before it began does not arrive.
    for (let tries = 0; !(await page.evaluate<boolean>(`${answer}.includes('LiveOne')`)); tries += 1) {
      await createMoneyRequest(`LiveOne${tries}`);
      const arrived = page.until(`${answer}.includes('LiveOne')`, 2_000);
      await (tries < 5 ? arrived.catch(() => undefined) : arrived);
    }
    const { data } = JSON.parse(await page.evaluate<string>(answer));
    expect(data.requestMoneyStatusChanged.status).toBe('PENDING');
    expect(data.requestMoneyStatusChanged.requestMoney.user.firstName).toBe('Ana');
  });

  test('did so without a request to another host, and within its policy', async () => {
    const { page } = browser;
    const { host } = new URL(demo.server.url);
    const hosts = page.requests.map((url) => new URL(url)).filter(({ protocol }) => protocol !== 'data:');
    expect(new Set(hosts.map((url) => url.host))).toEqual(new Set([host]));
    expect(hosts.map(({ protocol, pathname }) => protocol + pathname)).toContain('ws:/graphql');
    expect(page.problems).toEqual([]);
  });

  test('stores no key in the browser', async () => {
    const stored = await browser.page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage })',
    );
    expect(stored).toContain('LatestMoneyRequests');
    expect(stored).not.toContain(demo.partner.key);
  });

  test('has the key again after a reload, also for operations from its history', async () => {
    const { page } = browser;
    await page.goto('about:blank');
    await page.goto(`${demo.server.url}/graphiql`);
    await page.click(`document.querySelector('[aria-label="Show History"]')`);
    await page.click(`document.querySelector('.graphiql-history-item-label')`);
    await run(page, 'LatestMoneyRequests');
    await page.until(`${answer}?.includes('Browser1')`);
  });
});
