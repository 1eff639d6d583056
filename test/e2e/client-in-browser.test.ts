/** @only-in-full */
import { readFileSync } from 'node:fs';
import { createServer, type Server as PageServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, findChromium, openBrowser } from '../support/browser.ts';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { untilIdle } from '../support/idle.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';

const chromium = findChromium();
const inBrowser = chromium === undefined ? describe.skip : describe;
const reason = chromium === undefined ? ' (skipped: there is no Chromium on PATH)' : '';

const CREATE_TOKEN =
  'mutation { createBrowserToken(input: { expiresInMinutes: 5 }) { token userErrors { code } } }';

/** A partner's page: it asks its own server for a token, and follows by both transports. */
const pageFor = (api: string) => `<!doctype html><title>Live</title><script type="module">
import { createLiveClient } from '/client.js';

window.got = { websocket: [], sse: [] };
window.states = { websocket: [], sse: [] };
const browserToken = async () => {
  const answer = await fetch('/live-token', { method: 'POST' });
  if (!answer.ok) {
    throw new Error('There is no token now');
  }
  return answer.text();
};
for (const transport of ['websocket', 'sse']) {
  const live = createLiveClient({
    url: '${api}/graphql', credential: { browserToken }, transport, backoff: { baseMs: 100, capMs: 500 },
  });
  const items = live.listThenFollow({
    list: { query: '{ latestEventCursor requestMonies { nodes { referenceId } } }' },
    follow: { query: \`subscription ($after: String) {
      requestMoneyStatusChanged(after: $after) { cursor requestMoney { referenceId } }
    }\` },
    onState: ({ name, because }) => { window.states[transport].push(because?.message ?? name); },
  });
  (async () => {
    for await (const { kind, data } of items) {
      window.got[transport].push(kind === 'list'
        ? 'list ' + data.requestMonies.nodes.map(({ referenceId }) => referenceId).join(' ')
        : data.requestMoneyStatusChanged.requestMoney.referenceId);
    }
  })();
}
</script>`;

/** Less than a test's time: the failure must show the missing event. */
const WAIT_MS = 45_000;

const scene = useScene();

inBrowser(`remitgraph/client in a browser${reason}`, () => {
  let deployment: Deployment;
  let server: Server;
  let browser: Browser;
  let pages: PageServer;
  beforeAll(async () => {
    pages = createServer(async (request, response) => {
      if (request.url === '/client.js') {
        response.setHeader('content-type', 'text/javascript');
        response.end(readFileSync('dist/client/index.js'));
      } else if (request.url === '/live-token') {
        const { status, text } = await makeToken();
        response.writeHead(status).end(text);
      } else {
        response.setHeader('content-type', 'text/html').end(pageFor(server.url));
      }
    });
    await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
    scene.atEnd(async () => {
      pages.closeAllConnections();
      await new Promise((done) => pages.close(done));
    });
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    deployment = await scene.deploy({ processes: true, env: { CORS_ORIGINS: origin } });
    server = await deployment.start();
    browser = await openBrowser(chromium ?? '');
    scene.atEnd(() => browser.close());
    await browser.page.goto(origin);
  });

  /** The answer of the partner's own server; while the product is away it has no token to give. */
  async function makeToken(): Promise<{ status: number; text: string }> {
    try {
      const made = await queryGraph<{ createBrowserToken: { token: string } }>(
        exchangeWith(server.url),
        CREATE_TOKEN,
      );
      return { status: 200, text: String(made.data?.createBrowserToken.token) };
    } catch {
      return { status: 503, text: '' };
    }
  }

  async function create(): Promise<string> {
    const referenceId = newReference();
    const { status } = await createMoneyRequest(exchangeWith(server.url), moneyRequestBody(referenceId));
    expect(status).toBe(201);
    return referenceId;
  }

  test('lists, follows, and goes on where it was when the server is killed and comes back', async () => {
    const { page } = browser;
    const until = async (condition: string) => {
      const shown = () => page.evaluate<string>('JSON.stringify({ got, states })');
      await page.until(condition, WAIT_MS).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${await shown()}`);
      });
    };
    const hasAll = (references: readonly string[]) =>
      until(
        `Object.values(window.got).every((got) => ${JSON.stringify(references)}.every((one) => got.includes(one)))`,
      );
    await until(`window.got?.websocket.length === 1 && window.got.sse.length === 1`);
    const references = [await create(), await create()];
    await hasAll(references);
    // The store keeps what a killed process was writing from everybody for a minute.
    await untilIdle(await deployment.database());
    await server.kill('SIGKILL', 'all');
    await until(`Object.values(window.states).every((states) => states.at(-1) !== 'live')`);
    await server.restart('all');
    references.push(await create(), await create());
    await hasAll(references);
    const got = await page.evaluate<Record<string, string[]>>('window.got');
    expect(got).toEqual({ websocket: ['list ', ...references], sse: ['list ', ...references] });
    expect(page.problems).toEqual([]);
  });

  test('sends no key to anybody, and its token in no URL', () => {
    const { requests } = browser.page;
    expect(requests.filter((url) => url.includes(KEYS.acme) || /token=/i.test(url))).toEqual([]);
    expect(requests.some((url) => url.startsWith('ws://'))).toBe(true);
  });
});
