/**
 * Preloaded into a server, see `preloads.ts`: its machine's clock is ahead by the number of milliseconds that the file
 * `CLOCK_FILE` has. The file may be written while the server runs.
 */
import { readFileSync } from 'node:fs';

const RightDate = Date;
/** How long a read of the file is good for, milliseconds. */
const READ_EVERY_MS = 100;
let aheadMs = 0;
let readAt = Number.NEGATIVE_INFINITY;

function ahead(): number {
  if (performance.now() - readAt >= READ_EVERY_MS) {
    readAt = performance.now();
    aheadMs = Number(readFileSync(String(process.env.CLOCK_FILE), 'utf8'));
  }
  return aheadMs;
}

globalThis.Date = new Proxy(RightDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + ahead()] : args, newTarget),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + ahead() : Reflect.get(target, name, receiver),
});
