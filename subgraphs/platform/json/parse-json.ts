import { isLosslessNumber, parse } from 'lossless-json';

const MOST_LEVELS = 256;

/**
 * The JSON value of a text, each number as a LosslessNumber with its digits; undefined for what is not JSON, or is
 * nested deeper than 256 levels.
 */
export function parseJson(source: string): { value: unknown } | undefined {
  try {
    const value = parse(source);
    return isDeeperThan(MOST_LEVELS, value) ? undefined : { value };
  } catch {
    // Not JSON, or nested so deep that no stack holds it: the caller's fault either way.
    return undefined;
  }
}

/** Level by level, not by recursion: what reads the value afterwards has less stack left than the parser had. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels && level.length > 0; depth += 1) {
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null && !isLosslessNumber(one) ? Object.values(one) : [],
    );
  }
  return level.length > 0;
}
