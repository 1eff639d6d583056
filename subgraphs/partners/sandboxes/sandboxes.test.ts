import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { findUnserved, recordQueries } from '../../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import { createSandboxClocks, readAccountClocks, type SandboxClocks } from './clocks.ts';
import { createSandboxModel, type SandboxModel } from './model.ts';
import { createSandboxResets, type ResetSource } from './resets.ts';

const ACME = 'acme/sandbox';
const NOW = new Date('2026-11-23T08:00:00.000Z');
const HOUR_MS = 3_600_000;
const forever = () => new AbortController().signal;
const log = { warn: () => undefined };
let store: Database;
let model: SandboxModel;
let transaction: RunTransaction;
let now = NOW;

beforeAll(async () => {
  store = await openTestDatabase();
  model = createSandboxModel(store.connection);
  await makeIndexes(store.connection);
  transaction = createTransactions(store.connection);
});
beforeEach(async () => {
  now = NOW;
  await model.deleteMany({});
});
afterAll(() => store.close());

/** The clocks of a process. */
const newClocks = () =>
  createSandboxClocks({ model, clock: () => now, log, environments: ['sandbox', 'live'] });
const advance = (clocks: SandboxClocks, seconds: number) =>
  transaction((unit) => clocks.advance(ACME, seconds, unit));

describe('The clocks of sandboxes', () => {
  test('are ahead for one account, in this process at once and in others after they look', async () => {
    const [here, there] = [newClocks(), newClocks()];
    await there.refresh();
    await advance(here, 3_600);
    expect(here.accountClock(ACME)).toEqual(new Date(NOW.getTime() + HOUR_MS));
    expect(here.accountClock('acme/live')).toEqual(NOW);
    expect(here.listExpired()).toEqual([
      { at: NOW },
      { accountId: ACME, at: new Date(NOW.getTime() + HOUR_MS) },
    ]);
    expect(there.aheadMs(ACME)).toBe(0);
    const queries = recordQueries(store.connection);
    await there.refresh();
    expect(findUnserved(store.connection, queries)).toEqual([]);
    expect(there.aheadMs(ACME)).toBe(HOUR_MS);
    expect((await readAccountClocks({ model, clock: () => now, log })).aheadMs(ACME)).toBe(HOUR_MS);
    await transaction((unit) => here.setBack(ACME, unit));
    await there.refresh();
    expect([here.listExpired(), there.listExpired()]).toEqual([[{ at: NOW }], [{ at: NOW }]]);
  });

  test('find a change that was stored long after its time, but do not read all of them each second', async () => {
    const [here, there] = [newClocks(), newClocks()];
    await advance(here, 3_600);
    await there.refresh();
    now = new Date(NOW.getTime() + HOUR_MS);
    await there.refresh();
    // As if another process had set it a minute ago and committed only now.
    await model.updateOne({ _id: ACME }, { aheadMs: 5, clockSetAt: new Date(now.getTime() - 60_000) });
    await there.refresh();
    expect(there.aheadMs(ACME)).toBe(5);
    await model.updateOne({ _id: ACME }, { aheadMs: 6, clockSetAt: NOW });
    await there.refresh();
    expect(there.aheadMs(ACME)).toBe(5);
  });

  test('are not undone by a read that began before they were set', async () => {
    let answer = () => {};
    const isSet = new Promise<void>((resolve) => {
      answer = resolve;
    });
    // Its reads answer late, with the clocks as they were when they began.
    const late: SandboxModel = Object.create(model, {
      find: {
        value: () => ({
          select: () => ({
            lean: async () => {
              const found = await model.find().lean();
              await isSet;
              return found;
            },
          }),
        }),
      },
    });
    const clocks = createSandboxClocks({ model: late, clock: () => now, log, environments: ['sandbox'] });
    await advance(clocks, 60);
    const reading = clocks.refresh();
    await advance(clocks, 60);
    answer();
    await reading;
    expect(clocks.aheadMs(ACME)).toBe(120_000);
  });

  test('stay as they were when a transaction is not committed', async () => {
    const clocks = newClocks();
    const failing = transaction(async (unit) => {
      await clocks.advance(ACME, 60, unit);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(clocks.aheadMs(ACME)).toBe(0);
    expect(await model.countDocuments()).toBe(0);
  });
});

describe('A reset of a sandbox', () => {
  const records = () =>
    store.connection.model<{ _id: string; accountId: AccountId }>(
      'TestRecord',
      new Schema({ _id: String, accountId: String }, { collection: 'testRecords', versionKey: false }),
      undefined,
      { overwriteModels: true },
    );
  const insert = async (accountId: AccountId, ids: readonly string[]) => {
    await records().insertMany(ids.map((_id) => ({ _id, accountId })));
  };
  const source = (changes: Partial<ResetSource> = {}): ResetSource => ({
    collections: ['testRecords'],
    count: (accountId) => records().countDocuments({ accountId }).exec(),
    remove: async (accountId, most, { session }) => {
      const found = await records().find({ accountId }).limit(most).session(session).lean();
      await records().deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
      return found.length;
    },
    ...changes,
  });
  const resetsOf = (clocks: SandboxClocks, ...sources: ResetSource[]) =>
    createSandboxResets({ model, sources, clocks, transaction, clock: () => now });
  beforeEach(async () => {
    await records().deleteMany({});
  });

  test('removes records that are added behind it, counts each once, and sets the clock back', async () => {
    const clocks = newClocks();
    await advance(clocks, 60);
    await insert(
      ACME,
      Array.from({ length: 250 }, (_, index) => `r${index}`),
    );
    await insert('acme/live', ['live']);
    let isLate = true;
    const adding = source({
      remove: async () => {
        if (isLate) {
          isLate = false;
          await insert(ACME, ['late']);
        }
        return 0;
      },
    });
    const resets = resetsOf(clocks, source(), { ...adding, count: async () => 0 });
    const begun = await resets.start(ACME);
    expect(begun).toMatchObject({ state: 'RUNNING', found: 250, removed: 0 });
    expect(await resets.start(ACME)).toEqual(begun);
    await Promise.all([resets.work(forever()), resets.work(forever())]);
    expect((await records().find().lean()).map(({ _id }) => _id)).toEqual(['live']);
    expect(await model.findById(ACME).lean()).toMatchObject({
      aheadMs: 0,
      reset: { id: begun.id, state: 'DONE', removed: 251, finishedAt: NOW },
    });
    expect(clocks.aheadMs(ACME)).toBe(0);
    expect((await resets.start(ACME)).id).not.toBe(begun.id);
  });

  test('goes on after a process has died, and leaves new records alone once another has finished it', async () => {
    const clocks = newClocks();
    await insert(ACME, ['one', 'two']);
    const dying = resetsOf(clocks, source({ remove: () => Promise.reject(new Error('killed')) }));
    await dying.start(ACME);
    await expect(dying.work(forever())).rejects.toThrow('killed');
    const finisher = resetsOf(clocks, source());
    let finished: Promise<void> | undefined;
    // A process that was suspended before its removal: meanwhile the reset ended, and a new record was made.
    const suspended = resetsOf(
      clocks,
      source({
        remove: async (accountId, most, unit) => {
          finished ??= finisher.work(forever()).then(() => insert(ACME, ['new']));
          await finished;
          return source().remove(accountId, most, unit);
        },
      }),
    );
    await suspended.work(forever());
    expect((await records().find().lean()).map(({ _id }) => _id)).toEqual(['new']);
  });
});
