import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';

/**
 * Processes of the version before run on beside an `expand` migration: it only adds what they do not look at. A `contract`
 * migration takes away what only former versions use: none of them may run any more, nor start again.
 */
export type MigrationKind = 'expand' | 'contract';

/** What a migration works with. */
export interface MigrationRun {
  /** With every model of the product. */
  readonly connection: Connection;
  /** What an earlier run of the same migration has saved last; undefined at its first run, or when it saved nothing. */
  readonly progress: unknown;
  /**
   * Saves how far the work is. A run that takes over from a killed one begins there.
   * @throws MigrationLostError when another process has taken over: this one must write nothing more
   */
  save(progress: unknown): Promise<void>;
  /** Aborts when another process may have taken over, or this one stops. */
  readonly signal: AbortSignal;
}

/** One numbered step from a former version's database to this version's. */
export interface Migration {
  /** From 1; the order in which they run. It never changes, and no other migration ever gets it. */
  readonly number: number;
  readonly name: string;
  readonly kind: MigrationKind;
  /** What it brings, for operators. */
  readonly summary: string;
  /** A digest of what it makes, where a later change must not pass for the same migration. */
  readonly content?: string;
  /** Safe to run again, from its beginning or from saved progress, after a kill at any moment. */
  run(context: MigrationRun): Promise<void>;
}

/** A stored migration with this checksum is this one: its number was not given to another. */
export function checksumOf({ number, name, kind, content = '' }: Migration): string {
  return createHash('sha256')
    .update(JSON.stringify([number, name, kind, content]))
    .digest('hex')
    .slice(0, 32);
}

/** As operators are told of it, such as `1 indexes`. */
export function titleOf({ number, name }: Pick<Migration, 'number' | 'name'>): string {
  return `${number} ${name}`;
}
