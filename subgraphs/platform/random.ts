import { randomBytes } from 'node:crypto';

/** Read from the system many at once: the call takes much longer than the bytes. */
const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);

/** Random bytes for nonces and ids, each given once. `count` is small, such as 12. */
export function takeRandomBytes(count: number): Buffer {
  if (pool.length < count) {
    // Never filled again: bytes that were given stay as they are.
    pool = randomBytes(POOL_BYTES);
  }
  const taken = pool.subarray(0, count);
  pool = pool.subarray(count);
  return taken;
}
