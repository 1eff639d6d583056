import type { LinksDeps } from '../deps.ts';

/** Marks expired links, so that lists find them. It may run twice at once. @returns how many it marked */
export function expireLinks({ links, clock }: Pick<LinksDeps, 'links' | 'clock'>): Promise<number> {
  return links.markExpired(clock());
}
