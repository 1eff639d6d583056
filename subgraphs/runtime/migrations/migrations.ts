import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, Model } from 'mongoose';
import { findCollections, makeCollections } from '../../kernel/database/indexes.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { createLeases, type Leases } from '../leases/leases.ts';
import { createLeaseModel } from '../leases/model.ts';
import { holdLease } from './hold-lease.ts';
import { MIGRATIONS } from './list.ts';
import { checksumOf, type Migration } from './migration.ts';
import { createMigrationModel, type MigrationDocument } from './model.ts';
import { compare, lackingOf, type MigrationStatus, requireMigrated, requireRecords } from './status.ts';

/** The migrations of a database. */
export interface Migrations {
  /** All of them; it writes nothing. @throws MigrationError when the data has another schema than this version's */
  status(): Promise<readonly MigrationStatus[]>;
  /**
   * Applies what is pending, one after the other. Of several processes that call it at once one applies, and the others wait.
   * Work that a killed one has begun runs again.
   * @returns the migrations that it has applied itself
   * @throws MigrationError when the data has another schema than this version's
   */
  apply(): Promise<readonly Migration[]>;
}

interface MigrationsDeps {
  /** Has every model of the product. */
  readonly connection: Connection;
  readonly log: Pick<Logger, 'info'>;
  readonly list?: readonly Migration[];
  readonly clock?: () => Date;
  readonly wait?: Wait;
}

/** How long a lease holds without being renewed, and how often others look whether it is free; milliseconds. */
interface Wait {
  readonly leaseMs: number;
  readonly lookMs: number;
}

const WAIT: Wait = { leaseMs: 15_000, lookMs: 250 };
const LEASE = 'migrations';

/** The collections that a start makes before it records its first migration. */
const BEFORE = new Set(['keyFingerprints', 'leases', 'migrations']);

interface Parts extends Required<MigrationsDeps> {
  readonly model: Model<MigrationDocument>;
  readonly leases: Leases;
}

export function createMigrations(deps: MigrationsDeps): Migrations {
  const { connection, list = MIGRATIONS, clock = () => new Date(), wait = WAIT } = deps;
  const model = createMigrationModel(connection);
  const parts = { ...deps, list, clock, wait, model, leases: createLeases({ connection, clock }) };
  return {
    status: () => readStatus(parts),
    apply: () => apply(parts),
  };
}

/**
 * Lets a process go on when the database is as this version needs it. Reads once when nothing is pending.
 * @param options.migrate whether it applies pending migrations (`MIGRATE_ON_START`)
 * @throws MigrationError when the database is not as this version needs it, with what to do
 */
export async function migrateAtStart(
  migrations: Migrations,
  { migrate }: { readonly migrate: boolean },
): Promise<void> {
  const statuses = await migrations.status();
  if (!migrate) {
    requireMigrated(statuses);
  } else if (lackingOf(statuses).length > 0) {
    await migrations.apply();
  }
}

async function readStatus({ model, list, connection }: Parts): Promise<readonly MigrationStatus[]> {
  const stored = await model.find().lean();
  if (stored.length > 0) {
    return compare(list, stored);
  }
  const collections = (await findCollections(connection)).filter((name) => !BEFORE.has(name));
  // Read again: another process may have begun meanwhile. It records a migration before it makes a collection.
  const again = await model.find().lean();
  requireRecords(again, collections);
  return compare(list, again);
}

async function apply(parts: Parts): Promise<readonly Migration[]> {
  // They are written to before the migration that makes collections.
  await makeCollections(parts.connection, [parts.model, createLeaseModel(parts.connection)]);
  const lease = await waitForLease(parts);
  return holdLease({ ...parts, lease, leaseMs: parts.wait.leaseMs }, (signal) => applyAlone(parts, signal));
}

async function applyAlone(parts: Parts, signal: AbortSignal): Promise<readonly Migration[]> {
  // Another process may have applied them while this one waited.
  const lacking = new Set(lackingOf(await readStatus(parts)).map(({ number }) => number));
  const pending = parts.list.filter(({ number }) => lacking.has(number));
  for (const migration of pending) {
    await run(parts, migration, signal);
  }
  return pending;
}

async function run(parts: Parts, migration: Migration, signal: AbortSignal): Promise<void> {
  const { connection, model, clock, log } = parts;
  const { number, name } = migration;
  const begun = performance.now();
  const record = {
    name,
    checksum: checksumOf(migration),
    isAdditive: true,
    state: 'running',
    by: `${hostname()}:${process.pid}`,
    startedAt: clock(),
  };
  signal.throwIfAborted();
  await model.updateOne({ _id: number }, { $set: record }, { upsert: true });
  await migration.run(connection, signal);
  signal.throwIfAborted();
  await model.updateOne({ _id: number }, { $set: { state: 'applied', appliedAt: clock() } });
  log.info({ number, name, tookMs: Math.round(performance.now() - begun) }, 'migration.applied');
}

async function waitForLease({ leases, wait, log }: Parts) {
  for (let isLogged = false; ; isLogged = true) {
    const lease = await leases.acquire(LEASE, wait.leaseMs);
    if (lease !== null) {
      return lease;
    }
    if (!isLogged) {
      log.info('migration.waiting');
    }
    await delay(wait.lookMs);
  }
}
