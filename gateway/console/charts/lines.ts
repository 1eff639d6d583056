// The data of a chart.

/** A point of a chart, or the place of a bar. */
export interface ChartPoint {
  /** Below the axis: short. */
  readonly label: string;
  /** Its whole name. */
  readonly name: string;
  /** The list of the records that it counts; absent where no list selects them. */
  readonly href?: string | undefined;
}

/** A colour of charts, by its class `tone-…`. */
export type ChartTone = 'good' | 'bad' | 'busy' | 'muted' | 'link';

/** One value for each point. */
export interface ChartLine {
  readonly label: string;
  readonly tone: ChartTone;
  /** Bars stand on each other. */
  readonly kind: 'bar' | 'line';
  readonly isDashed?: boolean;
  /** null where there is none. */
  readonly values: readonly (number | null)[];
}
