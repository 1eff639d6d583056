import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { AccountId } from '../account.ts';
import { shareLoads } from '../shared-loads.ts';

/**
 * Lets calls of one account share one command for reads by key that begin in the same turn of the event loop. Most of the cost
 * of such a read is its command, and under load a turn has several calls. It keeps nothing after the read, and accounts never
 * share a read.
 * @param read reads by 1 to 100 different keys, only within the account; a missing key is absent from the result
 */
export function shareReads<Value>(
  read: (accountId: AccountId, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (accountId: AccountId, key: string) => Promise<Value | undefined> {
  return shareLoads(read, () => endOfTurn());
}
