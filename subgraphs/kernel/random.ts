import { randomBytes } from 'node:crypto';

/** So many bytes are read from the system at once: the call takes much longer than the bytes. */
const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);

/** Random bytes for nonces and ids, each given once. `count` is small, such as 12. */
export function takeRandomBytes(count: number): Buffer {
  if (pool.length < count) {
    // The pool is never refilled: bytes that were given out stay as they are.
    pool = randomBytes(POOL_BYTES);
  }
  const taken = pool.subarray(0, count);
  pool = pool.subarray(count);
  return taken;
}
