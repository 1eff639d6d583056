import { loadavg } from 'node:os';
import { median } from './load.ts';

/** Above this, other work takes so much of the machine that a verdict would be about that work. */
const MOST_LOAD = 1;

/** Says whether a goal was met, on a machine that lets one say so. */
interface Judge {
  /** `met` or `missed`; or that there is no verdict, and why. */
  verdict(isMet: boolean): string;
}

/** @param load the load average before the benchmark itself makes any */
export function createJudge(load: number): Judge {
  return {
    verdict: (isMet) => {
      if (load > MOST_LOAD) {
        return `no verdict: load average ${load.toFixed(1)}`;
      }
      return isMet ? 'met' : 'missed';
    },
  };
}

/** The judge of this run: made when the benchmark is loaded, before it does anything. */
export const judge = createJudge(loadavg()[0] ?? Number.NaN);

/** Has the sides take turns, in short rounds: first one begins, then the other, so that neither is always behind. */
export async function inTurns<Side, Result>(
  sides: readonly Side[],
  rounds: number,
  run: (side: Side) => Promise<Result>,
): Promise<Map<Side, Result[]>> {
  const results = new Map<Side, Result[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      results.get(side)?.push(await run(side));
    }
  }
  return results;
}

/** The ratios of pairs of rounds. */
export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Each round of one side as a multiple of the other's same round. @throws when the sides have not as many rounds */
export function ratioOf(ones: readonly number[], others: readonly number[]): Ratio {
  if (ones.length !== others.length || ones.length === 0) {
    throw new Error(`${ones.length} rounds cannot be compared with ${others.length}`);
  }
  const ratios = ones.map((one, round) => one / (others[round] ?? Number.NaN));
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

/** Such as `0.65 (0.61 to 0.70)`. */
export function describeRatio({ median: middle, low, high }: Ratio): string {
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
