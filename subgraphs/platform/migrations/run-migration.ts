import type { Connection, Model } from 'mongoose';
import { isDuplicateKey } from '../database/transaction.ts';
import { MigrationLostError } from './hold-lease.ts';
import { checksumOf, type Migration, titleOf } from './migration.ts';
import type { MigrationDocument } from './model.ts';

/** What the runs of one turn have in common. */
export interface RunContext {
  readonly connection: Connection;
  readonly model: Model<MigrationDocument>;
  readonly clock: () => Date;
  /** The term of the lease: every write is conditional on it. */
  readonly term: number;
  readonly by: string;
  readonly signal: AbortSignal;
}

/**
 * Runs one migration, and records it.
 * @throws MigrationLostError when another process has taken over; what the migration throws
 */
export async function runMigration(context: RunContext, migration: Migration): Promise<void> {
  const { connection, model, clock, term, signal } = context;
  signal.throwIfAborted();
  const own = { _id: migration.number, term, state: 'running' as const };
  const write = async (update: object) => {
    const { matchedCount } = await model.updateOne(own, update);
    requireMine(matchedCount === 1, migration);
  };
  await migration.run({
    connection,
    progress: await begin(context, migration),
    save: (progress) => write({ $set: { progress } }),
    signal,
  });
  await write({ $set: { state: 'applied', appliedAt: clock() }, $unset: { progress: '' } });
}

/** Records migrations that an empty database needs nothing of. */
export async function recordBaseline(context: RunContext, migrations: readonly Migration[]): Promise<void> {
  context.signal.throwIfAborted();
  const appliedAt = context.clock();
  await insert(
    context,
    migrations.map((migration) => ({ ...started(context, migration), state: 'applied', appliedAt })),
    migrations,
  );
}

/** @returns what an earlier run has saved last */
async function begin(context: RunContext, migration: Migration): Promise<unknown> {
  const { model, term } = context;
  const document = started(context, migration);
  const { _id, ...fields } = document;
  const former = await model
    .findOneAndUpdate({ _id, state: 'running', term: { $lte: term } }, { $set: fields })
    .lean();
  if (former !== null) {
    return former.progress;
  }
  await insert(context, [document], [migration]);
  return undefined;
}

function started({ term, by, clock }: RunContext, migration: Migration): MigrationDocument {
  const { number, name, kind } = migration;
  const checksum = checksumOf(migration);
  return { _id: number, name, kind, checksum, state: 'running', term, by, startedAt: clock() };
}

async function insert(
  { model }: RunContext,
  documents: readonly MigrationDocument[],
  migrations: readonly Migration[],
): Promise<void> {
  if (documents.length === 0) {
    return;
  }
  try {
    await model.insertMany(documents);
  } catch (error) {
    requireMine(!isDuplicateKey(error), ...migrations);
    throw error;
  }
}

function requireMine(isMine: boolean, ...migrations: readonly Migration[]): void {
  if (!isMine) {
    throw new MigrationLostError(
      `Another process has taken over migration ${migrations.map(titleOf).join(', ')}`,
    );
  }
}
