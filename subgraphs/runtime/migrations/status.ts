import { commandLine } from '../../kernel/command-line.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { checksumOf, type Migration, titleOf } from './migration.ts';
import type { MigrationDocument } from './model.ts';

/** A migration, and whether this database has it. */
export interface MigrationStatus {
  readonly number: number;
  readonly name: string;
  readonly summary: string;
  /** `running` also after a kill, until the next run. `unknown`: a later version of the product has applied it. */
  readonly state: 'pending' | 'running' | 'applied' | 'unknown';
  readonly by?: string;
  /** When it was applied, or when the run began. */
  readonly at?: Date;
}

/** Thrown when this version of the product must not work with the database. The message says what to do. */
export class MigrationError extends OperatorError {
  override readonly name = 'MigrationError';
}

const WAY_OUT =
  'Start the version that wrote it, or give this one an empty database (another MONGODB_URI; for the embedded store another DATA_DIR).';

/**
 * Compares the migrations of this version with those that are stored.
 * @throws MigrationError when a stored one is not of this version's schema
 */
export function compare(
  list: readonly Migration[],
  stored: readonly MigrationDocument[],
): readonly MigrationStatus[] {
  const documents = new Map(stored.map((document) => [document._id, document]));
  const known = list.map((migration): MigrationStatus => {
    const { number, name, summary } = migration;
    const document = documents.get(number);
    documents.delete(number);
    if (document === undefined) {
      return { number, name, summary, state: 'pending' };
    }
    requireSame(migration, document);
    return { number, name, summary, ...statusOf(document) };
  });
  const later = [...documents.values()].map((document): MigrationStatus => {
    const { _id: number, name, isAdditive } = document;
    if (!isAdditive) {
      throw new MigrationError(
        `The data in this database has a schema that this version does not know (migration ${titleOf({ number, name })}). ${WAY_OUT}`,
      );
    }
    return { number, name, summary: 'Of a later version', ...statusOf(document), state: 'unknown' };
  });
  return [...known, ...later].sort((one, other) => one.number - other.number);
}

function requireSame(migration: Migration, { _id: number, name, checksum, startedAt }: MigrationDocument) {
  if (checksum !== checksumOf(migration)) {
    throw new MigrationError(
      `The data in this database has another schema than this version: migration ${titleOf({ number, name })} of ` +
        `${startedAt.toISOString()} is not this version's ${titleOf(migration)}. ${WAY_OUT}`,
    );
  }
}

function statusOf({ state, by, startedAt, appliedAt }: MigrationDocument) {
  return { state, by, at: appliedAt ?? startedAt };
}

/**
 * Data without a record was stored before there were records of migrations, or restored without them.
 * @param collections those of the product that the database has
 * @throws MigrationError with what to do
 */
export function requireRecords(stored: readonly MigrationDocument[], collections: readonly string[]): void {
  if (stored.length === 0 && collections.length > 0) {
    throw new MigrationError(
      `This database has data (${collections.join(', ')}), but no record of its schema in the collection migrations: an older ` +
        `version wrote it, or a restore left that collection out. ${WAY_OUT}`,
    );
  }
}

/** Those that have to be applied before this version may work with the database. */
export function lackingOf(statuses: readonly MigrationStatus[]): readonly MigrationStatus[] {
  return statuses.filter(({ state }) => state === 'pending' || state === 'running');
}

/** @throws MigrationError with what to do when a migration is lacking */
export function requireMigrated(statuses: readonly MigrationStatus[]): void {
  const lacking = lackingOf(statuses);
  if (lacking.length > 0) {
    throw new MigrationError(
      `The database lacks migration ${lacking.map(titleOf).join(', ')}: run \`${commandLine('admin', 'migrate')}\`, then ` +
        'start again. MIGRATE_ON_START=false leaves that to you.',
    );
  }
}
