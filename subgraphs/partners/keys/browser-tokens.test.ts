import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { countCommands } from '../../../test/support/count-commands.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import type { Principal } from '../../kernel/principal.ts';
import { createBrowserTokenModel } from './browser-token-model.ts';
import { type BrowserTokens, createBrowserTokens } from './browser-tokens.ts';
import { createApiKeyModel } from './model.ts';
import { type ApiKeys, createApiKeys } from './service.ts';

const lines: Record<string, unknown>[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
const pepper = 'p'.repeat(32);
let store: Database;
let keys: ApiKeys;
let transaction: RunTransaction;
let tokens: BrowserTokens;
let now: number;
let fresh: (pepper?: string) => BrowserTokens;

beforeAll(async () => {
  store = await openTestDatabase();
  transaction = createTransactions(store.connection);
  const model = createBrowserTokenModel(store.connection);
  const keyModel = createApiKeyModel(store.connection);
  await makeIndexes(store.connection);
  keys = createApiKeys({ model: keyModel, pepper, log, transaction });
  // A process of its own: it has read nothing yet.
  fresh = (own = pepper) =>
    createBrowserTokens({ model, keys: keyModel, pepper: own, log, clock: () => new Date(now) });
});
beforeEach(() => {
  now = Date.now();
  tokens = fresh();
  lines.length = 0;
});
afterAll(() => store.close());

async function newPrincipal(accountId: AccountId = 'acme/live'): Promise<Principal> {
  const { apiKey } = await keys.create({
    accountId,
    scopes: ['partner', 'partner_admin'],
    label: '',
  });
  return { accountId, keyId: apiKey.keyId, scopes: apiKey.scopes };
}

const MINUTE = { scopes: ['partner'], lifetimeSeconds: 60 } as const;

describe('A browser token', () => {
  test('lets its holder in as its key, with its own scopes, in every process', async () => {
    const principal = await newPrincipal();
    const { token, browserToken } = await tokens.create(principal, MINUTE);
    const { tokenId } = browserToken;
    const expected = {
      ...principal,
      scopes: ['partner', 'partner_contact', 'partner_write'],
      browserToken: { tokenId, expiresAt: now + 60_000 },
    };
    expect(await tokens.authenticate(token)).toEqual(expected);
    expect(await fresh().authenticate(token)).toEqual(expected);
    expect(browserToken).toEqual({
      tokenId,
      scopes: ['partner'],
      createdAt: new Date(now),
      expiresAt: new Date(now + 60_000),
    });
  });

  test('cannot be read from the store or the log', async () => {
    const { token, browserToken } = await tokens.create(await newPrincipal(), MINUTE);
    const stored = JSON.stringify(await store.connection.collection('browserTokens').find().toArray());
    expect(stored).toContain(browserToken.tokenId);
    expect(stored).not.toContain(token.slice(13, 33));
    expect(JSON.stringify(lines)).not.toContain(token.slice(13, 33));
    expect(await fresh('q'.repeat(32)).authenticate(token)).toBeNull();
  });

  test('works until its very end, also for one that was read a moment before', async () => {
    const { token } = await tokens.create(await newPrincipal(), MINUTE);
    now += 59_999;
    expect(await tokens.authenticate(token)).not.toBeNull();
    now += 1;
    expect(await tokens.authenticate(token)).toBeNull();
    expect(await fresh().authenticate(token)).toBeNull();
  });

  test('is not accepted with one character changed, removed or added', async () => {
    const { token } = await tokens.create(await newPrincipal(), MINUTE);
    const last = token.endsWith('A') ? 'B' : 'A';
    const others = [`${token.slice(0, -1)}${last}`, token.slice(0, -1), `${token}A`, token.slice(13)];
    const found = await Promise.all([...others, '', undefined].map((other) => tokens.authenticate(other)));
    expect(found).toEqual(found.map(() => null));
  });

  test('is no key, and a key is no token', async () => {
    const { token } = await tokens.create(await newPrincipal(), MINUTE);
    expect(await keys.authenticate(token)).toBeNull();
    const asToken = 'raas_browser_as_a_key_of_a_seed';
    await keys.keep(asToken, { tenantId: 'acme', scopes: ['partner'], label: '' });
    expect(await tokens.authenticate(asToken)).toBeNull();
  });

  test('ends with its key; one that is made behind it is nobody', async () => {
    const principal = await newPrincipal();
    const { token } = await tokens.create(principal, MINUTE);
    await keys.revoke(principal.keyId);
    expect(await fresh().authenticate(token)).toBeNull();
    const late = await tokens.create(principal, MINUTE);
    expect(await fresh().authenticate(late.token)).toBeNull();
  });

  test('has no scope that its key has lost', async () => {
    const principal = await newPrincipal();
    const { token } = await tokens.create(principal, MINUTE);
    await store.connection
      .collection<{ _id: string }>('apiKeys')
      .updateOne({ _id: principal.keyId }, { $set: { scopes: ['partner_full'] } });
    expect((await fresh().authenticate(token))?.scopes).toEqual([]);
  });

  test('is revoked once; again, the first time stays', async () => {
    const principal = await newPrincipal();
    const { token, browserToken } = await tokens.create(principal, MINUTE);
    const { tokenId } = browserToken;
    await tokens.authenticate(token);
    const revoked = { ok: true, value: { ...browserToken, revokedAt: new Date(now) } };
    expect(await tokens.revoke(principal, tokenId)).toEqual(revoked);
    expect(await tokens.authenticate(token)).toBeNull();
    now += 1_000;
    expect(await tokens.revoke(principal, tokenId)).toEqual(revoked);
    const { accountId, keyId } = principal;
    const audit = lines.map(({ msg, ...line }) => [msg, line]);
    expect(audit).toEqual([
      ['browser_token.created', expect.objectContaining({ accountId, keyId, tokenId, scopes: ['partner'] })],
      ['browser_token.revoked', expect.objectContaining({ accountId, keyId, tokenId })],
    ]);
  });

  test('is revoked by no other partner, who gets the same answer as for an unknown token', async () => {
    const { token, browserToken } = await tokens.create(await newPrincipal('acme/live'), MINUTE);
    const other = await newPrincipal('globex/live');
    const none = await tokens.revoke(other, 'btk_none');
    expect(none).toMatchObject({ ok: false, failures: [{ code: 'BROWSER_TOKEN_NOT_FOUND' }] });
    expect(await tokens.revoke(other, browserToken.tokenId)).toEqual(none);
    expect(await fresh().authenticate(token)).not.toBeNull();
  });

  test('costs two reads, and none for one that was read a moment before', async () => {
    const { token } = await tokens.create(await newPrincipal(), MINUTE);
    const commands = await countCommands(store.connection, async () => tokens.authenticate(token));
    expect(commands).toEqual({ 'find browserTokens': 1, 'find apiKeys': 1 });
    expect(tokens.authenticate(token)).not.toBeInstanceOf(Promise);
  });
});
