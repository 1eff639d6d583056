import { printUsage } from '../../../subgraphs/kernel/command-line.ts';
import { describeFatal } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { printable } from '../../../subgraphs/kernel/log/printable.ts';
import { liveClientOf } from '../live-client.ts';
import { readArguments, USAGE } from './arguments.ts';
import { type StatusChange, watch } from './watch.ts';

const EXIT = { completed: 0, failed: 1, notPaid: 3 } as const;

/** The waits before each next attempt to reach the server. */
const BACKOFF = { baseMs: 250, capMs: 10_000 };

/** `npm run watch`: prints the statuses of one money request as they change. */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2), process.env.KEY);
  if ('issues' in options) {
    process.exitCode = printUsage(options, USAGE);
    return;
  }
  const client = liveClientOf(options.url, options.key, BACKOFF);
  try {
    const status = await watch({
      client,
      reference: options.reference,
      tenant: options.tenant,
      show: (change) =>
        process.stdout.write(`${printable(options.json ? JSON.stringify(change) : toText(change))}\n`),
      say: (line) => (options.json ? process.stderr : process.stdout).write(`${printable(line)}\n`),
    });
    process.exitCode = status === 'COMPLETED' ? EXIT.completed : EXIT.notPaid;
  } finally {
    client.close();
  }
}

function toText({ at, status, statusDetails }: StatusChange): string {
  return `${at}  ${status}  ${statusDetails}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFatal(error)}\n`);
  process.exit(EXIT.failed);
});
