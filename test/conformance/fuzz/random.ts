/** A number that looks random and depends on the text alone (FNV-1a, 32 bits). */
export function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a are poor; the high ones are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A source of choices that depends on its seed alone. */
export interface Random {
  /** An integer from 0 to `below - 1`. */
  int(below: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  /** One item of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** The items in another order. */
  shuffle<T>(list: readonly T[]): T[];
  /** At most `count` different items, at least one where there is one. */
  sample<T>(list: readonly T[], count: number): T[];
}

/** Makes a source of choices (the generator mulberry32). */
export function createRandom(seed: string): Random {
  let state = digest(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  function shuffle<T>(list: readonly T[]): T[] {
    const rest = [...list];
    return list.map(() => rest.splice(int(rest.length), 1)[0] as T);
  }
  return {
    int,
    chance: (percent) => next() * 100 < percent,
    pick: <T>(list: readonly T[]) => list[int(list.length)] as T,
    shuffle,
    sample: (list, count) => shuffle(list).slice(0, Math.max(1, count)),
  };
}
