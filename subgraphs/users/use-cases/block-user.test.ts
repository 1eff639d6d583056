import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { queueKey, type RunTransaction } from '../../kernel/database/transaction.ts';
import type { Principal } from '../../kernel/principal.ts';
import { createEventModels } from '../../runtime/events/model.ts';
import { acme, type Bench, createBench, globex, START } from '../testing.ts';
import { blockUser, unblockUser } from './block-user.ts';

let store: Database;
let bench: Bench;
let userId: string;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store);
  userId = await bench.newUser();
});

const later = new Date(START.getTime() + 60_000);
const block = (...[body, by = acme, id = userId]: [body?: unknown, by?: Principal, id?: string]) =>
  bench.block(by, id, body);
const unblock = (by = acme, id = userId) => bench.service.unblock(by, id);

const stored = () => store.connection.collection<{ _id: string }>('users').findOne({ _id: userId });
const eventsOf = async () => {
  const events = createEventModels(store.connection).events;
  const found = await events.find({ accountId: 'acme/sandbox', entity: 'user', entityId: userId }).lean();
  return found
    .sort((one, other) => one.version - other.version)
    .map(({ version, type, previousStatus, status }) => [version, type, previousStatus, status].join(' '));
};

describe('a block', () => {
  test('has a time and a reason, and an event in the log', async () => {
    bench.now = later;
    expect(await block({ reason: 'Chargeback of Zyanya', other: 1 })).toMatchObject({
      ok: true,
      value: {
        userId,
        blocked: true,
        blockedAt: later,
        blockedReason: 'Chargeback of Zyanya',
        blockedBy: { kind: 'API_KEY', id: acme.keyId, name: 'Back office' },
        updatedAt: later,
      },
    });
    expect(await bench.port.accountState('acme/sandbox', userId)).toEqual({ userId, blocked: true });
    expect(await bench.port.blockOf('acme/sandbox', userId)).toMatchObject({
      blockedReason: 'Chargeback of Zyanya',
    });
    expect(await bench.port.blockOf('acme/live', userId)).toBeUndefined();
    expect((await bench.service.findByIds(acme, [userId])).get(userId)).toMatchObject({
      blockedAt: later,
      blockedReason: 'Chargeback of Zyanya',
      profile: { firstName: 'Ana' },
    });
    expect(await eventsOf()).toEqual(['1 user.blocked active blocked']);
  });

  test('needs no reason, which may be of 500 characters', async () => {
    expect(await block({})).toMatchObject({ value: { blocked: true, blockedAt: START } });
    expect(await stored()).not.toHaveProperty('blockedReason');
    await unblock();
    const reason = '\u{1f6d1}'.repeat(500);
    expect(await block({ reason })).toMatchObject({ value: { blockedReason: reason } });
    await unblock();
    expect(await block({ reason: '' })).toMatchObject({ value: { blockedReason: '' } });
  });

  test('of a blocked user keeps the first one', async () => {
    await block({ reason: 'First' });
    bench.now = later;
    const before = await stored();
    expect(await block({ reason: 'Second' })).toMatchObject({
      value: { blocked: true, blockedAt: START, blockedReason: 'First' },
    });
    expect(await block({})).toMatchObject({ value: { blockedReason: 'First' } });
    expect(await stored()).toEqual(before);
    expect(await eventsOf()).toHaveLength(1);
  });

  test('has the console session that made it, and the first one for good', async () => {
    const consoleSession = { sessionId: 'cse_1', label: 'Eva', access: 'admin', expiresAt: 0 } as const;
    await block({}, { ...acme, consoleSession });
    const found = () => bench.service.findByIds(acme, [userId]).then((users) => users.get(userId)?.blockedBy);
    expect(await found()).toEqual({ kind: 'CONSOLE_SESSION', id: 'cse_1', name: 'Eva' });
    await block({});
    expect(await found()).toEqual({ kind: 'CONSOLE_SESSION', id: 'cse_1', name: 'Eva' });
    await unblock();
    expect(await found()).toBeUndefined();
    await block({}, { ...acme, keyId: 'key_unknown' });
    expect(await found()).toEqual({ kind: 'API_KEY', id: 'key_unknown' });
  });

  test('can be taken back, once, and made again', async () => {
    await block({ reason: 'First' });
    bench.now = later;
    const free = { userId, blocked: false, updatedAt: later };
    expect(await unblock()).toMatchObject({ ok: true, value: free });
    expect(await unblock()).toMatchObject({ ok: true, value: free });
    expect(Object.keys((await stored()) ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^blocked./)]),
    );
    expect(await block({})).toMatchObject({ value: { blockedAt: later } });
    expect(await eventsOf()).toEqual([
      '1 user.blocked active blocked',
      '2 user.unblocked blocked active',
      '3 user.blocked active blocked',
    ]);
  });

  test('of an unknown user fails, and so does unblocking one', async () => {
    const unknown = { failures: [{ code: 'USER_NOT_FOUND' }] };
    expect(await unblock(acme, 'usr_none')).toMatchObject(unknown);
    expect(await block({}, globex)).toEqual(await block({}, acme, 'usr_none'));
    expect(await block({}, globex)).toMatchObject(unknown);
    await block({});
    expect(await unblock(globex)).toMatchObject(unknown);
    expect(await bench.port.accountState('acme/sandbox', userId)).toMatchObject({ blocked: true });
  });

  test.each([
    ['a reason that is a number', { reason: 5 }, 'reason', 'must be a string'],
    ['a reason that is null', { reason: null }, 'reason', 'must be a string'],
    ['a reason of 501', { reason: 'x'.repeat(501) }, 'reason', 'must have at most 500 characters'],
    ['half a character', { reason: '\ud83d' }, 'reason', 'must be well-formed Unicode'],
    ['a list', [], '', 'must be a JSON object'],
    ['a text that is not JSON', undefined, '', 'must be a JSON object'],
  ])('fails for %s, for any user', async (_what, body, path, message) => {
    for (const id of [userId, 'usr_none']) {
      expect(await block(body, acme, id)).toEqual({
        ok: false,
        failures: [{ code: 'INVALID_REQUEST', message, path: path === '' ? [] : [path] }],
      });
    }
    expect(await eventsOf()).toEqual([]);
  });
});

