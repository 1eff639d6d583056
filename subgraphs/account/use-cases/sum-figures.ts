import { Decimal } from 'decimal.js';
import { durationBound, type FigureEntity, type FigureHour } from '../../runtime/events/index.ts';
import type { FigurePeriod } from './figure-periods.ts';

/** The ends of a record. */
type Outcome = 'completed' | 'failed' | 'cancelled';

/** Figures of the records of one kind that were created in a period, as they stand now. */
export interface Figures extends Readonly<Record<Outcome, number>> {
  readonly from: Date;
  readonly to: Date;
  readonly created: number;
  /** Share of those completed among those ended, 0 to 1; null when none has ended. */
  readonly successRate: number | null;
  /** The median time from creation to completion, from a histogram; null when none is completed. */
  readonly medianMs: number | null;
  /** By status, as the slice writes it; without those that no record has. */
  readonly statuses: readonly { readonly status: string; readonly count: number }[];
  /** Exact sums, by currency. */
  readonly volume: readonly {
    readonly currency: string;
    readonly created: string;
    readonly completed: string;
  }[];
  /** Those with most records first. */
  readonly corridors: readonly CorridorFigures[];
  /** Those with most failures first. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
}

interface CorridorFigures extends Readonly<Record<Outcome | 'created', number>> {
  /** ISO 3166-1 alpha-2. */
  readonly sourceCountry: string;
  readonly destinationCountry: string;
}

/** The statuses with which records end. */
export const STATUSES_OF: Readonly<Record<FigureEntity, Readonly<Record<Outcome, readonly string[]>>>> = {
  operation: { completed: ['Completed'], failed: ['Failed', 'Rejected'], cancelled: ['Cancelled'] },
  requestMoney: { completed: ['completed'], failed: ['rejected'], cancelled: ['cancelled'] },
  webhookDelivery: { completed: ['DELIVERED'], failed: ['DEAD_LETTERED'], cancelled: [] },
};

/** Most corridors that figures name. */
export const MOST_CORRIDORS = 20;
/** More digits than any sum has. */
const Exact = Decimal.clone({ precision: 60 });

/** Adds up the hours of each of several periods. @param hours and `periods`: oldest first */
export function sumByPeriod(
  entity: FigureEntity,
  hours: readonly FigureHour[],
  periods: readonly FigurePeriod[],
): Figures[] {
  let next = 0;
  return periods.map((period) => {
    const first = next;
    while ((hours[next]?.at ?? Number.POSITIVE_INFINITY) < period.before) {
      next += 1;
    }
    return sumFigures(entity, hours.slice(first, next), period);
  });
}

/** Adds up the hours of a period. */
export function sumFigures(
  entity: FigureEntity,
  hours: readonly FigureHour[],
  { from, before }: FigurePeriod,
): Figures {
  const statuses = sumCounts(hours.map(({ status }) => status));
  const countOf = (outcome: Outcome) =>
    STATUSES_OF[entity][outcome].reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
  const [completed, failed, cancelled] = [countOf('completed'), countOf('failed'), countOf('cancelled')];
  const ended = completed + failed + cancelled;
  return {
    from: new Date(from),
    to: new Date(before),
    created: [...statuses.values()].reduce((sum, count) => sum + count, 0),
    completed,
    failed,
    cancelled,
    successRate: ended === 0 ? null : completed / ended,
    medianMs: medianOf(sumCounts(hours.map(({ durations }) => durations))),
    statuses: ranked(statuses).map(([status, count]) => ({ status, count })),
    volume: sumMoney(hours),
    corridors: sumCorridors(hours),
    causes: ranked(sumCounts(hours.map(({ causes }) => causes))).map(([cause, count]) => ({ cause, count })),
  };
}

function sumCounts(all: readonly (Readonly<Record<string, number>> | undefined)[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts ?? {})) {
      sums.set(name, (sums.get(name) ?? 0) + count);
    }
  }
  return sums;
}

/** The greatest first; without counts of 0. */
function ranked(counts: ReadonlyMap<string, number>): [name: string, count: number][] {
  return [...counts]
    .filter(([, count]) => count > 0)
    .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}

function sumMoney(hours: readonly FigureHour[]): Figures['volume'] {
  const sums = new Map<string, { created: Decimal; completed: Decimal }>();
  for (const { money } of hours) {
    for (const [currency, { created, completed }] of Object.entries(money ?? {})) {
      const sum = sums.get(currency) ?? { created: new Exact(0), completed: new Exact(0) };
      sums.set(currency, {
        created: created ? sum.created.plus(created.toString()) : sum.created,
        completed: completed ? sum.completed.plus(completed.toString()) : sum.completed,
      });
    }
  }
  return [...sums]
    .map(([currency, { created, completed }]) => ({
      currency,
      created: created.toFixed(),
      completed: completed.toFixed(),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

function sumCorridors(hours: readonly FigureHour[]): CorridorFigures[] {
  const sums = new Map<string, Record<Outcome | 'created', number>>();
  for (const { corridors } of hours) {
    for (const [corridor, counts] of Object.entries(corridors ?? {})) {
      const sum = sums.get(corridor) ?? { created: 0, completed: 0, failed: 0, cancelled: 0 };
      sums.set(corridor, {
        created: sum.created + (counts.created ?? 0),
        completed: sum.completed + (counts.completed ?? 0),
        failed: sum.failed + (counts.failed ?? 0),
        cancelled: sum.cancelled + (counts.cancelled ?? 0),
      });
    }
  }
  return [...sums]
    .toSorted(([a, one], [b, other]) => other.created - one.created || (a < b ? -1 : 1))
    .slice(0, MOST_CORRIDORS)
    .map(([corridor, counts]) => {
      const [sourceCountry = '', destinationCountry = ''] = corridor.split('-');
      return { sourceCountry, destinationCountry, ...counts };
    });
}

/** Interpolates within the bucket of the middle, as if its durations were spread evenly: at most 9 % from the exact median. */
function medianOf(durations: ReadonlyMap<string, number>): number | null {
  const total = [...durations.values()].reduce((sum, count) => sum + count, 0);
  let left = total / 2;
  for (const [bucket, count] of [...durations].toSorted(([one], [other]) => Number(one) - Number(other))) {
    if (count > 0 && left <= count) {
      const lower = bucket === '0' ? 0 : durationBound(Number(bucket) - 1);
      return Math.round(lower + (durationBound(Number(bucket)) - lower) * (left / count));
    }
    left -= count;
  }
  return null;
}
