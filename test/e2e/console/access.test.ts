/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import { paceOf } from '../../runner/pace.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { makeLink } from '../../support/console-session.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { queryGraph } from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';

const REVOKE = 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { userErrors { code } } }';
const MAKE = `mutation {
  createApiKey(input: { scopes: ["partner", "partner_admin"] }) { key apiKey { id } }
}`;
/** A live list, a page of numbers, and screens that read nothing again by themselves. */
const SCREENS = ['/operations', '/', '/users', '/search'];
/** From the revocation to the words on the page: the page asks every four seconds. */
const END_MS = 5_000;

const scene = useScene();

describeInBrowser('In the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, {});
    person = stage.person;
  });

  const statusWith = async (key: string) =>
    (await queryGraph(stage.exchange, '{ me { id } }', {}, key)).status;
  const secretShown = () =>
    person.page.evaluate<string>(`document.querySelector('dialog[open] .secret').textContent`);
  const isForgotten = (secret: string) =>
    person.page.until(`!document.documentElement.outerHTML.includes(${JSON.stringify(secret)})`);

  // The first test: later the browser has the script.
  test('a screen whose script is gone, as after an upgrade of the server, comes when the page is loaded again', async () => {
    await person.signIn(KEYS.acme);
    await person.page.intercept('*/assets/administration-*', { status: 404, body: '' });
    await person.page.evaluate('window.isOldPage = true');
    await person.press(/API keys/);
    await person.shows('If the server has a new version of the console');
    await person.page.intercept('*/assets/administration-*', undefined);
    await person.press('Try again');
    await person.shows('Create a key');
    expect(await person.page.evaluate('window.isOldPage ?? false')).toBe(false);
  });

  test('a key is made and shown once, works, is replaced with an overlap, and revoked', async () => {
    await person.signIn(KEYS.acme);
    await person.open('/keys');
    await person.press('Create a key');
    await person.fill('Label', 'of the journey');
    await person.pressInDialog('Create a key');
    await person.shows('New key (shown only once):');
    const key = await secretShown();
    await person.pressInDialog('Close');
    await isForgotten(key);
    expect(await statusWith(key)).toBe(200);
    await person.press('Replace');
    await person.fill('Minutes during which the old key also works', '5');
    await person.pressInDialog('Replace');
    await person.shows('New key (shown only once):');
    const next = await secretShown();
    await person.pressInDialog('Close');
    expect([next === key, await statusWith(key), await statusWith(next)]).toEqual([false, 200, 200]);
    await person.press('Revoke');
    await person.pressInDialog('Revoke');
    await person.page.until(`!document.querySelector('dialog')`);
    expect([await statusWith(key), await statusWith(next)].toSorted()).toEqual([200, 401]);
  });

  test.each(SCREENS)(
    'a session whose key is revoked ends, and %s says so instead of its data',
    async (screen) => {
      const { data } = await queryGraph<{ createApiKey: { key: string; apiKey: { id: string } } }>(
        stage.exchange,
        MAKE,
      );
      await person.signIn(String(data?.createApiKey.key));
      await person.open(screen);
      await queryGraph(stage.exchange, REVOKE, { id: data?.createApiKey.apiKey.id });
      const began = Date.now();
      await person.shows('Your session has ended.');
      const ms = Date.now() - began;
      expect(ms).toBeLessThan(END_MS * paceOf());
      expect(await person.page.evaluate(`document.querySelector('nav, table')`)).toBeNull();
    },
  );

  test('a session of another partner, begun in another tab, takes the place of what is shown', async () => {
    await person.signIn(KEYS.acme);
    await person.open('/users');
    await person.shows('Acme Pay');
    const { code } = await makeLink(stage.exchange, KEYS.soylent, { access: 'READ' });
    await person.page.evaluate(`fetch('/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-remitgraph-console': '1' },
      body: ${JSON.stringify(JSON.stringify({ code }))},
    })`);
    await person.shows('Soylent');
    expect(await person.text()).not.toContain('Acme Pay');
  });

  test('a link asks before it replaces a session, and stays unused until somebody confirms', async () => {
    await person.signIn(KEYS.acme);
    const { code } = await makeLink(stage.exchange, KEYS.soylent, { access: 'READ' });
    await person.open(`/#code=${code}`);
    await person.shows('You are signed in to Acme Pay (Sandbox).');
    expect(await person.address()).toBe('/console/');
    await person.press('Keep my session');
    await person.shows('Acme Pay');
    await person.open(`/#code=${code}`);
    await person.press('Use the link');
    await person.shows('Soylent');
    expect(await person.text()).not.toContain('Acme Pay');
  });

  test('a link that was used shows no data, but how to get another one', async () => {
    const code = await person.signIn(KEYS.acme);
    await person.page.evaluate(`fetch('/console/session', {
      method: 'DELETE', headers: { 'x-remitgraph-console': '1' },
    })`);
    await person.open(`/#code=${code}`);
    await person.shows('This link has expired or was already used. Ask for a new one.');
    expect(await person.address()).toBe('/console/');
    expect((await person.page.history()).filter((url) => url.includes(code))).toEqual([]);
  });
});
