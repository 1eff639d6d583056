import { schema } from './0001-schema.ts';
import type { Migration } from './migration.ts';

/** Every migration of this version, by number. */
export const MIGRATIONS: readonly Migration[] = [schema];
