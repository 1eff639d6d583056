import { writeFileSync } from 'node:fs';
import { makePrivateDirectory } from '../kernel/private-directory.ts';
import { waitForPrimary, withAdmin } from './primary.ts';
import type { ProviderContext, StoreServer } from './provider.ts';
import { startServerProcess } from './server-process.ts';

interface SecantusOptions {
  readonly format: 'secantus-rs' | 'secantus-py';
  readonly command: string;
  /** Arguments before the server's own. */
  readonly leadingArgs: readonly string[];
  /** Whether drivers may repeat a write that got no answer: the server then remembers its latest writes. */
  readonly retryWrites: boolean;
  /** Settings of WiredTiger, which holds its data, besides those that SecantusDB makes. */
  readonly wiredTiger?: string;
  /** The settings of its configuration file besides the flags. */
  readonly configuration?: string;
}

const LISTENING = /listening on 127\.0\.0\.1:(\d+)/;
/** Long enough to replay the log of a crash. */
const START_TIMEOUT_MS = 60_000;

/**
 * Starts SecantusDB, in Rust or in Python: both take these flags. Writes it acknowledges survive a crash, of the process
 * and of the machine, because of `--sync-on-commit` alone.
 * @throws DatabaseError when it does not come up
 */
export async function startSecantus(
  context: ProviderContext,
  options: SecantusOptions,
): Promise<StoreServer> {
  const { layout } = context;
  const dataPath = layout.data(options.format);
  makePrivateDirectory(dataPath);
  // Naming a file, even an empty one, keeps it from reading one of its own from the working or home directory.
  writeFileSync(layout.secantusConfig, options.configuration ?? '', { mode: 0o600 });
  const server = await startServerProcess({
    name: options.format,
    command: options.command,
    args: [
      ...options.leadingArgs,
      ...['--config', layout.secantusConfig, '--host', '127.0.0.1', '--port', '0'],
      ...['--storage-path', dataPath, '--cache-size', '1G', '--sync-on-commit'],
    ],
    env: {
      ...withoutOwnSettings(context.env),
      ...(options.wiredTiger !== undefined && { WIREDTIGER_CONFIG: options.wiredTiger }),
    },
    logFile: layout.logFile(options.format),
    listening: LISTENING,
    startTimeoutMs: START_TIMEOUT_MS,
    onSpawn: (pid) => context.recordServer(pid, dataPath),
  });
  try {
    const address = `127.0.0.1:${server.port}`;
    const version = await withAdmin(address, async (admin) => {
      await waitForPrimary(admin);
      return (await admin.command({ buildInfo: 1 })).secantusVersion ?? 'of unknown version';
    });
    return {
      uri: `mongodb://${address}/?directConnection=true&retryWrites=${options.retryWrites}`,
      description: `SecantusDB ${version} (${options.format})`,
      exited: server.exited,
      stop: server.stop,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Variables such as `SECANTUS_OPLOG_NONLOGGED` would take durability away behind our back, the Python ones its modules. */
function withoutOwnSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(SECANTUS|WIREDTIGER)/.test(name) && name !== 'PYTHONPATH' && name !== 'PYTHONHOME',
    ),
  );
}
