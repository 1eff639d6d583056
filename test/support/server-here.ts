import { setTimeout as delay } from 'node:timers/promises';
import { readSupergraphOf } from '../../gateway/app/read-supergraph.ts';
import { type Server, startServer } from '../../gateway/app/server.ts';
import { createRejectionHandler } from '../../gateway/app/unhandled-rejections.ts';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { describeFatal } from '../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { judgeServer } from './record-served.ts';
import type { Exit, ServerProcess } from './server-process.ts';

const CLOSE_TIMEOUT_MS = 30_000;
/** The signals at which the product ends by itself. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
const CLEAN: Exit = { code: 0, signal: null };
const FAILED: Exit = { code: 1, signal: null };

/** The output of a server in this process, and whether it has ended. */
interface Life {
  output: string;
  exit: Exit | undefined;
}

/**
 * Starts the server in this very process, on a free port, with exactly this environment: all of the product but the
 * process that `gateway/app/main.ts` makes of it. `kill` stops it as the signal would; the exit says whether it stopped
 * without an error.
 */
export async function startServerHere(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const life: Life = { output: '', exit: undefined };
  const write = (text: string) => {
    life.output += text;
  };
  try {
    const config = loadConfig({ PORT: '0', ...env });
    const log = createLogger({ level: config.LOG_LEVEL, destination: { write } });
    const server = await startServer(config, await readSupergraphOf(config), log);
    judgeServer(server.store.connection);
    return follow(server, life);
  } catch (error) {
    throw new Error(`The server ended before it was ready:\n${life.output}${describeFatal(error)}`, {
      cause: error,
    });
  }
}

/** A start that is expected to fail. Gives all that a process would have printed. */
export async function failToStartHere(env: Readonly<Record<string, string>>): Promise<string> {
  const failed = await startServerHere(env).catch((error: Error) => error);
  if (failed instanceof Error) {
    return failed.message;
  }
  await failed.kill('SIGTERM');
  throw new Error(`It has started:\n${failed.output()}`);
}

function follow(server: Server, life: Life): ServerProcess {
  const { log, close, url } = server;
  let end: (code: number) => void = () => undefined;
  const exited = new Promise<Exit>((resolve) => {
    end = (code) => {
      leave(here);
      life.exit ??= code === 0 ? CLEAN : FAILED;
      resolve(life.exit);
    };
  });
  const here: Running = {
    reject: createRejectionHandler({ log, close, exit: (code) => end(code) }),
    // A process prints it on standard error, in the same words.
    warn: ({ name, message }) => {
      life.output += `${name}: ${message}\n`;
    },
  };
  enter(here);
  void server.failed.then(() => end(1));
  return {
    get pid(): number {
      throw new Error('The server runs in the process of its test: deploy it with processes: true');
    },
    url,
    output: () => life.output,
    exited,
    exit: () => life.exit,
    kill: async (signal) => {
      if (!STOP_SIGNALS.includes(signal)) {
        throw new Error(`${signal} would end the process of the test: deploy it with processes: true`);
      }
      log.info({ signal }, 'server.stopping');
      await stopInTime(server).then(
        () => end(0),
        (err: unknown) => {
          log.fatal({ err }, 'server.stop_failed');
          end(1);
        },
      );
      return exited;
    },
  };
}

/** Every server gets the messages of the whole process: their server is unknown. */
interface Running {
  reject(reason: unknown): void;
  warn(warning: Error): void;
}

const running = new Set<Running>();

function enter(here: Running): void {
  if (running.size === 0) {
    process.on('warning', forwardWarning).on('unhandledRejection', forwardRejection);
  }
  running.add(here);
}

function leave(here: Running): void {
  running.delete(here);
  if (running.size === 0) {
    process.off('warning', forwardWarning).off('unhandledRejection', forwardRejection);
  }
}

function forwardWarning(warning: Error): void {
  for (const { warn } of running) {
    warn(warning);
  }
}

function forwardRejection(reason: unknown): void {
  for (const { reject } of running) {
    reject(reason);
  }
}

async function stopInTime({ stop }: Server): Promise<void> {
  const timer = new AbortController();
  const late = delay(CLOSE_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The server had not stopped within ${CLOSE_TIMEOUT_MS} ms`);
  });
  // Of the delay that is broken off below.
  late.catch(() => undefined);
  try {
    await Promise.race([stop(), late]);
  } finally {
    timer.abort();
  }
}
