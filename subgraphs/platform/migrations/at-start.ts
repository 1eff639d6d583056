import type { Migrations } from './migrations.ts';
import { lackingOf, requireMigrated, requireNotTooNew } from './status.ts';

/** What a process does with pending migrations before it uses the database. */
export interface AtStart {
  /** Whether it applies what is pending (`MIGRATE_ON_START`). */
  readonly migrate: boolean;
  /** Whether no other process can use the database, so that nothing of former versions has to stay. */
  readonly isAlone: boolean;
}

/**
 * Lets a process go on when the database is as this version needs it. Reads once when nothing is pending.
 * @throws MigrationError when it is not, with what to do
 */
export async function migrateAtStart(migrations: Migrations, { migrate, isAlone }: AtStart): Promise<void> {
  const statuses = await migrations.status();
  requireNotTooNew(statuses);
  if (!migrate) {
    requireMigrated(statuses);
    return;
  }
  const isPending = statuses.some(({ state }) => state === 'pending' || state === 'running');
  if (lackingOf(statuses).length > 0 || (isAlone && isPending)) {
    await migrations.apply({ contract: isAlone });
  }
}
