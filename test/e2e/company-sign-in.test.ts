import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { paceOf } from '../runner/pace.ts';
import { CONSOLE_ORIGIN, cookieOf, exchangeCode, openPageStream, PAGE } from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { startOidcProvider, type TestProvider } from '../support/oidc-provider.ts';
import { useScene } from '../support/scene.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { createTestCertificate } from '../support/test-certificate.ts';
import { takeTime } from '../support/ticks.ts';
import { until } from '../support/until.ts';

const ACCOUNT = 'acme/sandbox';
const PARTNER = '/console/sign-in/acme';
const PLATFORM = '/console/platform-sign-in';
const CLIENT = { clientId: 'remitgraph', clientSecret: 'secret-of-the-client' };
const FOLLOW = 'subscription { requestMoneyStatusChanged { requestMoney { referenceId } } }';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let url: string;
let provider: TestProvider;
/** The provider of the platform's operators. */
let operators: TestProvider;
beforeAll(async () => {
  const certificate = await createTestCertificate();
  scene.atEnd(async () => certificate.remove());
  const startProvider = async (path: string) => {
    const base = CONSOLE_ORIGIN + path;
    const started = await startOidcProvider({
      certificate,
      client: { ...CLIENT, redirectUri: `${base}/callback`, logoutUri: `${base}/logout` },
      send: async (address, body) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const { status } = await exchange({ method: 'POST', path: new URL(address).pathname, headers, body });
        return status;
      },
    });
    scene.atEnd(started.close);
    return started;
  };
  provider = await startProvider(PARTNER);
  operators = await startProvider(PLATFORM);
  const { env } = await scene.deploy({
    env: {
      PUBLIC_URL: `${CONSOLE_ORIGIN}/`,
      CONSOLE_SIGN_IN_ALLOWED_CIDRS: '127.0.0.0/8',
      CONSOLE_SIGN_IN_CA_FILE: certificate.caFile,
      PLATFORM_SIGN_IN_ISSUER: operators.issuer,
      PLATFORM_SIGN_IN_CLIENT_ID: CLIENT.clientId,
      PLATFORM_SIGN_IN_CLIENT_SECRET: CLIENT.clientSecret,
      PLATFORM_SIGN_IN_SCOPE: 'openid profile',
      PLATFORM_SIGN_IN_ROLES: 'watchers=viewer,on-call=operator',
    },
  });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => configure(provider.issuer));

/** Sets the provider of the sandbox of acme. */
async function configure(issuer: string, viewers: 'viewer' | 'support' = 'viewer'): Promise<void> {
  const tenant = await target.subgraphs.tenants.find(ACCOUNT);
  if (!tenant) {
    throw new Error('There is no acme');
  }
  const roles = { viewers, support: 'support' } as const;
  await target.subgraphs.tenants.upsert({
    ...tenant,
    signIn: { ...CLIENT, issuer, scope: 'openid profile', claim: 'roles', roles },
  });
}

/** Has a person sign in to the sandbox of acme. @returns the cookie of the session */
async function signIn(sub: string, roles: string): Promise<string> {
  const code = await signInAt(provider, `${PARTNER}?environment=sandbox`, { sub, roles });
  return cookieOf(await exchangeCode(exchange, code));
}

/** @returns the code that the console gets; empty for a person who is refused */
async function signInAt(
  at: TestProvider,
  path: string,
  person: { sub: string; roles: string },
): Promise<string> {
  at.person = { ...person, name: person.sub };
  const begun = await exchange({ method: 'GET', path });
  const { pathname, search } = new URL(await at.visit(String(begun.headers.location)));
  const headers = { cookie: cookieOf(begun) };
  const { headers: answered } = await exchange({ method: 'GET', path: pathname + search, headers });
  const [, code = ''] = /#code=(.*)$/.exec(String(answered.location)) ?? [];
  return code;
}

/** Runs an operation as the console's page. */
async function run(cookie: string, query: string) {
  const headers = { ...asPage(cookie), 'content-type': 'application/json' };
  const body = JSON.stringify({ query });
  return JSON.parse((await exchange({ method: 'POST', path: '/graphql', headers, body })).text);
}

const asPage = (cookie: string) => ({ ...PAGE, cookie });

