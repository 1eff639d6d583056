import { beforeAll, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const LIST = '{ apiKeys { id prefix environment scopes label lastUsedAt endsAt revokedAt } }';
const CREATE = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { key apiKey { id prefix environment scopes label } userErrors { code path } }
}`;
const ROTATE = `mutation ($input: RotateApiKeyInput!) {
  rotateApiKey(input: $input) {
    key apiKey { id scopes label } formerApiKey { id endsAt revokedAt } userErrors { code path }
  }
}`;
const REVOKE = `mutation ($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) { apiKey { id revokedAt } userErrors { code } }
}`;

const scene = useScene();
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const { app, close } = await buildTestApp(env);
  scene.atEnd(close);
  exchange = injectInto(app);
});

interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly label: string;
  readonly endsAt: string | null;
  readonly revokedAt: string | null;
}

interface Payload {
  readonly key: string | null;
  readonly apiKey: Key | null;
  readonly formerApiKey: Key | null;
  readonly userErrors: readonly { readonly code: string }[];
}

async function run(query: string, input?: Readonly<Record<string, unknown>>, key: string = KEYS.globex) {
  const { data, errors } = await queryGraph<Record<string, Payload>>(exchange, query, { input }, key);
  const [payload] = Object.values(data ?? {});
  return { payload, codes: errors?.map(({ extensions }) => extensions?.code) };
}

async function list(key: string = KEYS.globex): Promise<Key[]> {
  const { data } = await queryGraph<{ apiKeys: Key[] }>(exchange, LIST, {}, key);
  return data?.apiKeys ?? [];
}

test('a partner makes, replaces and revokes its keys; the key itself is shown only where it is made', async () => {
  const before = await list();
  const { payload: made } = await run(CREATE, { scopes: ['partner'], label: 'reports' });
  expect(made).toMatchObject({
    key: expect.stringMatching(/^raas_sandbox_[\w-]{43}$/),
    apiKey: { environment: 'SANDBOX', scopes: ['partner'], label: 'reports' },
    userErrors: [],
  });
  const { key, apiKey } = made as { key: string; apiKey: Key };
  const listed = await list();
  expect(listed).toHaveLength(before.length + 1);
  expect(listed[0]).toMatchObject({ id: apiKey.id, prefix: key.slice(0, 16), endsAt: null, revokedAt: null });
  expect(JSON.stringify(listed)).not.toContain(key);
  const { data } = await queryGraph<{ me: { id: string } }>(exchange, '{ me { id } }', {}, key);
  expect(data?.me.id).toBe('globex');

  const { payload: rotated } = await run(ROTATE, { id: apiKey.id });
  expect(rotated).toMatchObject({
    apiKey: { scopes: ['partner'], label: 'reports' },
    formerApiKey: { id: apiKey.id, endsAt: expect.any(String), revokedAt: null },
    userErrors: [],
  });
  const { payload: again } = await run(ROTATE, { id: apiKey.id });
  expect(again).toMatchObject({ key: null, apiKey: null, userErrors: [{ code: 'API_KEY_ENDS' }] });

  const { payload: revoked } = await run(REVOKE, { id: apiKey.id });
  expect(revoked).toMatchObject({ apiKey: { id: apiKey.id, revokedAt: expect.any(String) }, userErrors: [] });
  expect((await run('{ apiKeys { id } }', undefined, key)).codes).toEqual(['UNAUTHENTICATED']);
});

test('keys are managed only by keys that have partner_admin, never by a browser token', async () => {
  const { payload } = await run(CREATE, { scopes: ['partner'], label: 'few scopes' });
  const few = String(payload?.key);
  expect((await run(LIST, undefined, few)).codes).toEqual(['FORBIDDEN']);
  for (const [query, input] of [
    [CREATE, { scopes: ['partner'] }],
    [ROTATE, { id: payload?.apiKey?.id }],
    [REVOKE, { id: payload?.apiKey?.id }],
  ] as const) {
    expect((await run(query, input, few)).codes).toEqual(['FORBIDDEN']);
  }
  const token = await queryGraph<{ createBrowserToken: { token: string } }>(
    exchange,
    'mutation { createBrowserToken(input: { expiresInMinutes: 1 }) { token } }',
    {},
    KEYS.globex,
  );
  const answer = await exchange({
    method: 'POST',
    path: '/graphql',
    headers: {
      authorization: `Bearer ${token.data?.createBrowserToken.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: LIST }),
  });
  expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
});

test("another partner's key is like none", async () => {
  const [foreign] = await list(KEYS.acme);
  for (const query of [ROTATE, REVOKE]) {
    const { payload } = await run(query, { id: foreign?.id });
    const unknown = await run(query, { id: 'key_none' });
    expect(payload).toMatchObject({ userErrors: [{ code: 'API_KEY_NOT_FOUND' }] });
    expect(payload).toEqual(unknown.payload);
  }
  expect(await list(KEYS.acme)).toContainEqual(foreign);
});
