/**
 * Loaded before a server of `npm run bench:subscriptions`: at SIGUSR2 it collects all garbage and reports to its parent the memory that
 * is left. Nothing of it runs otherwise.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  collect();
  collect();
  process.send?.({ kind: 'memory', ...process.memoryUsage() });
});
