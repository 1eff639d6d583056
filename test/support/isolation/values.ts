import type { Send } from './drive.ts';
import type { Ids } from './ids.ts';
import type { Prepare, Variants } from './variant.ts';

/** Shorter ones may be found in anything. */
const SHORTEST = 6;
const TIME = /^\d{4}-\d\d-\d\dT/;

/** Every text in the answers to all of the variants, for the owner of the ids. */
export async function valuesRead<Arguments>(
  variants: Variants<Arguments>,
  { send, prepare, ids }: { send: Send<Arguments>; prepare: Prepare; ids: Ids },
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [operation, ways] of Object.entries(variants)) {
    for (const way of ways) {
      const { text } = await send(operation, prepare(way, ids).args);
      collect(parsed(text), found);
    }
  }
  return found;
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) {
      collect(part, found);
    }
  } else if (typeof value === 'string' && value.startsWith('{')) {
    // The body of a webhook.
    collect(parsed(value), found);
  } else if (typeof value === 'string' && value.length >= SHORTEST && !TIME.test(value)) {
    found.add(value);
  }
}

/** Undefined for an image. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
