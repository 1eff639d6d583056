import { beforeAll, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../support/console-page.ts';
import { describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';

const scene = useScene();

describeInBrowser('A sign-in with a company account', () => {
  let person: ConsolePage;
  beforeAll(async () => {
    ({ person } = await openConsoleStage(scene, {}));
  });

  test('asks for the partner, and shows that it has no such sign-in', async () => {
    await person.open('/');
    await person.shows('Sign in with your company account');
    await person.fill('Partner id', 'soylent');
    await person.press('Continue');
    await person.shows('This partner has no sign-in with company accounts');
    expect(await person.address()).toBe('/console/');
  });

  test.each([
    ['role', 'Your company account has no role for this console.'],
    ['offline', "Your company's sign-in service cannot be reached."],
    ['clock', 'more than 5 minutes off'],
  ])('that was refused shows the reason %s, which leaves the address', async (reason, text) => {
    await person.open(`/#sign-in=${reason}`);
    await person.shows(text);
    expect(await person.address()).toBe('/console/');
  });

  test('that was refused keeps the session that the browser has', async () => {
    await person.signIn(KEYS.acme);
    await person.open('/#sign-in=role');
    await person.shows('Your company account has no role for this console.');
    await person.shows('You are still signed in to Acme Pay (Sandbox).');
    await person.press('Keep my session');
    await person.page.until(`document.querySelector('nav.screens')`);
    await person.open('/users');
    await person.page.until(`document.querySelector('nav.screens')`);
  });
});
