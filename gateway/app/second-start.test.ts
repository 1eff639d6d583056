import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { compareIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import { type Database, openDatabase } from '../../subgraphs/kernel/database/open-database.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { countCommands, monitored } from '../../test/support/count-commands.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { createSubgraphs } from './subgraphs.ts';

const log = createLogger({ level: 'silent' });
let database: Database;
let apart: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  apart = await openDatabase({ uri: monitored(database.uri), log });
});
afterAll(async () => {
  await apart.close();
  await database.close();
});

/** Commands that a runtime account may send (deploy/README.md, "Accounts of the database"). */
const RUNTIME =
  /^(find|aggregate|insert|update|findAndModify|bulkWrite|listCollections|hello|getMore|(commit|abort)Transaction)\b/;

test('a start on a migrated database, and a look at its indexes, send nothing that needs more than a runtime account', async () => {
  const { connection } = database;
  const config = loadConfig({
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
  });
  const prepare = async () => (await createSubgraphs({ config, connection, log })).prepare();
  const first = await countCommands(connection, prepare);
  expect(Object.keys(first)).toContainEqual(expect.stringMatching(/^create/));
  const second = await countCommands(connection, prepare);
  expect(Object.keys(second).length).toBeGreaterThan(1);
  expect(Object.keys(second).filter((command) => !RUNTIME.test(command))).toEqual([]);
  // By a connection of its own: on theirs the subgraphs that have started read from time to time.
  await createSubgraphs({ config, connection: apart.connection, log });
  const looked = await countCommands(apart.connection, () => compareIndexes(apart.connection));
  expect(Object.keys(looked).filter((command) => !/^list(Collections|Indexes)\b/.test(command))).toEqual([]);
});
