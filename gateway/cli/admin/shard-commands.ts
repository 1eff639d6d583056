import type { Command } from './command.ts';

export const SHARD_COMMANDS: Readonly<Record<string, Command>> = {
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
