import 'reflect-metadata';
import { printUsage } from '../../../subgraphs/kernel/command-line.ts';
import { describeFatal, OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import { listenForStop } from '../../app/stop-signals.ts';
import { createRejectionHandler } from '../../app/unhandled-rejections.ts';
import { readArguments, USAGE } from './arguments.ts';
import { hasDifference, toTable } from './report.ts';
import { verify } from './verify.ts';

const EXIT = { well: 0, different: 1 } as const;

/** Longer than checks take to close what they have opened, and the database takes to be dropped. */
const DRAIN_MS = 60_000;

/** `npm run verify`: proves that a MongoDB does all that the product relies on. */
async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2), process.env.MONGODB_URI);
  if ('issues' in options) {
    return printUsage(options, USAGE);
  }
  const stopping = new AbortController();
  listenForStop({
    stop: (signal) => stopping.abort(new OperatorError(`Stopped by ${signal}; the database is dropped.`)),
    force: () => process.exit(EXIT.different),
  });
  const running = verify({
    options,
    signal: stopping.signal,
    // Standard output has the results alone.
    onDatabase: (name) => process.stderr.write(`In the database ${name}, which is dropped at the end:\n`),
    onResult: ({ check, result }) => process.stderr.write(`${result.padEnd(9)} ${check}\n`),
  });
  process.on('unhandledRejection', rejectionHandler(stopping, running));
  const results = await running;
  const text = options.json ? `${JSON.stringify(results, null, 2)}\n` : `\n${toTable(results)}`;
  process.stdout.write(printableLines(text));
  return hasDifference(results) ? EXIT.different : EXIT.well;
}

/** The server of the load runs in this process: a bug of it ends the run, whose databases are dropped first. */
function rejectionHandler(stopping: AbortController, running: Promise<unknown>): (reason: unknown) => void {
  return createRejectionHandler({
    log: createLogger({ level: 'fatal', destination: process.stderr }),
    close: async () => {
      stopping.abort(new Error('an unhandled rejection'));
      await Promise.allSettled([running]);
    },
    exit: (code) => process.exit(code),
    drainMs: DRAIN_MS,
  });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${describeFatal(error)}\n`);
    process.exit(EXIT.different);
  },
);
