interface Batch<Value> {
  readonly keys: Set<string>;
  readonly loaded: Promise<ReadonlyMap<string, Value>>;
}

/** A database takes longer to plan a longer list than to run another command. */
const MOST_KEYS = 100;

/**
 * Calls for the same owner share one load until `whenCollected` resolves. A load has at most 100 keys, each once. Owners
 * share nothing, and nothing is kept after the load.
 * @param load loads at least one key; a missing key is absent from its result
 * @param whenCollected resolves when no more keys are awaited
 */
export function shareLoads<Owner, Value>(
  load: (owner: Owner, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  whenCollected: () => Promise<unknown>,
): (owner: Owner, key: string) => Promise<Value | undefined> {
  const batches = new Map<Owner, Batch<Value>>();
  const begin = (owner: Owner): Batch<Value> => {
    const keys = new Set<string>();
    const loaded = whenCollected().then(() => {
      if (batches.get(owner) === batch) {
        batches.delete(owner);
      }
      return load(owner, [...keys]);
    });
    const batch = { keys, loaded };
    batches.set(owner, batch);
    return batch;
  };
  return async (owner, key) => {
    const open = batches.get(owner);
    const { keys, loaded } = open && open.keys.size < MOST_KEYS ? open : begin(owner);
    keys.add(key);
    return (await loaded).get(key);
  };
}
