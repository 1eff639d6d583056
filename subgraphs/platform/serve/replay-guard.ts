/** Remembers what has been used. */
export interface ReplayGuard {
  /** Whether this is the first time that the id is used; it is used then. */
  isFirst(id: string): boolean;
}

/**
 * Ids are remembered for `rememberedMs` at least and twice that at most: two sets, of which the older is dropped whole,
 * so that what is kept is bounded by what was used in that time, without a timer for each. It knows of this process
 * alone.
 */
export function createReplayGuard({
  rememberedMs,
  clock,
}: {
  rememberedMs: number;
  clock: () => number;
}): ReplayGuard {
  let older = new Set<string>();
  let newer = new Set<string>();
  let turnedAt = clock();
  const turn = (now: number) => {
    const elapsed = now - turnedAt;
    if (elapsed >= rememberedMs) {
      older = elapsed >= 2 * rememberedMs ? new Set() : newer;
      newer = new Set();
      turnedAt = now;
    }
  };
  return {
    isFirst: (id) => {
      turn(clock());
      if (newer.has(id) || older.has(id)) {
        return false;
      }
      newer.add(id);
      return true;
    },
  };
}
