import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, HELP, parseOptions, printUsage } from '../../../subgraphs/kernel/command-line.ts';
import 'reflect-metadata';
import { unlessAborted } from '../../../subgraphs/kernel/abort.ts';
import { describeFatal } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { hasCode, messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { listenForStop } from '../../app/stop-signals.ts';
import { showAddresses } from './addresses.ts';
import { createClient } from './client.ts';
import { offerConsole } from './console-link.ts';
import { type Demo, startDemo } from './demo.ts';
import { runJourney } from './journey.ts';
import type { ReceivedWebhook } from './receiver.ts';
import { createStage, DemoFailure } from './stage.ts';
import { standardTerminal, type Terminal } from './terminal.ts';

const USAGE = `${commandLine('demo', '[--once]')}   shows a money request's whole way, then stays up to be tried

  --once   end after that

PORT (default 4000, or a free one), DATA_DIR (default .data/demo), MONGODB_URI and ENVIRONMENTS are respected; ENVIRONMENTS must
have sandbox.

Examples:
  ${commandLine('demo')}
  PORT=8080 ${commandLine('demo', '--once')}

Exit codes: 0 done, or stopped by Ctrl-C at the end; 1 a step has failed; 2 a wrong command line; 130 stopped before the end.
`;

const FIRST_TIME = ' The first time, a store may have to be installed: up to a minute.';

const EXIT = { done: 0, failed: 1, interrupted: 130 } as const;

/** How long a clean stop may take before the process ends anyway. */
const STOP_MS = 15_000;

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2), {
    once: { type: 'boolean', default: false },
    help: HELP,
  });
  if ('issues' in options) {
    return printUsage(options, USAGE);
  }
  const terminal = standardTerminal();
  const stopping = new AbortController();
  listenForStop({
    stop: (signal) => stopping.abort(new Error(`stopped by ${signal}`)),
    force: () => process.exit(EXIT.interrupted),
  });
  return demonstrate(terminal, options.once, stopping.signal);
}

async function demonstrate(terminal: Terminal, single: boolean, stopping: AbortSignal): Promise<number> {
  const { write, colors } = terminal;
  write(`${colors.dim(`Starting.${process.env.MONGODB_URI ? '' : FIRST_TIME}`)}\n`);
  const began = performance.now();
  let announce: ((webhook: ReceivedWebhook) => void) | undefined;
  const demo = await startDemo({ env: process.env, onWebhook: (webhook) => announce?.(webhook) });
  try {
    write(`Up in ${secondsSince(began)} s on ${demo.server.store.description}: ${demo.server.url}\n\n`);
    await runJourney(stepDepsOf(demo, terminal), createStage({ terminal, stopping }));
    write(`${colors.green('Done')} in ${secondsSince(began)} s, everything included.\n\n`);
    if (single) {
      return EXIT.done;
    }
    showAddresses(demo, terminal);
    write(`\nWebhooks to the partner's server are shown here. Ctrl-C stops.\n\n`);
    announce = (webhook) => showWebhook(webhook, terminal);
    const withdraw = await offerConsole(demo, terminal);
    try {
      return await untilEnded(demo, stopping);
    } finally {
      withdraw();
    }
  } catch (error) {
    if (stopping.aborted) {
      return EXIT.interrupted;
    }
    throw error;
  } finally {
    await Promise.race([demo.close(), sleep(STOP_MS, undefined, { ref: false })]);
  }
}

function stepDepsOf({ server, partner, receiver }: Demo, { colors }: Terminal) {
  return {
    url: server.url,
    partner,
    receiver,
    connection: server.store.connection,
    client: createClient({ url: server.url, key: partner.key, colors }),
    colors,
  };
}

/** Until the reader stops it, or the store is lost. */
async function untilEnded({ server, logFile }: Demo, stopping: AbortSignal): Promise<number> {
  stopping.throwIfAborted();
  const lost = await unlessAborted(stopping, () => server.failed);
  if (lost.aborted) {
    return EXIT.done;
  }
  throw new DemoFailure(`The store is lost; ${logFile} may have the cause.`);
}

function showWebhook({ event, referenceId, status, issue }: ReceivedWebhook, terminal: Terminal): void {
  const { colors, write } = terminal;
  const verdict = issue === undefined ? colors.green('verified') : colors.red(issue);
  write(
    `${colors.dim(new Date().toISOString())}  ${event} ${referenceId ?? ''} ${status ?? ''} ${verdict}\n`,
  );
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

/** A port in use is also a problem that the reader can fix. */
function explain(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return hasCode(cause, 'EADDRINUSE')
    ? `The port is in use: ${messageOf(cause)}. Leave PORT out to get a free one.`
    : describeFatal(error);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(EXIT.failed);
  },
);
