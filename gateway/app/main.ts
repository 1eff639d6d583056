import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import 'reflect-metadata';
import { loadConfig } from '../../subgraphs/platform/config/load.ts';
import { describeFatal, OperatorError } from '../../subgraphs/platform/errors/operator-error.ts';
import { messageOf } from '../../subgraphs/platform/errors/thrown.ts';
import { projectRoot } from '../../subgraphs/platform/project-root.ts';
import { startServer } from './server.ts';
import { listenForStop } from './stop-signals.ts';
import { createRejectionHandler } from './unhandled-rejections.ts';

/** The process: environment in, server up, signals to a clean end. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const supergraphFile = config.SUPERGRAPH_FILE ?? join(projectRoot(), 'schema', 'supergraph.graphql');
  const supergraphSdl = await readSupergraph(supergraphFile);
  const server = await startServer(config, supergraphSdl);
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

async function readSupergraph(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`SUPERGRAPH_FILE: ${path} cannot be read: ${messageOf(error)}`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFatal(error)}\n`);
  process.exit(1);
});
