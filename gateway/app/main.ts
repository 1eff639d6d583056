import { commandLine } from '../../subgraphs/kernel/command-line.ts';
import 'reflect-metadata';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { describeFatal } from '../../subgraphs/kernel/errors/operator-error.ts';
import { readSupergraphOf } from './read-supergraph.ts';
import { onSighup } from './reload/watch-supergraph.ts';
import { startServer } from './server.ts';
import { listenForStop } from './stop-signals.ts';
import { createRejectionHandler } from './unhandled-rejections.ts';

const USAGE = `${commandLine('start')}   the server: REST, GraphQL, live events, and the work in the background

Its settings come from the environment. Without MONGODB_URI it starts an embedded database in DATA_DIR, for development.

Examples:
  PORT=8080 ${commandLine('start')}
  NODE_ENV=production MONGODB_URI=mongodb://… ENCRYPTION_KEY=… API_KEY_PEPPER=… INTERNAL_API_KEY=… ${commandLine('start')}

Exit codes: 0 stopped by a signal; 1 an error, or a second signal; 2 a wrong command line.
`;

/** The process: environment in, server up, signals to a clean end. */
async function main([first]: readonly string[]): Promise<void> {
  if (first !== undefined) {
    const isHelp = first === '--help' || first === '-h';
    (isHelp ? process.stdout : process.stderr).write(isHelp ? USAGE : `It takes no arguments.\n\n${USAGE}`);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const config = loadConfig(process.env);
  const supergraphSdl = await readSupergraphOf(config);
  const server = await startServer(config, supergraphSdl, undefined, {
    showDemoKey,
    reloadSignal: onSighup,
  });
  const stop = (signal: string) => {
    server.log.info({ signal }, 'server.stopping');
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        server.log.fatal({ err: error }, 'server.stop_failed');
        process.exit(1);
      },
    );
  };
  process.on(
    'unhandledRejection',
    createRejectionHandler({ log: server.log, close: server.close, exit: (code) => process.exit(code) }),
  );
  listenForStop({ stop, force: () => process.exit(1) });
  void server.failed.then(() => process.exit(1));
}

/** Developers look at standard output; the log may go elsewhere. */
function showDemoKey(key: string): void {
  process.stdout.write(
    `\nThe database was empty: a tenant "demo" was made. Its API key, shown only now:\n  ${key}\n\n`,
  );
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${describeFatal(error)}\n`);
  process.exit(1);
});
