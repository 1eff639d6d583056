import { commandLine } from '../../../subgraphs/platform/command-line.ts';
import {
  contractsOf,
  lackingOf,
  type MigrationStatus,
  requireNotTooNew,
} from '../../../subgraphs/platform/migrations/status.ts';
import type { AdminDeps, Answer, Command, Values } from './command.ts';

/** The exit code of `migrate --status` when this version cannot start on the database yet. */
export const LACKING = 3;

export const MIGRATE_COMMANDS: Readonly<Record<string, Command>> = {
  migrate: {
    summary: 'Bring the database to what this version needs, beside running servers',
    options: {
      status: {
        type: 'boolean',
        meaning: `Only list the migrations; ends with ${LACKING} when a server of this version cannot start yet.`,
      },
      'dry-run': { type: 'boolean', meaning: 'Only say what would be done.' },
      contract: {
        type: 'boolean',
        meaning: 'Also take away what only former versions use: when none of them runs any more.',
      },
    },
    required: [],
    examples: ['migrate --dry-run', 'migrate', 'migrate --status --json', 'migrate --contract'],
    migrates: true,
    run: ({ migrations }, values) => {
      if (values.status === true) {
        return status(migrations);
      }
      return values['dry-run'] === true ? dryRun(migrations, values) : migrate(migrations, values);
    },
  },
};

type AdminMigrations = AdminDeps['migrations'];

async function status(migrations: AdminMigrations): Promise<Answer> {
  const statuses = await migrations.status();
  return {
    rows: statuses.map(toRow),
    exitCode: lackingOf(statuses).length > 0 ? LACKING : 0,
  };
}

async function dryRun(migrations: AdminMigrations, { contract }: Values): Promise<Answer> {
  const pending = await pendingOf(migrations, contract === true);
  // A pending migration makes them; otherwise somebody has dropped them.
  const indexes = await migrations.missingIndexes();
  return {
    rows: [...pending.map(toRow), ...indexes.map((index) => ({ index, state: 'missing' }))],
    note:
      pending.length + indexes.length > 0
        ? 'This would be applied. Nothing was written.'
        : 'Nothing is pending. Nothing was written.',
  };
}

async function migrate(migrations: AdminMigrations, { contract }: Values): Promise<Answer> {
  const pending = await pendingOf(migrations, contract === true);
  const applied = pending.length > 0 ? await migrations.apply({ contract: contract === true }) : [];
  const dropped = await migrations.missingIndexes();
  if (dropped.length > 0) {
    await migrations.makeIndexes();
  }
  const left = contractsOf(await migrations.status());
  return {
    rows: [
      ...applied.map(({ number, name, kind, summary }) => ({
        number,
        name,
        kind,
        state: 'applied',
        summary,
      })),
      ...dropped.map((index) => ({ index, state: 'made' })),
    ],
    note: applied.length + dropped.length > 0 ? 'Done.' : 'Nothing was pending.',
    next:
      left.length > 0
        ? [`${commandLine('admin', 'migrate --contract')}   # when no former version runs any more`]
        : [],
  };
}

/** @throws MigrationError when a later version has taken away what this one uses */
async function pendingOf(migrations: AdminMigrations, contract: boolean) {
  const statuses = await migrations.status();
  requireNotTooNew(statuses);
  return [...lackingOf(statuses), ...(contract ? contractsOf(statuses) : [])];
}

function toRow({ number, name, kind, state, summary, by, at }: MigrationStatus) {
  return { number, name, kind, state, summary, by, at };
}