describe('at once', () => {
  test('ten blocks are one, with the reason of the first', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => block({ reason: `Reason ${index}` })),
    );
    const reasons = answers.map((answer) => (answer.ok ? answer.value.blockedReason : 'failed'));
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toMatch(/^Reason \d$/);
    expect((await bench.service.findByIds(acme, [userId])).get(userId)?.blockedReason).toBe(reasons[0]);
    expect(await eventsOf()).toEqual(['1 user.blocked active blocked']);
  });

  test('waits its turn beside transactions that hold the user, and does not compete with them', async () => {
    const turns: (string | undefined)[] = [];
    const transaction: RunTransaction = (work, turn) => {
      turns.push(turn);
      return bench.transaction(work, turn);
    };
    const deps = { ...bench.deps, transaction };
    expect(await blockUser(deps, acme, userId, {})).toMatchObject({ value: { blocked: true } });
    expect(await unblockUser(deps, acme, userId)).toMatchObject({ value: { blocked: false } });
    expect(turns).toEqual([queueKey('acme/sandbox', { userId }), queueKey('acme/sandbox', { userId })]);
  });

  test('blocks and unblocks follow each other, each with one event', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? block({}) : unblock())),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    const events = await eventsOf();
    expect(events).toEqual(
      events.map((_, index) =>
        index % 2 === 0
          ? `${index + 1} user.blocked active blocked`
          : `${index + 1} user.unblocked blocked active`,
      ),
    );
    const { blocked } = (await bench.port.accountState('acme/sandbox', userId)) ?? {};
    expect(blocked).toBe(events.length % 2 === 1);
  });
});

