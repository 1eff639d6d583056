import type { Environment } from '../principal.ts';

const LIVE = 'raas_live_';

/** The environment of a key, decided from its whole text, never from the shown part (decisions, section 7). */
export function environmentOf(key: string): Environment {
  return key.startsWith(LIVE) ? 'live' : 'sandbox';
}

/**
 * The environment that the shown prefix of a key proves, for keys that were stored without one. `undefined` when the prefix
 * was cut within `raas_live_`: then only the whole key shows it.
 */
export function provenEnvironment(prefix: string): Environment | undefined {
  return prefix.length < LIVE.length && LIVE.startsWith(prefix) ? undefined : environmentOf(prefix);
}
