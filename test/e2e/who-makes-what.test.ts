import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import {
  cookieOf,
  exchangeCode,
  makeConsoleKey,
  CONSOLE_ORIGIN as ORIGIN,
  PAGE,
  signIn,
} from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

/** The caller, and the key that ends what it makes. */
interface Maker {
  readonly headers: Readonly<Record<string, string>>;
  readonly endedBy: string;
}

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PUBLIC_URL: `${ORIGIN}/` } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
});

async function run(headers: Readonly<Record<string, string>>, query: string) {
  const { text } = await exchange({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = JSON.parse(text);
  return { made: data && Object.values<Record<string, string>>(data)[0], code: errors?.[0].extensions.code };
}

const asPage = (cookie: string) => ({ ...PAGE, cookie });

async function sessionOf(accountId: AccountId, access: 'read' | 'admin'): Promise<Maker> {
  const { consoleSessions } = target.subgraphs;
  const { code } = await consoleSessions.createLink({ accountId }, { access, label: '' });
  return { headers: asPage(cookieOf(await exchangeCode(exchange, code))), endedBy: '' };
}

async function keyWith(scopes: readonly ('partner' | 'partner_admin')[]): Promise<Maker> {
  const made = await target.subgraphs.apiKeys.create({
    accountId: 'acme/sandbox' as const,
    scopes,
    label: '',
  });
  return { headers: { 'x-api-key': made.key }, endedBy: made.apiKey.keyId };
}

async function sessionOfKey(access: 'READ' | 'SUPPORT' | 'OPERATE' | 'ADMIN'): Promise<Maker> {
  const { key, keyId } = await makeConsoleKey(target.subgraphs);
  return { headers: asPage((await signIn(exchange, key, access)).cookie), endedBy: keyId };
}

/** By the words of the table. */
const MAKERS: Readonly<Record<string, () => Promise<Maker>>> = {
  'API key with `partner_admin`': () => keyWith(['partner', 'partner_admin']),
  'API key without `partner_admin`': () => keyWith(['partner']),
  'Browser token': async () => {
    const { headers, endedBy } = await keyWith(['partner', 'partner_admin']);
    const { made } = await run(headers, MADE['Browser token'].query);
    return { headers: { authorization: `Bearer ${made?.token}` }, endedBy };
  },
  'Session with `READ`': () => sessionOfKey('READ'),
  'Session with `SUPPORT`': () => sessionOfKey('SUPPORT'),
  'Session with `OPERATE`': () => sessionOfKey('OPERATE'),
  "Session with `ADMIN`, of a key's link": () => sessionOfKey('ADMIN'),
  "Session with `ADMIN`, of an operator's link": () => sessionOf('acme/sandbox', 'admin'),
  "Session of the platform's operators": () => sessionOf('|platform/live', 'read'),
};

interface Made {
  readonly query: string;
  readonly field: string;
  /** The caller's credentials from the created record; absent for what gives no access. */
  readonly use?: (secret: string) => Promise<Readonly<Record<string, string>>>;
}

const MADE = {
  'API key, successor of a key': {
    query: 'mutation { createApiKey(input: { scopes: ["partner"] }) { key userErrors { code } } }',
    field: 'key',
    use: async (key: string) => ({ 'x-api-key': key }),
  },
  'Browser token': {
    query: 'mutation { createBrowserToken(input: { expiresInMinutes: 60 }) { token userErrors { code } } }',
    field: 'token',
    use: async (token: string) => ({ authorization: `Bearer ${token}` }),
  },
  'Console link': {
    query: 'mutation { createConsoleLink(input: { access: ADMIN }) { url userErrors { code } } }',
    field: 'url',
    use: async (link: string) => asPage(cookieOf(await exchangeCode(exchange, link.split('code=')[1] ?? ''))),
  },
  'Webhook secret': {
    query: 'mutation { regenerateWebhookSecret { webhookSecret userErrors { code } } }',
    field: 'webhookSecret',
  },
} satisfies Readonly<Record<string, Made>>;

/** The rows of the documented table: caller, what is made, what the cell says. */
function readTable(): [maker: string, made: string, cell: string][] {
  const text = readFileSync('gateway/docs/console.md', 'utf8');
  const section = text.split('### Credentials that a caller can create')[1] ?? '';
  const [head, , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  const end = rows.findIndex(([maker = '']) => !(maker in MAKERS));
  return (end === -1 ? rows : rows.slice(0, end)).flatMap(([maker = '', ...cells]) =>
    cells.map((cell, index): [string, string, string] => [maker, head?.[index + 1] ?? '', cell]),
  );
}

describe('The table of the documentation', () => {
  const table = readTable();

  test('has every caller and all that is made', () => {
    expect([...new Set(table.map(([maker]) => maker))]).toEqual(Object.keys(MAKERS));
    expect([...new Set(table.map(([, made]) => made))]).toEqual(Object.keys(MADE));
  });

  test.each(table)('%s makes %s: %s', async (name, made, cell) => {
    const maker = await MAKERS[name]?.();
    const { query, field, use }: Made = MADE[made as keyof typeof MADE];
    const result = await run(maker?.headers ?? {}, query);
    if (!cell.startsWith('Yes')) {
      expect(result.made?.[field] ?? null).toBeNull();
      expect(result.code).toBe('FORBIDDEN');
      return;
    }
    expect(result.made).toMatchObject({ [field]: expect.any(String), userErrors: [] });
    if (use && maker) {
      const headers = await use(String(result.made?.[field]));
      const isIn = async () => (await run(headers, '{ me { id } }')).made?.id === 'acme';
      expect(await isIn()).toBe(true);
      await target.subgraphs.apiKeys.revoke(maker.endedBy);
      if (cell.includes('ends with')) {
        await until('it has ended', async () => !(await isIn()));
      } else {
        expect(await isIn()).toBe(true);
      }
    }
  });
});
