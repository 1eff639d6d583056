import { Counter, type Registry } from 'prom-client';

/** Longest wait for figures, in milliseconds. A read of a database that is away takes 15 s; Prometheus waits for 10. */
export const MOST_WAIT_MS = 2_000;

/** Reads the figures of a source; `undefined` when that fails or takes too long. */
export type ReadSource = <T extends object>(source: string, read: () => Promise<T>) => Promise<T | undefined>;

/**
 * Makes a reader of figures that come from the database. Without it an outage would take all other metrics with it, just
 * when an operator needs them. Reads that fail are counted by their source.
 */
export function createSourceReader(registry: Registry, mostWaitMs: number): ReadSource {
  const failures = new Counter({
    name: 'metrics_source_failures_total',
    help: 'Reads of figures that failed or took too long, by source; its figures are left out then',
    labelNames: ['source'],
    registers: [registry],
  });
  return async (source, read) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The figures came too late.')), mostWaitMs);
    });
    try {
      return await Promise.race([read(), late]);
    } catch {
      // Whatever is wrong with the source is in its own log lines.
      failures.inc({ source });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
}
