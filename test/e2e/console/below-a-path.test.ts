/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import { openBrowser } from '../../support/browser.ts';
import { type ConsolePage, useConsole } from '../../support/console-page.ts';
import { makeLink } from '../../support/console-session.ts';
import { chromium, describeInBrowser } from '../../support/console-stage.ts';
import { type Exchange, injectInto } from '../../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../../support/money-requests.ts';
import { type PathProxy, startPathProxy } from '../../support/path-proxy.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { buildTestApp } from '../../support/test-app.ts';

const PATH = '/graph';

const scene = useScene();

describeInBrowser('Below a path of PUBLIC_URL, behind a proxy that takes the path away, the console', () => {
  let proxy: PathProxy;
  let exchange: Exchange;
  let person: ConsolePage;
  const referenceId = newReference();
  beforeAll(async () => {
    proxy = await startPathProxy(PATH);
    scene.atEnd(() => proxy.close());
    const { env } = await scene.deploy({ env: { PUBLIC_URL: proxy.url } });
    const target = await buildTestApp(env);
    scene.atEnd(target.close);
    proxy.leadTo(await target.app.listen({ host: '127.0.0.1', port: 0 }));
    exchange = injectInto(target.app);
    const browser = await openBrowser(chromium ?? '');
    scene.atEnd(() => browser.close());
    person = useConsole(browser.page, proxy.url);
  });

  test('is where the link of a partner leads', async () => {
    const { code, payload } = await makeLink(exchange, KEYS.acme, { access: 'ADMIN' });
    expect(payload?.url).toBe(`${proxy.url}/console/#code=${code}`);
    await person.signInBy(code);
    await person.shows('Acme Pay');
    expect(await person.address()).toBe(`${PATH}/console/`);
  });

  test('follows changes live, and opens a record at its own address, also loaded anew', async () => {
    await person.press('Money requests');
    await person.page.until(`document.querySelector('[data-state=live]')`);
    expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
    await person.press('Show 1 new');
    await person.press(referenceId);
    await person.shows('Timeline');
    const address = `${PATH}/console/money-requests/${referenceId}`;
    expect(await person.address()).toBe(address);
    await person.open(`/money-requests/${referenceId}`);
    await person.shows('Timeline');
    expect(await person.address()).toBe(address);
  });

  test('saves files, and asks nothing outside its path', async () => {
    await person.open('/money-requests');
    await person.shows(referenceId);
    await person.page.evaluate(`(() => {
      const createUrl = URL.createObjectURL;
      URL.createObjectURL = (file) => { window.saved = file; return createUrl.call(URL, file); };
    })()`);
    await person.press('CSV');
    await person.page.until('window.saved');
    expect(await person.page.evaluate<string>('saved.text()')).toContain(referenceId);
    const asked = person.page.requests.filter((url) => /^(?:https?|wss?):/.test(url));
    const root = new RegExp(`^(?:http|ws)://${new URL(proxy.url).host}${PATH}/`);
    expect(asked.filter((url) => !root.test(url))).toEqual([]);
    expect(asked.filter((url) => url.includes('/graphql')).length).toBeGreaterThan(0);
    expect(person.page.problems).toEqual([]);
  });
});
