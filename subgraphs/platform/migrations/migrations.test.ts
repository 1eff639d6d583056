import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { countCommands } from '../../../test/support/count-commands.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import type { Database } from '../database/open-database.ts';
import { migrateAtStart } from './at-start.ts';
import type { Migration, MigrationRun } from './migration.ts';
import { createMigrations, type MigrationsDeps } from './migrations.ts';
import { MigrationError } from './status.ts';

const LEASE_MS = 60_000;

let database: Database;
let log: string[];
let now: Date;
beforeAll(async () => {
  database = await openTestDatabase(process.env, { monitorCommands: true });
});
beforeEach(async () => {
  await stored('migrations').deleteMany({});
  log = [];
  now = new Date('2026-11-23T08:00:00.000Z');
});
afterAll(() => database.close());

const stored = (name: string) => database.connection.collection<{ _id: number | string }>(name);
const states = async () =>
  (await stored('migrations').find().sort({ _id: 1 }).toArray()).map(
    (document) => `${document._id} ${(document as unknown as { state: string }).state}`,
  );

/** A migration that notes its runs. */
const step = (number: number, more: Partial<Migration> = {}): Migration => ({
  number,
  name: `step-${number}`,
  kind: 'expand',
  summary: 'A step',
  run: async () => {
    log.push(`ran ${number}`);
  },
  ...more,
});

/** The migrations as a process of some version has them. */
const process_ = (list: readonly Migration[], more: Partial<MigrationsDeps> = {}) =>
  createMigrations({
    connection: database.connection,
    log: { info: () => undefined },
    isEmpty: async () => false,
    list,
    clock: () => now,
    wait: { leaseMs: LEASE_MS, lookMs: 5 },
    ...more,
  });
const numbers = (migrations: readonly Migration[]) => migrations.map(({ number }) => number);

