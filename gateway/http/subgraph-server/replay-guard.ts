/** Remembers what has been used. */
export interface ReplayGuard {
  /** Marks the id as used. Returns whether this was its first use. */
  isFirst(id: string): boolean;
}

/**
 * Remembers ids for `rememberedMs` at least and twice that at most. There are two sets, and the older one is dropped as a
 * whole: so memory is bounded by the ids used in that time, without a timer for each. It knows only this process.
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
