import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, Model } from 'mongoose';
import { makeCollections } from '../database/indexes.ts';
import { createLeases, type Leases } from '../leases/leases.ts';
import { createLeaseModel } from '../leases/model.ts';
import type { Logger } from '../log/log.ts';
import { holdLease } from './hold-lease.ts';
import { MIGRATIONS } from './list.ts';
import type { Migration } from './migration.ts';
import { createMigrationModel, type MigrationDocument } from './model.ts';
import { recordBaseline, runMigration } from './run-migration.ts';
import { compare, type MigrationStatus, requireNotTooNew } from './status.ts';

/** The migrations of a database. */
export interface Migrations {
  /** All of them; it writes nothing. @throws MigrationError when a number was applied as another migration */
  status(): Promise<readonly MigrationStatus[]>;
  /**
   * Applies what is pending, one after the other. Of several that want to at once one does, and the others wait; what a
   * killed one has left is continued.
   * @param options.contract whether those too that former versions do not survive
   * @returns what it has applied itself
   * @throws MigrationError when a later version has taken away what this one uses
   */
  apply(options: { readonly contract: boolean }): Promise<readonly Migration[]>;
}

export interface MigrationsDeps {
  /** Has every model of the product when {@link Migrations.apply} is called. */
  readonly connection: Connection;
  readonly log: Pick<Logger, 'info'>;
  /** Whether nothing was stored yet: then there is nothing to change, and no former version to think of. */
  isEmpty(): Promise<boolean>;
  readonly list?: readonly Migration[];
  readonly clock?: () => Date;
  readonly wait?: Wait;
}

/** How long a lease holds without being renewed, and how often others look whether it is free; milliseconds. */
export interface Wait {
  readonly leaseMs: number;
  readonly lookMs: number;
}

const WAIT: Wait = { leaseMs: 15_000, lookMs: 250 };
const LEASE = 'migrations';

interface Parts extends Required<Omit<MigrationsDeps, 'wait'>> {
  readonly model: Model<MigrationDocument>;
  readonly leases: Leases;
  readonly wait: Wait;
}

export function createMigrations(deps: MigrationsDeps): Migrations {
  const { connection, list = MIGRATIONS, clock = () => new Date(), wait = WAIT } = deps;
  const model = createMigrationModel(connection);
  const parts = { ...deps, list, clock, wait, model, leases: createLeases({ connection, clock }) };
  return {
    status: () => readStatus(parts),
    apply: (options) => apply(parts, options),
  };
}

async function readStatus({ model, list }: Parts): Promise<readonly MigrationStatus[]> {
  return compare(list, await model.find().lean());
}

async function apply(parts: Parts, options: { readonly contract: boolean }): Promise<readonly Migration[]> {
  // They are written to before the migration that makes collections.
  await makeCollections(parts.connection, [parts.model, createLeaseModel(parts.connection)]);
  const lease = await waitForLease(parts);
  return holdLease({ ...parts, lease, leaseMs: parts.wait.leaseMs }, (signal) =>
    applyAlone(parts, { ...options, term: lease.term, signal }),
  );
}

interface Turn {
  readonly contract: boolean;
  readonly term: number;
  readonly signal: AbortSignal;
}

async function applyAlone(parts: Parts, turn: Turn): Promise<readonly Migration[]> {
  const { model, clock, log, connection } = parts;
  // Another process may have applied them while this one waited.
  const pending = await pendingOf(parts, turn);
  const run = { model, connection, clock, ...turn, by: `${hostname()}:${process.pid}` };
  const [first] = pending;
  if (first?.number === 1 && (await parts.isEmpty())) {
    const [, ...others] = await pendingOf(parts, { contract: true });
    await runMigration(run, first);
    await recordBaseline(run, others);
    return [first, ...others];
  }
  for (const migration of pending) {
    const { number, name } = migration;
    const startedAt = performance.now();
    await runMigration(run, migration);
    log.info({ number, name, tookMs: Math.round(performance.now() - startedAt) }, 'migration.applied');
  }
  return pending;
}

/** Those that are to be applied now, by number. @throws MigrationError */
async function pendingOf(parts: Parts, { contract }: { readonly contract: boolean }): Promise<Migration[]> {
  const statuses = await readStatus(parts);
  requireNotTooNew(statuses);
  const applied = new Set(statuses.filter(({ state }) => state === 'applied').map(({ number }) => number));
  return parts.list.filter(({ number, kind }) => !applied.has(number) && (contract || kind === 'expand'));
}

async function waitForLease({ leases, wait, log }: Parts) {
  for (let isTold = false; ; isTold = true) {
    const lease = await leases.acquire(LEASE, wait.leaseMs);
    if (lease !== null) {
      return lease;
    }
    if (!isTold) {
      log.info('migration.waiting for another process');
    }
    await delay(wait.lookMs);
  }
}
