import type { Word } from './orders.ts';

/** Tells the parent; a parent that is gone hears nothing. */
export function tell(word: Word): void {
  process.send?.(word);
}
