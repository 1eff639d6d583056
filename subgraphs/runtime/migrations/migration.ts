import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';

/**
 * One numbered step of the database's schema. It only adds what processes of the version before do not look at: they go on
 * beside it, and may restart.
 */
export interface Migration {
  /** From 1; the order in which migrations run. It never changes, and no other migration ever gets it. */
  readonly number: number;
  readonly name: string;
  /** Its effect, for operators. */
  readonly summary: string;
  /** A digest of what it makes, so that a later change does not pass for the same migration. */
  readonly content?: string;
  /**
   * Safe to run again from its beginning, after a kill at any moment, and beside itself.
   * @param connection has every model of the product
   * @param signal aborts when another process may have taken over
   */
  run(connection: Connection, signal: AbortSignal): Promise<void>;
}

/** A stored migration with this checksum is this one: its number was not given to another. */
export function checksumOf({ number, name, content = '' }: Migration): string {
  return createHash('sha256')
    .update(JSON.stringify([number, name, content]))
    .digest('hex')
    .slice(0, 32);
}

/** How messages name it, such as `1 schema`. */
export function titleOf({ number, name }: Pick<Migration, 'number' | 'name'>): string {
  return `${number} ${name}`;
}
