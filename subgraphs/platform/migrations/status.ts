import { commandLine } from '../command-line.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { checksumOf, type Migration, type MigrationKind, titleOf } from './migration.ts';
import type { MigrationDocument } from './model.ts';

/** A migration, and whether this database has it. */
export interface MigrationStatus {
  readonly number: number;
  readonly name: string;
  readonly kind: MigrationKind;
  readonly summary: string;
  /** `running` also after a kill, until a next run goes on. `unknown`: a later version of the product has applied it. */
  readonly state: 'pending' | 'running' | 'applied' | 'unknown';
  readonly by?: string;
  /** When it was applied, or when the run began. */
  readonly at?: Date;
}

/** Thrown when this version of the product must not work with the database. The message says what to do. */
export class MigrationError extends OperatorError {
  override readonly name = 'MigrationError';
}

/**
 * Compares the migrations of this version with those that are stored.
 * @throws MigrationError when a number was applied as another migration
 */
export function compare(
  list: readonly Migration[],
  stored: readonly MigrationDocument[],
): readonly MigrationStatus[] {
  const documents = new Map(stored.map((document) => [document._id, document]));
  const known = list.map((migration): MigrationStatus => {
    const { number, name, kind, summary } = migration;
    const document = documents.get(number);
    documents.delete(number);
    if (document === undefined) {
      return { number, name, kind, summary, state: 'pending' };
    }
    requireSame(migration, document);
    return { number, name, kind, summary, ...toldBy(document) };
  });
  const later = [...documents.values()].map((document): MigrationStatus => {
    const { _id: number, name, kind } = document;
    return { number, name, kind, summary: 'Of a later version', ...toldBy(document), state: 'unknown' };
  });
  return [...known, ...later].sort((one, other) => one.number - other.number);
}

function requireSame(migration: Migration, document: MigrationDocument): void {
  if (document.checksum !== checksumOf(migration)) {
    throw new MigrationError(
      `Migration ${titleOf(migration)} is stored in this database as another one ` +
        `(${titleOf({ number: document._id, name: document.name })}, of ${document.startedAt.toISOString()}). ` +
        'Two versions of the product that know nothing of each other were used with it: go on with the one that wrote it.',
    );
  }
}

function toldBy({ state, by, startedAt, appliedAt }: MigrationDocument) {
  return { state, by, at: appliedAt ?? startedAt };
}

/** Those that have to be applied before this version may work with the database. */
export function lackingOf(statuses: readonly MigrationStatus[]): readonly MigrationStatus[] {
  return statuses.filter(({ kind, state }) => kind === 'expand' && isPending(state));
}

/** Those that take away what former versions use: applied only on demand. */
export function contractsOf(statuses: readonly MigrationStatus[]): readonly MigrationStatus[] {
  return statuses.filter(({ kind, state }) => kind === 'contract' && isPending(state));
}

function isPending(state: MigrationStatus['state']): boolean {
  return state === 'pending' || state === 'running';
}

/**
 * A later version has taken away what this one needs.
 * @throws MigrationError with what to do
 */
export function requireNotTooNew(statuses: readonly MigrationStatus[]): void {
  const gone = statuses.filter(({ kind, state }) => kind === 'contract' && state === 'unknown');
  if (gone.length > 0) {
    throw new MigrationError(
      `A later version of the product has taken away from this database what this version uses (migration ` +
        `${gone.map(titleOf).join(', ')}): start that version, or restore a backup from before.`,
    );
  }
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
