import type { Connection } from 'mongoose';
import { type Config, ConfigError, loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { checkDatabase } from './database.ts';
import { type Finding, failure, well } from './finding.ts';
import { checkCertificates, checkPort, checkSpace } from './machine.ts';
import { checkMail } from './mail.ts';
import { checkEnvironments } from './providers.ts';

/** The dependencies of an examination. */
export interface ExamineDeps {
  readonly env: NodeJS.ProcessEnv;
  now(): Date;
  /** Free space of the file system that a folder is in. */
  freeBytes(folder: string): Promise<number>;
  /** Opens the configured database, with every model on its connection. @throws OperatorError with what to do */
  open(config: Config): Promise<{ readonly connection: Connection; close(): Promise<void> }>;
}

/** Checks settings, machine and database. It skips checks that depend on a failed one. */
export async function examine(deps: ExamineDeps): Promise<Finding[]> {
  const config = readSettings(deps.env);
  if (config instanceof ConfigError) {
    return config.issues.map(({ setting, message }) =>
      failure('settings', `${setting} ${message}.`, 'subgraphs/kernel/config/README.md says what it may be.'),
    );
  }
  const settings = well('settings', `The settings are valid, for ROLE=${config.ROLE}.`);
  const machine = [
    checkEnvironments(config),
    await checkPort(config),
    ...checkCertificates(config, deps.now()),
    await checkSpace(config, deps.freeBytes),
    ...(await checkMail(config)),
  ];
  return [settings, ...machine, ...(await examineDatabase(deps, config))];
}

function readSettings(env: NodeJS.ProcessEnv): Config | ConfigError {
  try {
    return loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error;
    }
    throw error;
  }
}

async function examineDatabase({ open, now }: ExamineDeps, config: Config): Promise<Finding[]> {
  let database: Awaited<ReturnType<ExamineDeps['open']>>;
  try {
    database = await open(config);
  } catch (error) {
    const fix =
      'Correct MONGODB_URI, or start what it names; gateway/cli/README.md#database says what will do. Without MONGODB_URI, look at the disk of DATA_DIR.';
    const what = error instanceof OperatorError ? error.message : `It cannot be opened: ${messageOf(error)}`;
    return [failure('database', what, fix)];
  }
  try {
    const reached = well('database', 'It answers, with transactions and change streams.');
    return [reached, ...(await checkDatabase({ connection: database.connection, config, now }))];
  } finally {
    await closeQuietly(database);
  }
}

/** The findings matter more than a failure to close the database. */
async function closeQuietly(database: { close(): Promise<void> }): Promise<void> {
  try {
    await database.close();
  } catch (error) {
    process.stderr.write(`The database could not be closed: ${messageOf(error)}\n`);
  }
}
