/** A value at a time. */
export interface Point {
  /** Seconds. */
  readonly at: number;
  readonly value: number;
}

/** The line that fits points best (least squares). */
interface Line {
  /** By how much it rises a second; `NaN` of fewer than two points. */
  readonly slope: number;
  /** Standard error of the slope: what the points' own noise makes of it. `NaN` of fewer than three points. */
  readonly error: number;
}

/** Source: simple linear regression, ordinary least squares. */
export function fitLine(points: readonly Point[]): Line {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, value] = [mean(points.map((point) => point.at)), mean(points.map((point) => point.value))];
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
  const slope = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread;
  const left = points.reduce((sum, point) => sum + (point.value - value - slope * (point.at - at)) ** 2, 0);
  const freedom = points.length - 2;
  return { slope, error: freedom > 0 ? Math.sqrt(left / freedom / spread) : Number.NaN };
}

/** The course of a value. */
export type Trend = 'flat' | 'rising' | 'falling' | 'unknown';

/** A slope within so many standard errors is noise. */
const ERRORS = 3;

/**
 * Judges a value by its own noise: it is flat unless its line rises or falls by more than three standard errors of the slope,
 * and by at least `least` from the first point to the last. Unknown where values are not known, or fewer than three.
 */
export function judgeTrend(points: readonly Point[], least: number): Trend {
  const { slope, error } = fitLine(points);
  if (!Number.isFinite(error)) {
    return 'unknown';
  }
  const span = Number(points.at(-1)?.at) - Number(points[0]?.at);
  if (Math.abs(slope) <= ERRORS * error || Math.abs(slope) * span < least) {
    return 'flat';
  }
  return slope > 0 ? 'rising' : 'falling';
}
