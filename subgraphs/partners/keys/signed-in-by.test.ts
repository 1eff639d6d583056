import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createConsoleSessionModel } from './console-session-model.ts';
import { type ConsoleSessions, createConsoleSessions } from './console-sessions.ts';
import { createApiKeyModel } from './model.ts';
import { createUsedTokenModel, createUsedTokens } from './used-tokens.ts';

const ISSUER = 'https://login.acme.example';
const pepper = 'p'.repeat(32);
let store: Database;
let sessions: ConsoleSessions;
let version: string;
beforeAll(async () => {
  store = await openTestDatabase();
  const model = createConsoleSessionModel(store.connection);
  const keys = createApiKeyModel(store.connection);
  createUsedTokenModel(store.connection);
  await makeIndexes(store.connection);
  sessions = createConsoleSessions({
    ...{ model, keys, pepper, lifetimeSeconds: 600, idleSeconds: 600, log: pino({ level: 'silent' }) },
    hasAccount: async (_accountId, given) => given === undefined || given === version,
    clock: () => new Date(),
  });
});
beforeEach(async () => {
  version = 'v1';
  await store.connection.collection('consoleSessions').deleteMany({});
});
afterAll(() => store.close());

async function open(sub: string, sid?: string, accountId: AccountId = 'acme/live', from = ISSUER) {
  const signedInBy = { issuer: from, sub, ...(sid !== undefined && { sid }), version: 'v1' };
  const { code } = await sessions.createLink({ accountId }, { access: 'read', label: sub, signedInBy });
  const opened = await sessions.open(code);
  return opened?.cookie;
}
const isOpen = async (cookie: string | undefined) => (await sessions.find(cookie)) !== null;

describe('A session by a company account', () => {
  test.each([
    ['its own id', { sid: 's-1' }, [false, true, true]],
    ['its person', { sub: 'ana' }, [false, false, true]],
    ['both', { sub: 'ana', sid: 's-2' }, [true, false, true]],
    ['the id of one and the person of another', { sub: 'olga', sid: 's-1' }, [true, true, true]],
  ])('ends when the provider names %s', async (_name, named, expected) => {
    const cookies = [await open('ana', 's-1'), await open('ana', 's-2'), await open('olga', 's-3')];
    const ended = await sessions.endSignedIn('acme/live', { issuer: ISSUER, ...named });
    expect(await Promise.all(cookies.map(isOpen))).toEqual(expected);
    expect(ended).toBe(expected.filter((one) => !one).length);
  });

  test.each([
    ['the person and a session', { sub: 'ana', sid: 's-9' }, 1],
    ['a session alone', { sid: 's-9' }, 0],
    ['another person', { sub: 'olga', sid: 's-9' }, 0],
  ])('for which the provider gave no id ends when it names %s: %j, %d', async (_name, named, ended) => {
    const cookie = await open('ana');
    expect(await sessions.endSignedIn('acme/live', { issuer: ISSUER, ...named })).toBe(ended);
    expect(await isOpen(cookie)).toBe(ended === 0);
  });

  test('is not ended by another account or another provider', async () => {
    const cookie = await open('ana', 's-1');
    expect(await sessions.endSignedIn('globex/live', { issuer: ISSUER, sub: 'ana' })).toBe(0);
    expect(await sessions.endSignedIn('acme/sandbox', { issuer: ISSUER, sub: 'ana' })).toBe(0);
    expect(await sessions.endSignedIn('acme/live', { issuer: 'https://other.example', sub: 'ana' })).toBe(0);
    expect(await isOpen(cookie)).toBe(true);
  });

  test('is not opened once the provider has ended it, and ends when the account has another provider or other roles', async () => {
    const signedInBy = { issuer: ISSUER, sub: 'ana', version: 'v1' };
    const link = { access: 'read', label: '', signedInBy } as const;
    const { code } = await sessions.createLink({ accountId: 'acme/live' }, link);
    await sessions.endSignedIn('acme/live', signedInBy);
    expect(await sessions.open(code)).toBeNull();
    const cookie = await open('ana', 's-1');
    version = 'v2';
    expect(await isOpen(cookie)).toBe(false);
    expect(await open('ana', 's-1')).toBeUndefined();
  });

  test('is stored without the ids of the person and of the session at the provider', async () => {
    await open('ana-at-the-provider', 'sid-at-the-provider');
    const stored = await store.connection.collection('consoleSessions').find().toArray();
    expect(JSON.stringify(stored.map(({ label: _, ...rest }) => rest))).not.toContain('at-the-provider');
    expect((await sessions.list({ accountId: 'acme/live' }))[0]).not.toHaveProperty('signInKeys');
  });
});

test('A token is used once, by whatever process', async () => {
  const make = () => createUsedTokens({ model: createUsedTokenModel(store.connection), pepper });
  const until = new Date(Date.now() + 60_000);
  const uses = await Promise.all([make(), make(), make()].map((one) => one.use('state 1', until)));
  expect(uses.filter(Boolean)).toHaveLength(1);
  expect(await make().use('state 2', until)).toBe(true);
  expect(await make().isUsed('state 2', until)).toBe(true);
  expect(await make().isUsed('state 3', until)).toBe(false);
  const later = new Date(until.getTime() + 1);
  expect(await make().isUsed('state 2', later)).toBe(false);
  for (const time of [later, until]) {
    await make().extend('state 2', time);
    expect(await make().isUsed('state 2', later)).toBe(true);
  }
  expect(JSON.stringify(await store.connection.collection('usedTokens').find().toArray())).not.toContain(
    'state',
  );
});
