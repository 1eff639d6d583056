import { Counter, type Registry } from 'prom-client';

/**
 * Longest wait for figures, in milliseconds. A read takes 15 s when the database cannot be reached; Prometheus waits for 10.
 */
export const MOST_WAIT_MS = 2_000;

/** Reads the figures of a source; `undefined` when that fails or takes too long. */
export type ReadSource = <T extends object>(source: string, read: () => Promise<T>) => Promise<T | undefined>;

/**
 * Makes a reader of figures from the database. Without it an outage would also stop all other metrics, just when an operator
 * needs them. It counts failed reads by source.
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
      // The source itself logs what is wrong.
      failures.inc({ source });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
}
