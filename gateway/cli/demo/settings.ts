import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { type Config, ConfigError, loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { SETTINGS } from '../../../subgraphs/kernel/config/schema.ts';
import { databaseOf, withDatabase } from '../../../subgraphs/kernel/database/uri.ts';

/** Settings that the reader of the demo may give; the demo chooses the others itself. */
const TAKEN = [
  'HOST',
  'LOG_LEVEL',
  'ENCRYPTION_KEY',
  'API_KEY_PEPPER',
  'INTERNAL_API_KEY',
  'ENVIRONMENTS',
] as const;

/** Keeps the demo apart from what `npm start` stores on the same cluster. */
const DATABASE = 'remitgraph_demo';

/** The directory of the demo's data: `DATA_DIR`, or one that the plain server does not use. */
export function demoDataDir(env: NodeJS.ProcessEnv): string {
  return resolve(env.DATA_DIR || '.data/demo');
}

/** Files and places that the demo made before the server's configuration. */
interface DemoFiles {
  readonly dataDir: string;
  readonly seedFile: string;
  readonly caFile: string;
}

/**
 * The server's configuration: a development server whose webhooks may go to this machine.
 * @throws ConfigError that names every issue, or that ENVIRONMENTS has no sandbox: the journey simulates the payer
 */
export async function demoConfig(env: NodeJS.ProcessEnv, files: DemoFiles): Promise<Config> {
  const config = loadConfig({
    ...Object.fromEntries(TAKEN.map((name) => [name, env[name]])),
    NODE_ENV: 'development',
    PORT: env.PORT || String(await findPort(env.HOST)),
    MONGODB_URI: env.MONGODB_URI && inOwnDatabase(env.MONGODB_URI),
    DATA_DIR: files.dataDir,
    SEED_FILE: files.seedFile,
    WEBHOOK_CA_FILE: files.caFile,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  });
  if (!config.ENVIRONMENTS.includes('sandbox')) {
    const message = 'must have sandbox, because the demo simulates a payer. Leave it out, or add sandbox';
    throw new ConfigError([{ setting: 'ENVIRONMENTS', message }]);
  }
  return config;
}

/** A URI that names a database is taken as it is. */
function inOwnDatabase(uri: string): string {
  return databaseOf(uri) === undefined ? withDatabase(uri, DATABASE) : uri;
}

/** The default port when it is free, else 0: any free one. */
async function findPort(host: string | undefined): Promise<number> {
  const port = SETTINGS.PORT.type.parse(undefined);
  const probe = createServer();
  const free = await new Promise<boolean>((settle) => {
    probe.once('error', () => settle(false));
    probe.listen(port, host || SETTINGS.HOST.type.parse(undefined), () => settle(true));
  });
  await new Promise((closed) => probe.close(closed));
  return free ? port : 0;
}
