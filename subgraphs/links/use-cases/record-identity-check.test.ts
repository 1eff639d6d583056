import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { queueKey, type RunTransaction } from '../../kernel/database/transaction.ts';
import { acme, type Bench, codeOf, createBench, jsonOf, MINUTE_MS, must, USER_DATA } from '../testing.ts';
import { updateCip } from './record-identity-check.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store);
});

const ticketFor = (linkId: string) => bench.createTicket(acme, { linkId });
const cip = (userId: string, body: unknown) => bench.updateCip(userId, jsonOf(body));
const typesOf = async (linkId: string) => (await bench.timeline(linkId)).map(({ type }) => type).slice(1);

describe('a ticket', () => {
  test('is made for a link that is ready', async () => {
    const link = await bench.newLink({ userData: USER_DATA });
    const ticket = must(await ticketFor(link.linkId));
    expect(ticket.ticketId).toMatch(/^tck_[\w-]{20}$/);
    expect(ticket.widgetUrl).toMatch(/^https:\/\/widget\.acme\.test\/cip\/[\w-]{22}$/);
    expect(ticket.link).toMatchObject({ linkId: link.linkId, version: 2 });
  });

  test('fails for the first reason', async () => {
    expect(codeOf(await ticketFor(undefined as unknown as string))).toBe('INVALID_REQUEST');
    expect(codeOf(await ticketFor('lnk_nothing'))).toBe('LINK_NOT_FOUND');
    const link = await bench.newLink({ expiresInMinutes: 1, userData: { idType: 'ine' } });
    expect(await ticketFor(link.linkId)).toEqual({
      ok: false,
      failures: ['name', 'idNumber', 'dob'].map((field) => ({
        code: 'INSUFFICIENT_USER_DATA',
        message: 'is missing',
        path: ['userData', field],
      })),
    });
    await bench.block(link.userId);
    expect(codeOf(await ticketFor(link.linkId))).toBe('USER_BLOCKED');
    bench.pass(MINUTE_MS);
    expect(await ticketFor(link.linkId)).toMatchObject({
      failures: [{ code: 'LINK_REVOKED', message: 'The link has expired.' }],
    });
    must(await bench.service.revoke(acme, link.linkId));
    expect(await ticketFor(link.linkId)).toMatchObject({
      failures: [{ code: 'LINK_REVOKED', message: 'The link is revoked.' }],
    });
    expect(await typesOf(link.linkId)).toEqual(['link.revoked']);
  });
});

