import { graphqlError } from '../../graph/authorize.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { FigureEntity, FigureReader } from '../../runtime/events/index.ts';
import { dividePeriod, type FigurePeriod, type PeriodLength, wholeHours } from './figure-periods.ts';
import { type Figures, sumByPeriod, sumFigures } from './sum-figures.ts';

/** The longest range of figures, in days: a year and the month before it. */
export const MOST_FIGURE_DAYS = 400;
/** Most periods of a series: the hours of 41 days. */
export const MOST_PERIODS = 1_000;
const DAY_MS = 86_400_000;

/** The records of one kind that were created in a range. */
interface FigureRange {
  readonly entity: FigureEntity;
  readonly from: Date;
  readonly to: Date;
}

/** Figures that were read, to be summed as a whole and by period. */
export interface FigureReport {
  readonly total: Figures;
  /** @throws GraphQLError BAD_USER_INPUT for more than {@link MOST_PERIODS} */
  series(length: PeriodLength, timeZone: string): Figures[];
}

/**
 * Reads figures: one document for each day of the range.
 * @throws GraphQLError BAD_USER_INPUT for a range that is empty or longer than {@link MOST_FIGURE_DAYS}
 */
export async function readFigures(
  reader: FigureReader,
  accountId: AccountId,
  { entity, from, to }: FigureRange,
): Promise<FigureReport> {
  const period = wholeHours(from, to);
  const days = (period.before - period.from) / DAY_MS;
  if (from >= to || days > MOST_FIGURE_DAYS) {
    throw graphqlError('BAD_USER_INPUT', `from must be before to, at most ${MOST_FIGURE_DAYS} days.`);
  }
  const hours = await reader.hours(accountId, entity, new Date(period.from), new Date(period.before));
  return {
    total: sumFigures(entity, hours, period),
    series: (length, timeZone) => sumByPeriod(entity, hours, atMost(dividePeriod(period, length, timeZone))),
  };
}

function atMost(periods: FigurePeriod[]): FigurePeriod[] {
  if (periods.length > MOST_PERIODS) {
    const message = `These are more than ${MOST_PERIODS} periods. Ask for a shorter range, or for days.`;
    throw graphqlError('BAD_USER_INPUT', message);
  }
  return periods;
}
