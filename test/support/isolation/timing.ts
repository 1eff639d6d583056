/** Medians of how long two kinds of call took, in milliseconds. */
export interface Medians {
  readonly foreign: number;
  readonly unknown: number;
}

/** Times both kinds one after the other, each first as often as the other: what slows the machine slows both. */
export async function timeBoth(
  calls: Readonly<Record<keyof Medians, () => Promise<unknown>>>,
  rounds: number,
): Promise<Medians> {
  const times = { foreign: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const order = ['foreign', 'unknown'] as const;
    for (const kind of round % 2 === 0 ? order : order.toReversed()) {
      const begun = performance.now();
      await calls[kind]();
      times[kind].push(performance.now() - begun);
    }
  }
  return { foreign: medianOf(times.foreign), unknown: medianOf(times.unknown) };
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
