import type { Logger } from '../../kernel/log/log.ts';

/** Reports an outage once when it begins and once when it ends, however many tries there are in between. */
export interface Outage {
  noticed(error: unknown): void;
  over(): void;
}

/** @param part the part that cannot work, for example `sequencer`; stands in the log line */
export function createOutage(log: Logger, part: string): Outage {
  let since: number | undefined;
  return {
    noticed: (error) => {
      if (since === undefined) {
        since = Date.now();
        log.error({ err: error, part }, 'events.outage_began');
      }
    },
    over: () => {
      if (since !== undefined) {
        log.info({ part, ms: Date.now() - since }, 'events.outage_ended');
        since = undefined;
      }
    },
  };
}
