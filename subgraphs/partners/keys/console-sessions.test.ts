import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { countCommands } from '../../../test/support/count-commands.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import { type ConsoleAccess, PLATFORM_ACCOUNT } from '../../kernel/principal.ts';
import { createConsoleSessionModel } from './console-session-model.ts';
import {
  type ConsoleSessionOwner,
  type ConsoleSessions,
  createConsoleSessions,
  LONGEST_LINK_SECONDS,
} from './console-sessions.ts';
import { createApiKeyModel } from './model.ts';
import { type ApiKeys, createApiKeys } from './service.ts';

const LIFETIME_MS = 600_000;
const IDLE_MS = 300_000;
const lines: Record<string, unknown>[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
const pepper = 'p'.repeat(32);
let store: Database;
let keys: ApiKeys;
let transaction: RunTransaction;
let sessions: ConsoleSessions;
let tenants: Set<string>;
let now: number;
let fresh: (pepper?: string) => ConsoleSessions;

beforeAll(async () => {
  store = await openTestDatabase();
  transaction = createTransactions(store.connection);
  const model = createConsoleSessionModel(store.connection);
  const keyModel = createApiKeyModel(store.connection);
  await makeIndexes(store.connection);
  keys = createApiKeys({ model: keyModel, pepper, log, transaction });
  // A process of its own: it has read nothing yet.
  fresh = (own = pepper) =>
    createConsoleSessions({
      model,
      keys: keyModel,
      hasAccount: async (accountId) => accountId === PLATFORM_ACCOUNT || tenants.has(accountId),
      pepper: own,
      lifetimeSeconds: LIFETIME_MS / 1_000,
      idleSeconds: IDLE_MS / 1_000,
      log,
      clock: () => new Date(now),
    });
});
beforeEach(async () => {
  now = Date.now();
  tenants = new Set(['acme/live', 'globex/live']);
  sessions = fresh();
  await store.connection.collection('consoleSessions').deleteMany({});
  lines.length = 0;
});
afterAll(() => store.close());

const OPERATOR: ConsoleSessionOwner = { accountId: 'acme/live' };
const PLATFORM: ConsoleSessionOwner = { accountId: PLATFORM_ACCOUNT };

async function newKey(): Promise<ConsoleSessionOwner & { keyId: string }> {
  const { apiKey } = await keys.create({
    accountId: 'acme/live',
    scopes: ['partner', 'partner_full', 'partner_admin'],
    label: '',
  });
  return { accountId: 'acme/live', keyId: apiKey.keyId };
}

async function open(maker: ConsoleSessionOwner, access: ConsoleAccess = 'read') {
  const { code, session } = await sessions.createLink(maker, { access, label: 'Ana' });
  const opened = await sessions.open(code);
  if (opened === null) {
    throw new Error('The link opens no session');
  }
  return { code, sessionId: session.sessionId, ...opened };
}

describe('The link of a console session', () => {
  test.each<[ConsoleAccess, string[]]>([
    ['read', ['partner']],
    ['support', ['partner', 'partner_contact', 'partner_webhooks']],
    ['operate', ['partner', 'partner_contact', 'partner_webhooks', 'partner_write']],
    ['admin', ['partner', 'partner_contact', 'partner_webhooks', 'partner_write', 'partner_admin']],
  ])('opens a session for access %s, known in every process', async (access, scopes) => {
    const maker = await newKey();
    const { cookie, principal, sessionId } = await open(maker, access);
    const expected = {
      ...maker,
      scopes,
      consoleSession: { sessionId, label: 'Ana', access, expiresAt: now + LIFETIME_MS },
    };
    expect(principal).toEqual(expected);
    expect(await sessions.authenticate(cookie)).toEqual(expected);
    expect(await fresh().authenticate(cookie)).toEqual(expected);
  });

  test('of an operator opens a session that counts for itself', async () => {
    const { principal, sessionId } = await open(OPERATOR);
    expect(principal).toMatchObject({ ...OPERATOR, keyId: sessionId });
  });

  test("of the platform's operators opens a session that reads the platform, and nothing of a partner", async () => {
    const { cookie, sessionId } = await open(PLATFORM);
    const expected = { accountId: PLATFORM_ACCOUNT, keyId: sessionId, scopes: ['platform'] };
    expect(await fresh().authenticate(cookie)).toMatchObject(expected);
    expect((await sessions.list(PLATFORM)).map((one) => one.sessionId)).toEqual([sessionId]);
    expect(await sessions.list({ accountId: 'acme/sandbox' })).toEqual([]);
    expect((await sessions.revoke({ accountId: 'acme/sandbox' }, sessionId)).ok).toBe(false);
    expect((await sessions.revoke(PLATFORM, sessionId)).ok).toBe(true);
    expect(await fresh().authenticate(cookie)).toBeNull();
  });

  test.each<[string, ConsoleSessionOwner, ConsoleAccess]>([
    ['has the access of partners', { accountId: PLATFORM_ACCOUNT }, 'admin'],
    ['has the access support', { accountId: PLATFORM_ACCOUNT }, 'support'],
    ['is of a key', { accountId: PLATFORM_ACCOUNT, keyId: 'key_1' }, 'read'],
  ])('of the platform opens nothing that %s', async (_name, maker, access) => {
    const { code } = await sessions.createLink(maker, { access, label: '' });
    expect(await sessions.open(code)).toBeNull();
  });

  test('of the platform with the access operate acts for the platform alone', async () => {
    expect((await open(PLATFORM, 'operate')).principal).toMatchObject({
      ...{ accountId: PLATFORM_ACCOUNT, scopes: ['platform'], consoleSession: { access: 'operate' } },
    });
  });

  test('works for as long as its maker asks', async () => {
    const link = { access: 'read', label: '' } as const;
    const [brief, long] = [
      await sessions.createLink(OPERATOR, link),
      await sessions.createLink(OPERATOR, { ...link, seconds: LONGEST_LINK_SECONDS }),
    ];
    now += LONGEST_LINK_SECONDS * 1_000 - 1;
    expect(await sessions.open(brief.code)).toBeNull();
    expect(await sessions.open(long.code)).not.toBeNull();
  });

  test('opens one session, however many use it at once', async () => {
    const { code } = await sessions.createLink(OPERATOR, { access: 'read', label: '' });
    const opened = await Promise.all([sessions, fresh(), fresh(), fresh()].map((one) => one.open(code)));
    expect(opened.filter((one) => one !== null)).toHaveLength(1);
    expect(await sessions.open(code)).toBeNull();
    expect(await sessions.list(OPERATOR)).toHaveLength(1);
  });

  test('works for 60 seconds', async () => {
    const { code, session } = await sessions.createLink(OPERATOR, { access: 'read', label: '' });
    expect(session.expiresAt).toEqual(new Date(now + 60_000));
    now += 60_000;
    expect(await sessions.open(code)).toBeNull();
    now -= 1;
    expect(await sessions.open(code)).not.toBeNull();
  });

  test.each<[string, (maker: { keyId: string }, sessionId: string) => Promise<unknown>]>([
    ['it is revoked', (_maker, sessionId) => sessions.revoke(OPERATOR, sessionId)],
    ['its key is revoked', ({ keyId }) => keys.revoke(keyId)],
  ])('opens nothing when %s', async (_name, end) => {
    const maker = await newKey();
    const { code, session } = await sessions.createLink(maker, { access: 'read', label: '' });
    await end(maker, session.sessionId);
    expect(await sessions.open(code)).toBeNull();
  });

  test('opens no session with a character changed, removed or added, and is no cookie', async () => {
    const { code } = await sessions.createLink(OPERATOR, { access: 'read', label: '' });
    const last = code.endsWith('A') ? 'B' : 'A';
    const others = [`${code.slice(0, -1)}${last}`, code.slice(0, -1), `${code}A`, '', 'x'.repeat(100_000)];
    const found = await Promise.all(others.map((other) => sessions.open(other)));
    expect(found).toEqual(found.map(() => null));
    expect(await sessions.authenticate(code)).toBeNull();
    expect(await sessions.authenticate(code.replace('code', 'console'))).toBeNull();
    expect(await sessions.open(code)).not.toBeNull();
  });
});

describe('A console session', () => {
  test('has a code and a cookie that cannot be read from the store or the log', async () => {
    const maker = await newKey();
    const { code, cookie, sessionId } = await open(maker);
    await sessions.signOut(cookie);
    const stored = await store.connection.collection('consoleSessions').find().toArray();
    expect(stored).toHaveLength(1);
    const reported = JSON.stringify([stored, lines]);
    for (const secret of [code, cookie]) {
      expect(reported).not.toContain(secret.slice(-20));
    }
    expect(await fresh('q'.repeat(32)).authenticate(cookie)).toBeNull();
    const { accountId, keyId } = maker;
    expect(lines.map(({ msg, ...line }) => [msg, line])).toEqual([
      ['console_link.created', expect.objectContaining({ accountId, keyId, sessionId, access: 'read' })],
      ['console_session.opened', expect.objectContaining({ accountId, keyId, sessionId, access: 'read' })],
      ['console_session.signed_out', expect.objectContaining({ accountId, sessionId })],
    ]);
    expect(JSON.stringify(lines)).not.toContain('Ana');
  });

  test('ends at its time, however much it is used', async () => {
    const { cookie } = await open(OPERATOR);
    for (const end = now + LIFETIME_MS - 1; now < end; now = Math.min(now + 60_000, end)) {
      expect(await sessions.authenticate(cookie)).not.toBeNull();
      await until('its use is noted', async () => {
        const [listed] = await sessions.list(OPERATOR);
        return listed?.lastUsedAt?.getTime() === now;
      });
    }
    expect(await fresh().authenticate(cookie)).not.toBeNull();
    now += 1;
    expect(await sessions.authenticate(cookie)).toBeNull();
    expect(await fresh().authenticate(cookie)).toBeNull();
    expect(await sessions.list(OPERATOR)).toEqual([]);
  });

  test('ends when it was not used for a while, also where it was read a moment before', async () => {
    const { cookie } = await open(OPERATOR);
    now += IDLE_MS - 1;
    expect(await fresh().authenticate(cookie)).not.toBeNull();
    await sessions.authenticate(cookie);
    const { cookie: unused } = await open(OPERATOR);
    await sessions.authenticate(unused);
    now += IDLE_MS - 1;
    expect(await sessions.find(unused)).toEqual(await fresh().find(unused));
    expect(await sessions.find(unused)).toMatchObject({ accountId: 'acme/live' });
    now += 1;
    expect(await sessions.find(unused)).toBeNull();
    expect(await sessions.authenticate(unused)).toBeNull();
    expect(await fresh().authenticate(unused)).toBeNull();
    expect(await sessions.list(OPERATOR)).toEqual([]);
  });

  test.each<[string, (given: { keyId: string; cookie: string; sessionId: string }) => Promise<unknown>]>([
    ['its key is revoked', ({ keyId }) => keys.revoke(keyId)],
    ['it signs out', ({ cookie }) => sessions.signOut(cookie)],
    ['it is revoked', ({ sessionId }) => sessions.revoke(OPERATOR, sessionId)],
  ])('ends when %s, and another one does not', async (_name, end) => {
    const maker = await newKey();
    const { cookie, sessionId } = await open(maker);
    const other = await open(OPERATOR);
    await end({ ...maker, cookie, sessionId });
    expect(await fresh().authenticate(cookie)).toBeNull();
    expect((await fresh().list(OPERATOR)).map((one) => one.sessionId)).toEqual([other.sessionId]);
    expect(await fresh().authenticate(other.cookie)).not.toBeNull();
  });

  test('without a key ends when its tenant is no more', async () => {
    const { cookie } = await open(OPERATOR);
    tenants.delete('acme/live');
    expect(await fresh().authenticate(cookie)).toBeNull();
    const { code } = await sessions.createLink(OPERATOR, { access: 'admin', label: '' });
    expect(await sessions.open(code)).toBeNull();
  });

  test('has no scope that its key has lost', async () => {
    const maker = await newKey();
    const { cookie } = await open(maker, 'admin');
    await store.connection
      .collection<{ _id: string }>('apiKeys')
      .updateOne({ _id: maker.keyId }, { $set: { scopes: ['partner'] } });
    expect((await fresh().authenticate(cookie))?.scopes).toEqual([
      'partner',
      'partner_contact',
      'partner_write',
    ]);
  });

  test('is listed without secrets, for its own tenant and environment', async () => {
    const maker = await newKey();
    const { sessionId } = await open(maker, 'admin');
    await sessions.createLink(maker, { access: 'read', label: 'not opened' });
    const shown = {
      sessionId,
      access: 'admin',
      label: 'Ana',
      keyId: maker.keyId,
      createdAt: new Date(now),
      openedAt: new Date(now),
      lastUsedAt: new Date(now),
      expiresAt: new Date(now + LIFETIME_MS),
    };
    expect(await sessions.list(maker)).toEqual([shown]);
    expect(await sessions.list({ accountId: 'acme/sandbox' })).toEqual([]);
    expect(await sessions.list({ accountId: 'acme/sandbox' })).toEqual([]);
    expect(await sessions.list({ accountId: 'globex/sandbox' })).toEqual([]);
  });

  test('is revoked once; again, the first time stays; by others it is not found', async () => {
    const maker = await newKey();
    const { sessionId, cookie } = await open(maker);
    const none = await sessions.revoke(maker, 'cse_none');
    expect(none).toMatchObject({ ok: false, failures: [{ code: 'CONSOLE_SESSION_NOT_FOUND' }] });
    expect(await sessions.revoke({ accountId: 'globex/sandbox' }, sessionId)).toEqual(none);
    expect(await sessions.revoke({ ...maker, accountId: 'acme/sandbox' }, sessionId)).toEqual(none);
    expect(await fresh().authenticate(cookie)).not.toBeNull();
    const revoked = await sessions.revoke(maker, sessionId);
    expect(revoked).toMatchObject({ ok: true, value: { sessionId, revokedAt: new Date(now) } });
    now += 1_000;
    expect(await sessions.revoke(maker, sessionId)).toEqual(revoked);
    expect(lines.filter(({ msg }) => msg === 'console_session.revoked')).toHaveLength(1);
  });

  test('costs two reads, none when it was read a moment before, and none for another text', async () => {
    const { cookie } = await open(await newKey());
    const read = (text: string) => countCommands(store.connection, async () => sessions.authenticate(text));
    expect(await read(cookie)).toEqual({ 'find consoleSessions': 1, 'find apiKeys': 1 });
    expect(sessions.authenticate(cookie)).not.toBeInstanceOf(Promise);
    expect(await read(`${cookie}A`)).toEqual({});
  });
});
