import type { BoundedQueue } from './bounded-queue.ts';

const HIGH_WATER = 64;
const HIGH_WATER_BYTES = 256 * 1024;

/**
 * Whether so many events of a subscription wait for their reader that its connection should pause. When it does, no more can
 * wait than these and the events of one piece of the stream.
 */
export function isHigh({ size, bytes }: Pick<BoundedQueue<unknown>, 'size' | 'bytes'>): boolean {
  return size > HIGH_WATER || bytes > HIGH_WATER_BYTES;
}
