/** @only-in-full */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { paceOf } from '../../runner/pace.ts';
import { openBrowser } from '../../support/browser.ts';
import { type ConsolePage, useConsole } from '../../support/console-page.ts';
import { chromium, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import type { Deployment } from '../../support/deployment.ts';
import { exchangeWith } from '../../support/http.ts';
import { startOidcProvider, type TestProvider } from '../../support/oidc-provider.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { runProduct } from '../../support/server-process.ts';
import { takeTime } from '../../support/ticks.ts';

const CLIENT = { clientId: 'remitgraph', clientSecret: 'secret-of-the-client' };
/** From the provider's message to the words on the page, which asks every four seconds. */
const END_MS = 5_000;
const BLOCK = 'mutation { blockUser(input: { userId: "none" }) { userErrors { code } } }';

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

  test('begins with the environment that the address names', async () => {
    const chosen = `document.querySelector('#environment').value`;
    await person.open('/?environment=sandbox');
    expect(await person.page.evaluate(chosen)).toBe('sandbox');
    await person.open('/');
    expect(await person.page.evaluate(chosen)).toBe('live');
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

describeInBrowser('A person with an account of the company', () => {
  let person: ConsolePage;
  let provider: TestProvider;
  beforeAll(async () => {
    const certificate = await scene.certificate();
    const deployment = await scene.deploy({
      env: { CONSOLE_SIGN_IN_ALLOWED_CIDRS: '127.0.0.0/8', CONSOLE_SIGN_IN_CA_FILE: certificate.caFile },
    });
    const { url } = await deployment.start();
    const base = `${url}/console/sign-in/acme`;
    const exchange = exchangeWith(url);
    provider = await startOidcProvider({
      certificate,
      client: { ...CLIENT, redirectUri: `${base}/callback`, logoutUri: `${base}/logout` },
      send: async (address, body) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const { status } = await exchange({ method: 'POST', path: new URL(address).pathname, headers, body });
        return status;
      },
    });
    scene.atEnd(provider.close);
    await setSignIn(deployment, provider.issuer);
    const browser = await openBrowser(chromium ?? '', certificate.cert);
    scene.atEnd(() => browser.close());
    person = useConsole(browser.page, url);
  });

  const signIn = async () => {
    await person.open('/');
    await person.fill('Partner id', 'acme');
    await person.page.evaluate(`(() => {
      const select = document.querySelector('#environment');
      select.value = 'sandbox';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await person.press('Continue');
  };

  test('signs in at the provider, and has only the acts of the role', async () => {
    provider.person = { sub: 'ana', name: 'Ana Ruiz', roles: ['remit-support'] };
    await signIn();
    await person.page.until(`document.querySelector('nav.screens')`);
    await person.shows('Acme Pay');
    expect(await person.address()).toBe('/console/');
    await person.open('/endpoints');
    await person.shows('Send missed webhooks to this URL');
    await person.shows('Add an endpoint: needs the role operator.');
    const code = await person.page.evaluate<string>(`fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-remitgraph-console': '1' },
      body: ${JSON.stringify(JSON.stringify({ query: BLOCK }))},
    }).then((response) => response.json()).then(({ errors }) => errors[0].extensions.code)`);
    expect(code).toBe('FORBIDDEN');
  });

  test('is signed out by the provider: the page says so, and shows no data', async () => {
    const [, seconds] = await takeTime(async () => {
      await provider.logOut('ana');
      await person.shows('Your session has ended.');
    });
    expect(seconds * 1_000).toBeLessThan(END_MS * paceOf());
    expect(await person.page.evaluate(`document.querySelector('nav, table')`)).toBeNull();
  });

  test('is refused without a role, with the reason', async () => {
    provider.person = { sub: 'ana', name: 'Ana Ruiz', roles: ['accounting'] };
    await signIn();
    await person.shows('Your company account has no role for this console.');
    expect(await person.address()).toBe('/console/');
  });
});

/** Stores the provider of the sandbox of acme as an operator does, on the command line. */
async function setSignIn({ env, dataDir }: Deployment, issuer: string): Promise<void> {
  const file = join(dataDir, 'sign-in.json');
  const roles = { 'remit-viewers': 'viewer', 'remit-support': 'support' };
  writeFileSync(file, JSON.stringify({ ...CLIENT, issuer, scope: 'openid profile', claim: 'roles', roles }));
  const args = ['tenant', 'update', '--id', 'acme', '--sandbox', '--sign-in', file];
  const command = runProduct('dist/bin/admin.js', args, env);
  const { code } = await command.exited;
  if (code !== 0) {
    throw new Error(command.output());
  }
}