async function sessionOf(cookie: string) {
  return exchange({ method: 'GET', path: '/console/session', headers: asPage(cookie) });
}

describe('A person with a company account', () => {
  test('has a console session with the role that the account gives', async () => {
    const cookie = await signIn('ana', 'support');
    const { status, text } = await sessionOf(cookie);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      partner: { id: 'acme' },
      environment: 'sandbox',
      access: 'support',
    });
    const replayed = await run(
      cookie,
      'mutation { replayWebhookDelivery(input: { id: "none" }) { userErrors { code } } }',
    );
    expect(replayed.errors).toBeUndefined();
    const blocked = await run(
      cookie,
      'mutation { blockUser(input: { userId: "none" }) { userErrors { code } } }',
    );
    expect(blocked.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('is signed out by the provider within 5 seconds, with live streams; other people are not', async () => {
    const [ana, other] = [await signIn('ana', 'viewers'), await signIn('olga', 'viewers')];
    const stream = await openPageStream(url, ana, FOLLOW);
    const beside = await openPageStream(url, other, FOLLOW);
    const [, seconds] = await takeTime(async () => {
      await provider.logOut('ana');
      await stream.ended;
    });
    expect(seconds).toBeLessThan(5 * paceOf());
    expect((await sessionOf(ana)).status).toBe(401);
    expect((await sessionOf(other)).status).toBe(200);
    expect(beside.response.destroyed).toBe(false);
    beside.response.destroy();
  });

  test('is signed out, with live streams, when the partner changes which role a claim gives', async () => {
    await configure(provider.issuer, 'support');
    const cookie = await signIn('ana', 'viewers');
    const stream = await openPageStream(url, cookie, FOLLOW);
    await configure(provider.issuer, 'viewer');
    await stream.ended;
    expect((await sessionOf(cookie)).status).toBe(401);
  });

  test('is signed out when the partner gets another provider', async () => {
    const cookie = await signIn('ana', 'viewers');
    await configure('https://other.example');
    await until('the end of the session', async () => (await sessionOf(cookie)).status === 401);
  });
});

describe('An operator of the platform with a company account', () => {
  const READ = '{ platform { tenants { nodes { id } } } }';
  const RETRY = `mutation { retryRemittance(input: { id: "acme/sandbox:none", reason: "Test" }) { userErrors { code } } }`;

  test.each([
    ['watchers', 'FORBIDDEN'],
    ['on-call', undefined],
  ])('sees all partners as one of %s; the right to change something gets %s', async (roles, refusal) => {
    const code = await signInAt(operators, PLATFORM, { sub: 'omar', roles });
    const cookie = cookieOf(await exchangeCode(exchange, code));
    expect(JSON.parse((await sessionOf(cookie)).text)).toMatchObject({ partner: null, platform: true });
    const { data } = await run(cookie, READ);
    expect(data.platform.tenants.nodes.length).toBeGreaterThan(1);
    const [error] = (await run(cookie, RETRY)).errors ?? [];
    expect(error?.extensions.code).toBe(refusal);
    const { errors } = await run(cookie, '{ operations(first: 1) { nodes { id } } }');
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('is refused without a role, and at the sign-in of a partner', async () => {
    expect(await signInAt(operators, PLATFORM, { sub: 'omar', roles: 'support' })).toBe('');
    const begun = await exchange({ method: 'GET', path: `${PARTNER}?environment=sandbox` });
    operators.person = { sub: 'omar', roles: 'on-call' };
    const [, query = ''] = String(begun.headers.location).split('?', 2);
    await expect(operators.visit(`${operators.issuer}/auth?${query}`)).rejects.toThrow('answered 400');
  });

  test('is signed out by the provider of the platform alone', async () => {
    const code = await signInAt(operators, PLATFORM, { sub: 'olga', roles: 'watchers' });
    const operator = cookieOf(await exchangeCode(exchange, code));
    const partner = await signIn('olga', 'viewers');
    await provider.logOut('olga');
    await until('the end of the session of a partner', async () => (await sessionOf(partner)).status === 401);
    expect((await sessionOf(operator)).status).toBe(200);
    await operators.logOut('olga');
    await until('the end of the session', async () => (await sessionOf(operator)).status === 401);
  });
});
