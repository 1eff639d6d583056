import type { Logger } from '../../kernel/log/log.ts';

/**
 * Reports an outage of work that several loops or reads do: once when the first of them fails, and once when none fails any
 * more, however many tries there are in between. Each is known by the signal that stops it.
 */
export interface Outage {
  noticed(work: AbortSignal, error: unknown): void;
  /** It has succeeded, or was stopped. */
  over(work: AbortSignal): void;
}

/** @param part the part that cannot work, for example `sequencer`; stands in the log line */
export function createOutage(log: Pick<Logger, 'error' | 'info'>, part: string): Outage {
  const failing = new Set<AbortSignal>();
  let since = 0;
  return {
    noticed: (work, error) => {
      if (failing.size === 0) {
        since = Date.now();
        log.error({ err: error, part }, 'events.outage_began');
      }
      failing.add(work);
    },
    over: (work) => {
      if (failing.delete(work) && failing.size === 0) {
        log.info({ part, ms: Date.now() - since }, 'events.outage_ended');
      }
    },
  };
}
