import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import type { IdentityCheck } from '../port.ts';
import { acme, type Bench, createBench } from '../testing.ts';
import type { UserProfile } from '../user.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store);
});

const userOf = async (userId: string) => (await bench.service.findByIds(acme, [userId])).get(userId);

describe('an identity check', () => {
  const record = (userId: string, check: Partial<IdentityCheck>) =>
    bench.transaction((unit) =>
      bench.port.recordIdentityCheck(
        { accountId: 'acme/sandbox' as const, userId, status: 'failed', at: bench.now, ...check },
        unit,
      ),
    );

  test('sets the whole state, and keeps its result sealed', async () => {
    const userId = await bench.newUser();
    const result = { reason: 'unreadable' };
    const failed = { cipStatus: 'failed', cipProvider: 'checker', cipResult: result };
    expect(await record(userId, { provider: 'checker', result })).toEqual({
      before: 'pending',
      state: failed,
    });
    expect(await userOf(userId)).toMatchObject(failed);
    const users = store.connection.collection<{ _id: string }>('users');
    expect(JSON.stringify(await users.findOne({ _id: userId }))).not.toContain('unreadable');

    await record(userId, { status: 'verified' });
    const user = await userOf(userId);
    expect(user).toMatchObject({ cipStatus: 'verified', cipVerifiedAt: bench.now });
    expect(user).not.toHaveProperty('cipProvider');
    expect(user).not.toHaveProperty('cipResult');
  });

  test('leaves a verified user verified, unless it overrides', async () => {
    const userId = await bench.newUser();
    await record(userId, { status: 'verified', provider: 'first' });
    const first = { cipStatus: 'verified', cipProvider: 'first', cipVerifiedAt: bench.now };
    bench.now = new Date(bench.now.getTime() + 1_000);
    expect(await record(userId, { provider: 'second' })).toEqual({ before: 'verified', state: first });
    expect(await userOf(userId)).toMatchObject(first);
    const again = await record(userId, { status: 'verified', provider: 'second', overrides: true });
    expect(again?.state).toEqual({ ...first, cipProvider: 'second' });
    expect((await record(userId, { overrides: true }))?.state).toEqual({ cipStatus: 'failed' });
    expect(await userOf(userId)).not.toHaveProperty('cipVerifiedAt');
  });

  test('saved without a look at the user does the same: a verified user stays verified', async () => {
    const userId = await bench.newUser();
    const save = (check: Partial<IdentityCheck>) =>
      bench.transaction((unit) =>
        bench.port.saveIdentityCheck(
          { accountId: 'acme/sandbox' as const, userId, status: 'failed', at: bench.now, ...check },
          unit,
        ),
      );
    await save({ accountId: 'globex/sandbox' as const, status: 'verified' });
    await save({ provider: 'first', result: { reason: 'unreadable' } });
    const failed = { cipStatus: 'failed', cipProvider: 'first', cipResult: { reason: 'unreadable' } };
    expect(await userOf(userId)).toMatchObject(failed);
    await save({ status: 'verified', provider: 'second' });
    const verified = { cipStatus: 'verified', cipProvider: 'second', cipVerifiedAt: bench.now };
    expect(await userOf(userId)).toMatchObject(verified);
    expect(await userOf(userId)).not.toHaveProperty('cipResult');
    bench.now = new Date(bench.now.getTime() + 1_000);
    await save({ provider: 'third' });
    await save({ status: 'verified', provider: 'third' });
    expect(await userOf(userId)).toMatchObject(verified);
  });

  test('is not of a user of another tenant', async () => {
    const userId = await bench.newUser();
    expect(await record(userId, { accountId: 'globex/sandbox', status: 'verified' })).toBeUndefined();
    expect(await record('usr_nothing', { status: 'verified' })).toBeUndefined();
    expect(await userOf(userId)).toMatchObject({ cipStatus: 'pending' });
    expect(await bench.port.accountOf(userId)).toBe('acme/sandbox');
    expect(await bench.port.accountOf('usr_nothing')).toBeUndefined();
  });
});

describe('a profile', () => {
  const complete = (userId: string, profile: UserProfile) =>
    bench.transaction((unit) =>
      bench.port.completeProfile(
        { accountId: 'acme/sandbox' as const, userId, profile, at: bench.now },
        unit,
      ),
    );
  const ensure = (referenceId: string, profile: UserProfile) =>
    bench.transaction((unit) =>
      bench.port.ensureByReference({ accountId: 'acme/sandbox' as const, referenceId, profile }, unit),
    );

  test('gets its missing data, a name as a whole', async () => {
    const { userId } = await ensure('r-complete', {});
    expect((await userOf(userId))?.profile).toEqual({});
    await complete(userId, { firstName: 'Ana', lastName: 'Ruiz' });
    await complete(userId, { firstName: 'Eva', secondName: 'Luz', lastName: 'Paz', dob: '1990-01-01' });
    await complete(userId, { dob: '1991-01-01' });
    expect((await userOf(userId))?.profile).toEqual({
      firstName: 'Ana',
      lastName: 'Ruiz',
      dob: '1990-01-01',
    });
  });

  test('without news is not written', async () => {
    const { userId } = await ensure('r-same', { firstName: 'Ana', lastName: 'Ruiz' });
    const before = await userOf(userId);
    bench.now = new Date(bench.now.getTime() + 1_000);
    await complete(userId, { firstName: 'Eva', lastName: 'Paz' });
    expect(await userOf(userId)).toEqual(before);
  });
});
