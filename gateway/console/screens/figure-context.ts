import { OperationStatus, RequestMoneyStatus } from '../documents/types.ts';
import { addressOf, type FilterValues, LONGEST_SPAN_MS } from '../filters.ts';
import type { DataOf } from '../graph.ts';
import type { ChartRange, Span } from '../range.ts';
import { PATHS } from './paths.ts';

/** The records that the overview is about, by their names in the address. */
export const SUBJECTS = ['OPERATION', 'REQUEST_MONEY'] as const;
export type Subject = (typeof SUBJECTS)[number];

export type OverviewData = DataOf<'overviewFigures'>;
type Total = OverviewData['before']['total'];

/** The subject of the figures, and the lists of their records. */
export interface FigureContext {
  readonly range: ChartRange;
  /** The address of a list of the records that were created in a time, of some statuses. */
  readonly listOf: (span: Span, status?: readonly string[]) => string;
  /** The same with other filters, such as a currency; undefined for a span that is too long for them. */
  readonly filteredListOf: (
    span: Span,
    filters: FilterValues,
    status?: readonly string[],
  ) => string | undefined;
  readonly webhooksOf: (span: Span, status?: string) => string;
  /** The statuses of failures. */
  readonly failed: readonly string[];
}

const FAILED: Readonly<Record<Subject, readonly string[]>> = {
  OPERATION: [OperationStatus.FAILED, OperationStatus.REJECTED],
  REQUEST_MONEY: [RequestMoneyStatus.REJECTED],
};
const LISTS: Readonly<Record<Subject, string>> = {
  OPERATION: PATHS.operations,
  REQUEST_MONEY: PATHS.moneyRequests,
};

/** Finds the lists of the records that figures count. */
export function contextOf(range: ChartRange, subject: Subject): FigureContext {
  const filtersOf = ({ from, to }: Span, status: readonly string[] = []): FilterValues => ({
    from,
    to,
    ...(status.length > 0 && { status: status.join() }),
  });
  return {
    range,
    listOf: (span, status) => addressOf(LISTS[subject], filtersOf(span, status)),
    filteredListOf: (span, filters, status) =>
      Date.parse(span.to) - Date.parse(span.from) > LONGEST_SPAN_MS
        ? undefined
        : addressOf(LISTS[subject], { ...filtersOf(span, status), ...filters }),
    webhooksOf: (span, status) => addressOf(PATHS.deliveries, filtersOf(span, status ? [status] : [])),
    failed: FAILED[subject],
  };
}

/** The completed volume of a currency, as a number: for comparisons and charts only. */
export function volumeOf({ volume }: Pick<Total, 'volume'>, currency: string): number {
  return Number(volume.find((one) => one.currency === currency)?.completed.amount ?? 0);
}
