import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { printUsage } from '../../../subgraphs/kernel/command-line.ts';
import {
  describeFatal,
  isSystemError,
  OperatorError,
} from '../../../subgraphs/kernel/errors/operator-error.ts';
import { listenForStop } from '../../app/stop-signals.ts';
import { readArguments, USAGE } from './arguments.ts';
import { createReadGraph } from './documents.ts';
import { createMcpServer, type McpDeps } from './server.ts';

const EXIT = { done: 0, failed: 1 } as const;

/** `npm run mcp`: tools with which agents read a partner's payments. Standard output has messages of the protocol alone. */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2), process.env);
  if ('issues' in options) {
    process.exitCode = printUsage(options, USAGE);
    return;
  }
  const { url, key, withAnswers, http } = options;
  const deps = { graph: createReadGraph({ url, key, fetch }), withAnswers };
  const end = http === undefined ? await serveInput(deps) : await serveHttp(deps, http);
  const fail = () => process.exit(EXIT.failed);
  listenForStop({ stop: () => void end().then(() => process.exit(EXIT.done), fail), force: fail });
}

/** Ends the service. */
type End = () => Promise<void>;

async function serveInput(deps: McpDeps): Promise<End> {
  const server = createMcpServer(deps);
  await server.connect(new StdioServerTransport());
  return () => server.close();
}

/** @throws OperatorError when the port is not available */
async function serveHttp(
  deps: McpDeps,
  { port, token }: { readonly port: number; readonly token: string },
): Promise<End> {
  const { createMcpHttp } = await import('./http.ts');
  const app = createMcpHttp({ token, createServer: () => createMcpServer(deps) });
  try {
    process.stdout.write(`Listening on ${await app.listen({ port, host: '127.0.0.1' })}/mcp\n`);
  } catch (error) {
    throw isSystemError(error)
      ? new OperatorError(`--port: cannot listen on port ${port}: ${error.message}`, { cause: error })
      : error;
  }
  return () => app.close();
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFatal(error)}\n`);
  process.exit(EXIT.failed);
});