describe('pending migrations', () => {
  test('run in the order of their numbers, once; then one read tells that nothing is pending', async () => {
    const migrations = process_([step(1), step(2)]);
    expect(numbers(await migrations.apply({ contract: false }))).toEqual([1, 2]);
    expect(await migrations.apply({ contract: true })).toEqual([]);
    expect([log, await states()]).toEqual([
      ['ran 1', 'ran 2'],
      ['1 applied', '2 applied'],
    ]);
    const start = () => migrateAtStart(migrations, { migrate: true, isAlone: true });
    expect(await countCommands(database.connection, start)).toEqual({ 'find migrations': 1 });
  });

  test('are applied by one of many that start at once; the others wait for its end', async () => {
    let running = 0;
    const slow = step(1, {
      run: async () => {
        running += 1;
        log.push(`${running} at once`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running -= 1;
      },
    });
    const starts = Array.from({ length: 5 }, () =>
      migrateAtStart(process_([slow, step(2)]), { migrate: true, isAlone: false }),
    );
    await Promise.all(starts);
    expect(log).toEqual(['1 at once', 'ran 2']);
  });

  test('that fail are told, and are tried again by the next start', async () => {
    let fails = true;
    const failing = step(1, {
      run: async () => {
        if (fails) {
          throw new Error('no space');
        }
      },
    });
    const migrations = process_([failing, step(2)]);
    await expect(migrations.apply({ contract: false })).rejects.toThrow('no space');
    expect([log, await states()]).toEqual([[], ['1 running']]);
    fails = false;
    await migrations.apply({ contract: false });
    expect(await states()).toEqual(['1 applied', '2 applied']);
  });

  test('of an empty database are recorded; only the first one, which makes its collections, runs', async () => {
    const contract = step(3, { kind: 'contract' });
    const migrations = process_([step(1), step(2), contract], { isEmpty: async () => true });
    expect(numbers(await migrations.apply({ contract: false }))).toEqual([1, 2, 3]);
    expect([log, await states()]).toEqual([['ran 1'], ['1 applied', '2 applied', '3 applied']]);
  });
});

describe('a process that is killed in a migration', () => {
  /** Copies places one by one, and is held at one of them, as if its process were suspended there. */
  const copying = (heldAt?: number) => {
    let resume: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const run = async ({ progress, save }: MigrationRun) => {
      for (let place = Number(progress ?? 0) + 1; place <= 4; place += 1) {
        if (place === heldAt) {
          log.push('held');
          await held;
        }
        log.push(`copied ${place}`);
        await save(place);
      }
    };
    return { migration: step(2, { run }), resume: () => resume() };
  };

  test('is continued where it was by the next one, and writes nothing more if it comes back', async () => {
    const killed = copying(3);
    const first = process_([step(1), killed.migration]).apply({ contract: false });
    const lost = expect(first).rejects.toThrow('taken over');
    await until('the first is held', () => log.includes('held'));
    now = new Date(now.getTime() + LEASE_MS);
    expect(numbers(await process_([step(1), copying().migration]).apply({ contract: false }))).toEqual([2]);
    const before = await stored('migrations').find().toArray();
    killed.resume();
    await lost;
    expect(await stored('migrations').find().toArray()).toEqual(before);
    expect(log).toEqual(['ran 1', 'copied 1', 'copied 2', 'held', 'copied 3', 'copied 4', 'copied 3']);
    expect(before[1]).toMatchObject({ state: 'applied' });
    expect(before[1]).not.toHaveProperty('progress');
  });

  test('is told as running, and keeps others from starting where a start does not migrate', async () => {
    const killed = copying(1);
    const migrations = process_([killed.migration]);
    const first = migrations.apply({ contract: false });
    await until('it is held', () => log.includes('held'));
    expect(await migrations.status()).toMatchObject([{ number: 2, state: 'running' }]);
    await expect(migrateAtStart(migrations, { migrate: false, isAlone: false })).rejects.toThrow(
      MigrationError,
    );
    killed.resume();
    await first;
  });
});

describe('a process of a former version', () => {
  const former = () => process_([step(1), step(2)]);
  const later = () => process_([step(1), step(2), step(3), step(4, { kind: 'contract' })]);

  test('starts and restarts beside the additions of a later one, and changes nothing', async () => {
    await former().apply({ contract: false });
    await later().apply({ contract: false });
    const before = await stored('migrations').find().toArray();
    await migrateAtStart(former(), { migrate: true, isAlone: false });
    await migrateAtStart(former(), { migrate: false, isAlone: false });
    expect(await stored('migrations').find().toArray()).toEqual(before);
    expect(await former().status()).toMatchObject([{}, {}, { number: 3, state: 'unknown' }]);
  });

  test('does not start any more when the later one has taken something away, which it does on demand alone', async () => {
    await migrateAtStart(later(), { migrate: true, isAlone: false });
    expect(await states()).toEqual(['1 applied', '2 applied', '3 applied']);
    await migrateAtStart(former(), { migrate: true, isAlone: false });
    expect(numbers(await later().apply({ contract: true }))).toEqual([4]);
    await expect(migrateAtStart(former(), { migrate: true, isAlone: false })).rejects.toThrow(
      'taken away from this database what this version uses (migration 4 step-4)',
    );
    await migrateAtStart(later(), { migrate: false, isAlone: false });
  });

  test('is not thought of where no other process can use the database', async () => {
    await migrateAtStart(later(), { migrate: true, isAlone: true });
    expect(await states()).toEqual(['1 applied', '2 applied', '3 applied', '4 applied']);
  });
});

test('without MIGRATE_ON_START a start ends, with what to do, and writes nothing', async () => {
  const start = () => migrateAtStart(process_([step(1)]), { migrate: false, isAlone: false });
  await expect(start()).rejects.toThrow('lacks migration 1 step-1: run `npm run admin -- migrate`');
  expect([log, await states()]).toEqual([[], []]);
});

test('a number that was applied as another migration ends the start', async () => {
  await process_([step(1)]).apply({ contract: false });
  const other = process_([step(1, { content: 'other indexes' })]);
  await expect(migrateAtStart(other, { migrate: true, isAlone: false })).rejects.toThrow(
    /Migration 1 step-1 is stored in this database as another one/,
  );
});
