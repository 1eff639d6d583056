/**
 * Whether sweeps run whole, as by `npm run test:full`: a kill or a fault at every command, every pair of accounts, every look
 * of every screen. In the short form of `npm test` a sweep takes the same points each time, and each kind of point at least
 * once. Set by `TEST_DEPTH=full`.
 */
export const IS_FULL = isFull(process.env);

/** @throws for a value of TEST_DEPTH that is none of `short` and `full` */
export function isFull({ TEST_DEPTH = 'short' }: NodeJS.ProcessEnv): boolean {
  if (TEST_DEPTH !== 'short' && TEST_DEPTH !== 'full') {
    throw new Error(`TEST_DEPTH must be short or full, not ${TEST_DEPTH}`);
  }
  return TEST_DEPTH === 'full';
}

/** The points of a sweep: all in the full form, in the short one the first of each kind. */
export function sweepOf<Point>(points: readonly Point[], kindOf: (point: Point) => string): Point[] {
  return IS_FULL ? [...points] : firstOfEachKind(points, kindOf);
}

/** In their order, without those whose kind stands before them. */
export function firstOfEachKind<Point>(points: readonly Point[], kindOf: (point: Point) => string): Point[] {
  const kinds = new Set<string>();
  return points.filter((point) => {
    const kind = kindOf(point);
    const isNew = !kinds.has(kind);
    kinds.add(kind);
    return isNew;
  });
}
