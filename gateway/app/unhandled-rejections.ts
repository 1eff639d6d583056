import { setTimeout as delay } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { withoutInput } from '../../subgraphs/kernel/errors/without-input.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';

/** The process that ends after an unhandled rejection. */
interface EndingProcess {
  readonly log: Pick<Logger, 'warn' | 'fatal'>;
  /** Lets running work finish and closes everything. */
  close(): Promise<void>;
  exit(code: number): void;
  /** How long to wait for {@link EndingProcess.close}, milliseconds. Default 10,000. */
  readonly drainMs?: number;
}

const DRAIN_MS = 10_000;

/**
 * Makes the handler of the process's `unhandledRejection`. A rejection that nobody awaits is a bug that leaves the process in
 * an unknown state: it is logged as fatal, running work gets time to finish, and the process ends with 1. Only rejections
 * that graphql-js leaves behind (see {@link isLeftByGraphql}) are logged without ending it.
 */
export function createRejectionHandler(ending: EndingProcess): (reason: unknown) => void {
  let isEnding = false;
  return (reason) => {
    if (isLeftByGraphql(reason)) {
      ending.log.warn({ err: withoutInput(reason) }, 'graphql.late_rejection');
      return;
    }
    ending.log.fatal({ err: withoutInput(reason) }, 'process.unhandled_rejection');
    if (!isEnding) {
      isEnding = true;
      void end(ending);
    }
  };
}

async function end({ log, close, exit, drainMs = DRAIN_MS }: EndingProcess): Promise<void> {
  try {
    await Promise.race([close(), delay(drainMs, undefined, { ref: false })]);
  } catch (error) {
    log.fatal({ err: error }, 'process.drain_failed');
  }
  exit(1);
}

/**
 * Whether graphql-js (16, `completeListValue`) has abandoned this rejection. In a list of non-null items, an item that fails
 * at once ends the list with an exception, and nobody awaits the promises of the items before it. If one of them rejects too,
 * its error already has a path in the response. The client's answer has the first failure by then.
 */
function isLeftByGraphql(reason: unknown): boolean {
  return reason instanceof GraphQLError && reason.path !== undefined;
}