describe('a result', () => {
  test('is recorded on the links that wait for one, and on those alone', async () => {
    const waiting = await bench.newLink({ userData: USER_DATA });
    const { referenceId, userId } = waiting;
    const other = must(await bench.create({ referenceId }));
    must(await ticketFor(waiting.linkId));
    bench.pass(1_000);
    const second = must(await ticketFor(waiting.linkId));
    bench.pass(1_000);
    must(await cip(userId, { status: 'verified', provider: 'checker' }));
    expect(await typesOf(waiting.linkId)).toEqual([
      'cip.ticket_created',
      'cip.ticket_created',
      'cip.verified',
    ]);
    expect((await bench.timeline(waiting.linkId)).at(-1)).toMatchObject({
      durationMs: 1_000,
      data: { userId, provider: 'checker', ticketId: second.ticketId },
    });
    expect(await typesOf(other.linkId)).toEqual([]);
    must(await cip(userId, { status: 'verified', provider: 'checker' }));
    expect(await typesOf(waiting.linkId)).toHaveLength(3);
    expect(await typesOf(other.linkId)).toEqual([]);
  });

  test('without a ticket is recorded on all links that still work', async () => {
    const first = await bench.newLink({ expiresInMinutes: 1 });
    const { referenceId, userId } = first;
    const made = [must(await bench.create({ referenceId })), must(await bench.create({ referenceId }))];
    const [working, revoked] = made.map(({ linkId }) => linkId) as [string, string];
    must(await bench.service.revoke(acme, revoked));
    bench.pass(MINUTE_MS);
    must(await cip(userId, { status: 'failed' }));
    expect(await typesOf(working)).toEqual(['cip.failed']);
    expect(await typesOf(revoked)).toEqual(['link.revoked']);
    expect(await typesOf(first.linkId)).toEqual([]);
    expect((await bench.timeline(working)).at(-1)).toMatchObject({
      status: 'error',
      error: 'The identity check failed.',
      data: { userId },
    });
  });

  test('sets the state of the user; only the platform takes a verified back', async () => {
    const { userId } = await bench.newLink();
    const result = { score: 0.97, document: { country: 'MX' } };
    const verified = must(await cip(userId, { status: 'verified', provider: 'checker', result }));
    const state = {
      cipStatus: 'verified',
      cipProvider: 'checker',
      cipVerifiedAt: bench.now,
      cipResult: result,
    };
    expect(verified).toEqual({ userId, state });
    bench.pass(1_000);
    const check = {
      accountId: 'acme/sandbox' as const,
      userId,
      status: 'failed',
      provider: 'pipeline',
      at: bench.now,
    } as const;
    await bench.deps.transaction((unit) => bench.port.recordIdentityCheck(check, unit));
    const { cipResult: _, ...unsealed } = state;
    const users = store.connection.collection<{ _id: string }>('users');
    expect(await users.findOne({ _id: userId })).toMatchObject(unsealed);
    expect(must(await cip(userId, { status: 'failed' })).state).toEqual({ cipStatus: 'failed' });
    expect(must(await cip(userId, { status: 'pending' })).state).toEqual({ cipStatus: 'pending' });
  });

  test("waits the user's turn beside transactions that hold the user", async () => {
    const { userId } = await bench.newLink();
    const turns: (string | undefined)[] = [];
    const transaction: RunTransaction = (work, turn) => {
      turns.push(turn);
      return bench.deps.transaction(work, turn);
    };
    must(await updateCip({ ...bench.deps, transaction }, { userId }, { status: 'failed' }));
    expect(turns).toEqual([queueKey('acme/sandbox', { userId })]);
  });

  test('that is pending is recorded on no link', async () => {
    const { linkId, userId } = await bench.newLink({ userData: USER_DATA });
    must(await ticketFor(linkId));
    must(await cip(userId, { status: 'pending' }));
    expect(await typesOf(linkId)).toEqual(['cip.ticket_created']);
  });

  test.each([
    ['no status', {}, ['status']],
    ['another status', { status: 'passed' }, ['status']],
    ['an empty provider', { status: 'verified', provider: '' }, ['provider']],
    ['a result that is no object', { status: 'verified', result: 'good' }, ['result']],
    ['no object', 'verified', ['']],
  ])('fails with %s', async (_what, body, paths) => {
    const { userId } = await bench.newLink();
    const updated = await cip(userId, body);
    expect(codeOf(updated)).toBe('VALIDATION_FAILED');
    expect(updated.ok ? [] : updated.failures.map(({ path }) => path?.join('.'))).toEqual(paths);
  });

  test('of an unknown user fails', async () => {
    expect(codeOf(await cip('usr_nothing', { status: 'verified' }))).toBe('USER_NOT_FOUND');
  });
});

describe('an operation', () => {
  const attach = (userId: string, operationId: string) =>
    bench.deps.transaction((unit) =>
      bench.port.attachOperation(
        { accountId: 'acme/sandbox' as const, userId, operationId, status: 'Sent', at: bench.now },
        unit,
      ),
    );

  test("is of the user's newest link that may have one and has none", async () => {
    const first = await bench.newLink({ flow: 'request_money' });
    const { referenceId, userId } = first;
    bench.pass(1);
    const second = must(await bench.create({ referenceId, flow: 'transfer' }));
    bench.pass(1);
    must(await bench.create({ referenceId, flow: 'cip' }));
    const revoked = must(await bench.create({ referenceId }));
    must(await bench.service.revoke(acme, revoked.linkId));
    must(await bench.create({ referenceId, expiresInMinutes: 1 }));
    bench.pass(MINUTE_MS);
    expect(await attach(userId, 'op-a')).toBe(second.linkId);
    expect(await attach(userId, 'op-b')).toBe(first.linkId);
    expect(await attach(userId, 'op-c')).toBeUndefined();
    const found = await bench.service.findByOperations(acme, ['op-a', 'op-b', 'op-c']);
    expect([...found.values()].map(({ linkId }) => linkId).toSorted()).toEqual(
      [first.linkId, second.linkId].toSorted(),
    );
  });

  test('two at once get a link each, or none', async () => {
    const { userId } = await bench.newLink();
    const attached = await Promise.all([attach(userId, 'op-x'), attach(userId, 'op-y')]);
    expect(attached.filter((linkId) => linkId !== undefined)).toHaveLength(1);
  });

  test('whose link is not there throws', async () => {
    const change = {
      accountId: 'acme/sandbox' as const,
      linkId: 'lnk_nothing',
      operationId: 'o',
      previousStatus: 'Sent',
    };
    const record = bench.deps.transaction((unit) =>
      bench.port.recordOperationChange(
        { ...change, status: 'Funded', at: bench.now, since: bench.now },
        unit,
      ),
    );
    await expect(record).rejects.toThrow('lnk_nothing');
  });
});
