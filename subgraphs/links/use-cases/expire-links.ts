import type { LinksDeps } from '../deps.ts';

/** Marks expired links, so that lists find them. It may run twice at once. @returns how many it marked */
export async function expireLinks({
  links,
  listExpired,
}: Pick<LinksDeps, 'links' | 'listExpired'>): Promise<number> {
  let marked = 0;
  for (const expired of listExpired()) {
    marked += await links.markExpired(expired);
  }
  return marked;
}
