import type { Environment } from '../principal.ts';

const LIVE = 'raas_live_';

/** Where the money of a key is real: decided from its whole text, never from the part that is shown (decisions, section 7). */
export function environmentOf(key: string): Environment {
  return key.startsWith(LIVE) ? 'live' : 'sandbox';
}

/**
 * What the shown prefix of a key proves, for keys that were stored without their environment. `undefined` where it was
 * cut within `raas_live_`: only the whole key shows it then.
 */
export function provenEnvironment(prefix: string): Environment | undefined {
  return prefix.length < LIVE.length && LIVE.startsWith(prefix) ? undefined : environmentOf(prefix);
}
