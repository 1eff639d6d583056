import { hostname, userInfo } from 'node:os';
import type { Connection } from 'mongoose';
import 'reflect-metadata';
import { databaseClockOf } from '../../../subgraphs/kernel/clock/database-clock.ts';
import { type Config, loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { adoptKey, checkKeys, hasKeys, secretsOf } from '../../../subgraphs/kernel/crypto/key-check.ts';
import { keyringOf } from '../../../subgraphs/kernel/crypto/keyring.ts';
import { reseal } from '../../../subgraphs/kernel/crypto/rotate.ts';
import { findMissingIndexes, makeIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import { shardCommandsOf } from '../../../subgraphs/kernel/database/shard-keys.ts';
import type { RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import { describeFatal } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger, type Logger } from '../../../subgraphs/kernel/log/log.ts';
import { createConsoleSessionModel } from '../../../subgraphs/partners/keys/console-session-model.ts';
import { createConsoleSessions } from '../../../subgraphs/partners/keys/console-sessions.ts';
import { createApiKeyModel } from '../../../subgraphs/partners/keys/model.ts';
import { createApiKeys } from '../../../subgraphs/partners/keys/service.ts';
import { readAccountClocks } from '../../../subgraphs/partners/sandboxes/clocks.ts';
import { createSandboxModel } from '../../../subgraphs/partners/sandboxes/model.ts';
import { createTenantModels } from '../../../subgraphs/partners/tenants/model.ts';
import { createTenants, type Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import { createAccountCheck, platformSignInOf } from '../../../subgraphs/partners/tenants/sign-in.ts';
import { missingProviders, URL_SETTINGS } from '../../../subgraphs/providers/configured.ts';
import {
  createMigrations,
  type Migrations,
  migrateAtStart,
} from '../../../subgraphs/runtime/migrations/migrations.ts';
import { createProcessModel } from '../../../subgraphs/runtime/processes/model.ts';
import { createDeliveryTotalsModel, readDeliveryTotals } from '../../../subgraphs/webhooks/totals.ts';
import { attachConfiguredDatabase } from '../../app/database.ts';
import { createErasure } from '../../app/erasure.ts';
import { createModels } from '../../app/models.ts';
import type { ListenOptions } from './command.ts';
import { type AdminDeps, readCommandLine, USAGE, UsageError } from './commands.ts';
import { createAdminEvents, createEventDivision, readPartitions } from './events.ts';
import { printAnswer } from './print.ts';
import { findPublicUrl } from './public-url.ts';
import { createAdminRemittances, createOperatorActs } from './remittances.ts';
import { createAdminResumption } from './resumption.ts';
import { SEALED_FIELDS } from './sealed-fields.ts';
import { createAdminWebhooks } from './webhooks.ts';

/** `npm run admin`: tenants and keys from the command line, on the database of a running server or on a development store of its own. */
async function main(args: readonly string[]): Promise<number> {
  const line = readCommandLine(args);
  if (line.kind === 'help') {
    process.stdout.write(`${line.text}\n`);
    return 0;
  }
  const config = loadConfig(process.env);
  const log = createLogger({ level: 'error' });
  const database = await attachConfiguredDatabase(config, log);
  try {
    const { connection } = database;
    createModels(connection);
    const { measure, now: clock } = databaseClockOf(connection, log);
    await measure();
    const clocks = await readAccountClocks({ model: createSandboxModel(connection), clock, log });
    const times = { clock, ...clocks };
    const keyring = keyringOf(config);
    const { acts, operatorLog } = createOperatorActs(connection, clock);
    const { transaction } = acts;
    const tenants = createTenants({
      models: createTenantModels(connection),
      box: keyring.box('fields'),
      transaction,
      environments: config.ENVIRONMENTS,
    });
    const migrations = createMigrations({ connection, log, clock });
    const partitions = await prepare({ connection, config, migrations, isMigration: line.migrates });
    const events = createAdminEvents(connection, partitions);
    const webhooks = createAdminWebhooks({
      ...{ connection, keyring, tenants, events, clock, clocks, transaction },
      pepper: config.API_KEY_PEPPER,
    });
    const totals = createDeliveryTotalsModel(connection);
    const publicUrl = await findPublicUrl(createProcessModel(connection), config);
    const listen = async (options: ListenOptions) => {
      // Other commands start without loading it.
      const { listenUntilStopped } = await import('./listen/create.ts');
      return listenUntilStopped({ config, connection, keyring, log, partitions }, options);
    };
    const deps: AdminDeps = {
      tenants,
      ...createKeyStores({ config, connection, tenants, log, clock, transaction }),
      webhooks,
      resumption: createAdminResumption({ connection, keyring, ...times, transaction }),
      remittances: createAdminRemittances({
        ...{ connection, tenants, webhooks: webhooks.queue, events, operatorLog, transaction, ...times },
      }),
      operatorLog,
      acts,
      now: clock,
      operator: { source: 'COMMAND', actor: userName(), host: hostname() },
      migrations: {
        ...migrations,
        missingIndexes: () => findMissingIndexes(connection),
        makeIndexes: () => makeIndexes(connection),
      },
      shardCommands: (options) => shardCommandsOf(connection, options),
      erasure: createErasure({ connection, keyring, transaction, events, ...times }),
      eventDivision: createEventDivision({ connection, transaction, clock }),
      rotateKeys: () => rotateKeys(connection, config),
      webhookTotals: (accountId, since) => readDeliveryTotals(totals, accountId, since),
      listen,
      publicUrl,
      missingProviders: missingProviders(config, 'live').map((name) => URL_SETTINGS[name].live),
    };
    const answer = await line.run(deps);
    process.stdout.write(printAnswer(answer, line.json));
    return answer.exitCode ?? 0;
  } finally {
    await database.close();
  }
}

/** Brings the database to this version where the command needs that. @returns how many partitions the event log has */
async function prepare({
  connection,
  config,
  migrations,
  isMigration,
}: {
  readonly connection: Connection;
  readonly config: Config;
  readonly migrations: Migrations;
  readonly isMigration: boolean;
}): Promise<number> {
  // On an empty database, a dry run writes no fingerprints either.
  if (!isMigration || (await hasKeys(connection))) {
    await requireSameKeys(connection, config);
  }
  if (isMigration) {
    return config.EVENT_LOG_PARTITIONS;
  }
  await migrateAtStart(migrations, { migrate: config.MIGRATE_ON_START });
  return readPartitions(connection, config.EVENT_LOG_PARTITIONS);
}

async function rotateKeys(connection: Connection, config: Config) {
  const rotated = await reseal(connection, keyringOf(config), SEALED_FIELDS);
  await adoptKey(connection, 'ENCRYPTION_KEY', config.ENCRYPTION_KEY);
  return rotated;
}

/** The user of the operating system. In a container, a user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

interface KeyStoresDeps {
  readonly config: Config;
  readonly connection: Connection;
  readonly tenants: Tenants;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly transaction: RunTransaction;
}

function createKeyStores({ config, connection, tenants, log, clock, transaction }: KeyStoresDeps) {
  const keys = createApiKeyModel(connection);
  const pepper = config.API_KEY_PEPPER;
  return {
    apiKeys: createApiKeys({ model: keys, pepper, log, clock, transaction }),
    consoleSessions: createConsoleSessions({
      ...{ model: createConsoleSessionModel(connection), keys, pepper, log },
      hasAccount: createAccountCheck(tenants, platformSignInOf(config)),
      lifetimeSeconds: config.CONSOLE_SESSION_SECONDS,
      idleSeconds: config.CONSOLE_IDLE_SECONDS,
      clock,
    }),
  };
}

/**
 * With secrets that do not match the data, commands would create unusable keys and seal data that no server can open.
 */
async function requireSameKeys(connection: Connection, config: Config): Promise<void> {
  const issue = await checkKeys(connection, secretsOf(config));
  if (issue) {
    throw issue;
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const usage = error instanceof UsageError;
    process.stderr.write(`${describeFatal(error)}\n${usage ? `\n${USAGE}\n` : ''}`);
    process.exit(usage ? 2 : 1);
  },
);
