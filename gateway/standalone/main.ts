import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { parseOptions, printUsage, type Usage } from '../../subgraphs/kernel/command-line.ts';
import { describeFatal } from '../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { listenForStop } from '../app/stop-signals.ts';
import { createRejectionHandler } from '../app/unhandled-rejections.ts';
import { explainPlan } from '../engine/index.ts';
import { readArguments, USAGE } from './arguments.ts';
import { startGateway } from './gateway.ts';

const EXIT = { done: 0, failed: 1 } as const;

/** How long a clean stop may take before the process ends anyway. */
const STOP_MS = 15_000;

/** @throws when a file cannot be read, or the document has no plan */
async function printPlan(args: readonly string[]): Promise<void> {
  const options = readPlanArguments(args);
  if ('issues' in options) {
    process.exitCode = printUsage(options, USAGE);
    return;
  }
  const { supergraph, query } = options;
  process.stdout.write(
    `${await explainPlan(readFileSync(supergraph, 'utf8'), readFileSync(query, 'utf8'))}\n`,
  );
}

/** Reads the command line after `plan`. */
function readPlanArguments(args: readonly string[]): { supergraph: string; query: string } | Usage {
  const option = { type: 'string', default: '' } as const;
  const values = parseOptions(args, { supergraph: option, query: option });
  if ('issues' in values) {
    return values;
  }
  const issues = [
    ...(values.supergraph === '' ? ['--supergraph is missing: it names the file of the supergraph.'] : []),
    ...(values.query === '' ? ['--query is missing: it names the file of the document to plan.'] : []),
  ];
  return issues.length > 0 ? { issues } : values;
}

/** The process: arguments in, one line when it listens, signals to a clean end. Log lines go to standard error. */
async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'plan') {
    await printPlan(rest);
    return;
  }
  const options = readArguments(process.argv.slice(2));
  if ('issues' in options) {
    process.exitCode = printUsage(options, USAGE);
    return;
  }
  const log = createLogger({
    level: process.env.LOG_LEVEL ?? 'warn',
    destination: pino.destination({ fd: 2, sync: true }),
  });
  const gateway = await startGateway(options, log);
  const stop = (): void => {
    setTimeout(() => process.exit(EXIT.failed), STOP_MS).unref();
    gateway.close().then(
      () => process.exit(EXIT.done),
      (error: unknown) => {
        log.fatal({ err: error }, 'gateway.stop_failed');
        process.exit(EXIT.failed);
      },
    );
  };
  process.on(
    'unhandledRejection',
    createRejectionHandler({ log, close: () => gateway.close(), exit: (code) => process.exit(code) }),
  );
  listenForStop({ stop, force: () => process.exit(EXIT.failed) });
  process.stdout.write(`Listening on ${gateway.url} over ${gateway.subgraphs.length} subgraphs\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFatal(error)}\n`);
  process.exit(EXIT.failed);
});
