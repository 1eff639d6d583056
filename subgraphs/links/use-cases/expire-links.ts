import type { LinksDeps } from '../deps.ts';

/**
 * Marks the links whose time is over, for lists to find them by. Safe to run twice at once.
 * @returns how many it marked
 */
export function expireLinks({ links, clock }: Pick<LinksDeps, 'links' | 'clock'>): Promise<number> {
  return links.markExpired(clock());
}