describe('over the graph', () => {
  const FIELDS =
    'user { id blocked blockedAt blockedReason blockedBy { kind id name } } userErrors { code message path }';
  const send = async (
    field: string,
    variables: Record<string, unknown>,
    declared: string,
    passed: string,
  ) => {
    const answer = await bench.execute(
      `mutation (${declared}) { ${field}(${passed}) { ${FIELDS} } }`,
      variables,
    );
    expect(answer.errors).toBeUndefined();
    return (answer.data as Record<string, unknown>)[field];
  };
  const byInput = (field: 'blockUser' | 'unblockUser', input: object) =>
    send(
      field,
      { input },
      `$input: ${field === 'blockUser' ? 'Block' : 'Unblock'}UserInput!`,
      'input: $input',
    );
  const fromJson = (body: string) =>
    send('blockUserFromJson', { id: userId, body }, '$id: ID!, $body: String!', 'userId: $id, body: $body');
  const shown = (blockedReason: string | null) => ({
    user: {
      id: userId,
      blocked: true,
      blockedAt: START.toISOString(),
      blockedReason,
      blockedBy: { kind: 'API_KEY', id: acme.keyId, name: 'Back office' },
    },
    userErrors: [],
  });
  const free = () => ({
    user: { id: userId, blocked: false, blockedAt: null, blockedReason: null, blockedBy: null },
    userErrors: [],
  });

  test('typed', async () => {
    expect(await byInput('blockUser', { userId, reason: 'Fraud' })).toEqual(shown('Fraud'));
    expect(await byInput('unblockUser', { userId })).toEqual(free());
    expect(await byInput('blockUser', { userId, reason: null })).toEqual(shown(null));
    expect(await byInput('blockUser', { userId: 'usr_none' })).toMatchObject({
      user: null,
      userErrors: [{ code: 'USER_NOT_FOUND' }],
    });
  });

  test('with the body as it was sent; an empty body counts as no body', async () => {
    expect(await fromJson('{"reason":"Fraud"}')).toEqual(shown('Fraud'));
    expect(await send('unblockUserById', { id: userId }, '$id: ID!', 'userId: $id')).toEqual(free());
    for (const bad of ['{', ' ', 'null', '"Fraud"', '7']) {
      expect(await fromJson(bad)).toMatchObject({ user: null, userErrors: [{ code: 'INVALID_REQUEST' }] });
    }
    expect(await fromJson('')).toEqual(shown(null));
  });

  test('a user has the state of the identity check', async () => {
    const query = 'query ($id: ID!) { user(id: $id) { cipStatus cipProvider cipVerifiedAt cipResult } }';
    expect((await bench.execute(query, { id: userId })).data).toEqual({
      user: { cipStatus: 'PENDING', cipProvider: null, cipVerifiedAt: null, cipResult: null },
    });
    const check = {
      accountId: 'acme/sandbox',
      userId,
      status: 'verified',
      provider: 'checker',
      at: START,
    } as const;
    await bench.transaction((unit) =>
      bench.port.recordIdentityCheck({ ...check, result: { score: 0.98, steps: ['face'] } }, unit),
    );
    expect((await bench.execute(query, { id: userId })).data).toEqual({
      user: {
        cipStatus: 'VERIFIED',
        cipProvider: 'checker',
        cipVerifiedAt: START.toISOString(),
        cipResult: { score: 0.98, steps: ['face'] },
      },
    });
  });

  test('not without the scope', async () => {
    const bare = { ...acme, scopes: [] };
    const mutation = 'mutation ($input: BlockUserInput!) { blockUser(input: $input) { user { id } } }';
    const answer = await bench.execute(mutation, { input: { userId } }, bare);
    expect(answer.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(await eventsOf()).toEqual([]);
  });
});
