import { lackingOf, type MigrationStatus } from '../../../subgraphs/runtime/migrations/status.ts';
import type { AdminDeps, Answer, Command } from './command.ts';

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
    },
    required: [],
    examples: ['migrate --dry-run', 'migrate', 'migrate --status --json'],
    migrates: true,
    run: ({ migrations }, values) => {
      if (values.status === true) {
        return status(migrations);
      }
      return values['dry-run'] === true ? dryRun(migrations) : migrate(migrations);
    },
  },
  shard: {
    summary: 'Print the commands that divide the collections over the shards of a cluster; nothing is done',
    options: {
      hashed: {
        type: 'boolean',
        meaning: 'Spread tenants by a hash of their ids, instead of ranges of ids.',
      },
    },
    required: [],
    examples: ['shard', 'shard --hashed --json'],
    migrates: true,
    run: async ({ shardCommands }, { hashed }) => ({
      rows: shardCommands({ hashed: hashed === true }).map((one) => ({ ...one })),
      note: 'For mongosh, connected to a mongos of the cluster. subgraphs/kernel/database/SHARDING.md says why.',
    }),
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

async function dryRun(migrations: AdminMigrations): Promise<Answer> {
  const pending = lackingOf(await migrations.status());
  // A pending migration creates them; otherwise they were dropped.
  const indexes = await migrations.missingIndexes();
  return {
    rows: [...pending.map(toRow), ...indexes.map((index) => ({ index, state: 'missing' }))],
    note:
      pending.length + indexes.length > 0
        ? 'This would be applied. Nothing was written.'
        : 'Nothing is pending. Nothing was written.',
  };
}

async function migrate(migrations: AdminMigrations): Promise<Answer> {
  const pending = lackingOf(await migrations.status());
  const applied = pending.length > 0 ? await migrations.apply() : [];
  const dropped = await migrations.missingIndexes();
  if (dropped.length > 0) {
    await migrations.makeIndexes();
  }
  return {
    rows: [
      ...applied.map(({ number, name, summary }) => ({ number, name, state: 'applied', summary })),
      ...dropped.map((index) => ({ index, state: 'made' })),
    ],
    note: applied.length + dropped.length > 0 ? 'Done.' : 'Nothing was pending.',
  };
}

function toRow({ number, name, state, summary, by, at }: MigrationStatus) {
  return { number, name, state, summary, by, at };
}
