import { addAbortListener } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { countCommands } from '../../../test/support/count-commands.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import type { Migration } from './migration.ts';
import { createMigrations, migrateAtStart } from './migrations.ts';
import { MigrationError } from './status.ts';

const LEASE_MS = 60_000;
/** Its holder renews it at once: the clock of the tests stands still. */
const SHORT_MS = 30;

let database: Database;
let log: string[];
let now: Date;
beforeAll(async () => {
  database = await openTestDatabase();
  database.connection.model('Pet', new Schema({ name: String }), 'pets');
});
beforeEach(async () => {
  await stored('migrations').deleteMany({});
  log = [];
  now = new Date('2026-11-23T08:00:00.000Z');
});
afterAll(() => database.close());

const stored = (name: string) => database.connection.collection<{ _id: number | string }>(name);
const records = () => stored('migrations').find().sort({ _id: 1 }).toArray();
const states = async () =>
  (await records()).map((document) => `${document._id} ${(document as unknown as { state: string }).state}`);

/** A migration that notes its runs. */
const step = (number: number, more: Partial<Migration> = {}): Migration => ({
  number,
  name: `step-${number}`,
  summary: 'A step',
  run: async () => {
    log.push(`ran ${number}`);
  },
  ...more,
});

/** A migration that is held in its middle, as if its process were suspended there. */
const heldStep = (number: number) => {
  let resume: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const run = async (_connection: unknown, signal: AbortSignal) => {
    log.push('held');
    addAbortListener(signal, resume);
    await held;
  };
  return { migration: step(number, { run }), resume: () => resume() };
};

/** The migrations as a process of some version has them. */
const process_ = (list: readonly Migration[], leaseMs = LEASE_MS, clock = () => now) =>
  createMigrations({
    connection: database.connection,
    log: { info: () => undefined },
    list,
    clock,
    wait: { leaseMs, lookMs: 5 },
  });
const numbers = (migrations: readonly Migration[]) => migrations.map(({ number }) => number);
const start = (list: readonly Migration[], { migrate = true } = {}) =>
  migrateAtStart(process_(list), { migrate });

describe('pending migrations', () => {
  test('run in the order of their numbers, once; then a start reads once', async () => {
    const migrations = process_([step(1), step(2)]);
    expect(numbers(await migrations.apply())).toEqual([1, 2]);
    expect(await migrations.apply()).toEqual([]);
    expect([log, await states()]).toEqual([
      ['ran 1', 'ran 2'],
      ['1 applied', '2 applied'],
    ]);
    const startAgain = () => migrateAtStart(migrations, { migrate: true });
    expect(await countCommands(database.connection, startAgain)).toEqual({ 'find migrations': 1 });
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
    await Promise.all(Array.from({ length: 5 }, () => start([slow, step(2)])));
    expect(log).toEqual(['1 at once', 'ran 2']);
  });

  test('that fail are tried again by the next start', async () => {
    let fails = true;
    const failing = step(1, {
      run: async () => {
        if (fails) {
          throw new Error('no space');
        }
      },
    });
    const migrations = process_([failing, step(2)]);
    await expect(migrations.apply()).rejects.toThrow('no space');
    expect([log, await states()]).toEqual([[], ['1 running']]);
    fails = false;
    await migrations.apply();
    expect(await states()).toEqual(['1 applied', '2 applied']);
  });

  test('are not applied without MIGRATE_ON_START: the start ends, says how, and writes nothing', async () => {
    await expect(start([step(1)], { migrate: false })).rejects.toThrow(
      'lacks migration 1 step-1: run `npm run admin -- migrate`',
    );
    expect([log, await states()]).toEqual([[], []]);
  });
});

describe('a migration whose process is killed', () => {
  test('is run again by the next process, and a process that was only suspended records nothing more', async () => {
    const killed = heldStep(2);
    // For the suspended process no time passes: its renewals do not keep the lease from the next one.
    const suspendedAt = now;
    const suspended = process_([step(1), killed.migration], SHORT_MS, () => suspendedAt);
    const lost = expect(suspended.apply()).rejects.toThrow('taken over');
    await until('the first is held', () => log.includes('held'));
    now = new Date(now.getTime() + LEASE_MS);
    expect(numbers(await process_([step(1), step(2)]).apply())).toEqual([2]);
    const before = await records();
    await lost;
    expect(await records()).toEqual(before);
    expect(log).toEqual(['ran 1', 'held', 'ran 2']);
  });

  test('is shown as running, and lets no process start that does not migrate', async () => {
    const killed = heldStep(2);
    const migrations = process_([killed.migration]);
    const first = migrations.apply();
    await until('it is held', () => log.includes('held'));
    expect(await migrations.status()).toMatchObject([{ number: 2, state: 'running' }]);
    await expect(migrateAtStart(migrations, { migrate: false })).rejects.toThrow(MigrationError);
    killed.resume();
    await first;
  });
});

test('a process of the version before starts beside the additions of a later one, and changes nothing', async () => {
  const before = [step(1), step(2)];
  await process_(before).apply();
  await process_([...before, step(3)]).apply();
  const present = await records();
  await start(before);
  await start(before, { migrate: false });
  expect(await records()).toEqual(present);
  expect(await process_(before).status()).toMatchObject([{}, {}, { number: 3, state: 'unknown' }]);
});

describe('a start on data of another schema ends, says so, and writes nothing:', () => {
  const expectRefusal = async (message: string) => {
    const before = await records();
    for (const migrate of [true, false]) {
      await expect(start([step(1)], { migrate })).rejects.toThrow(message);
    }
    await expect(process_([step(1)]).apply()).rejects.toThrow(MigrationError);
    expect(await records()).toEqual(before);
  };

  test('a number that was applied with other content', async () => {
    await process_([step(1, { content: 'other indexes' })]).apply();
    await expectRefusal(
      "migration 1 step-1 of 2026-11-23T08:00:00.000Z is not this version's 1 step-1. Start the version that wrote it",
    );
  });

  test('a record that this version does not know, and that is no addition', async () => {
    await process_([step(1)]).apply();
    await stored('migrations').insertOne({ _id: 7, name: 'request-log', state: 'applied' } as never);
    await expectRefusal('a schema that this version does not know (migration 7 request-log)');
  });

  test('collections without any record', async () => {
    await stored('pets').insertOne({ _id: 'rex' });
    await expectRefusal('This database has data (pets), but no record of its schema');
    await database.connection.dropCollection('pets');
  });
});
