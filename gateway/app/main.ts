import 'reflect-metadata';
import { loadConfig } from '../../subgraphs/platform/config/load.ts';
import { describeFatal } from '../../subgraphs/platform/errors/operator-error.ts';
import { readSupergraphOf } from './read-supergraph.ts';
import { onSighup } from './reload/watch-supergraph.ts';
import { startServer } from './server.ts';
import { listenForStop } from './stop-signals.ts';
import { createRejectionHandler } from './unhandled-rejections.ts';

/** The process: environment in, server up, signals to a clean end. */
async function main(): Promise<void> {
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
        server.log.fatal({ err: error }, 'server.stop failed');
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

/** Standard output is where a developer looks; a log may go elsewhere. */
function showDemoKey(key: string): void {
  process.stdout.write(
    `\nThe database was empty: a tenant "demo" was made. Its API key, shown only now:\n  ${key}\n\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFatal(error)}\n`);
  process.exit(1);
});
