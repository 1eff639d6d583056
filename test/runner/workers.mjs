import { availableParallelism, loadavg } from 'node:os';

/**
 * How many test files run at once. For two processors four: files wait for databases and processes a good part of their time.
 * Beside other work, two are enough.
 */
export function chooseWorkers() {
  return loadavg()[0] / availableParallelism() > 1 ? 2 : 4;
}
