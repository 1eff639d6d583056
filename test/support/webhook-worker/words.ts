import type { Word } from './orders.ts';

/** Sends a message to the parent; nothing happens if the parent is gone. */
export function send(word: Word): void {
  process.send?.(word);
}
