import { Decimal } from 'decimal.js';
import type { Model, QueryFilter } from 'mongoose';
import type { AccountId } from '../account.ts';
import { toDocument } from './document.ts';

/** How totals can be divided, besides by currency, by which they always are. */
export interface TotalsDivision {
  readonly byStatus: boolean;
  /** By the countries from and to which the money goes. */
  readonly byCorridor: boolean;
  /** By the day, week (from Monday) or month in which the documents were made. */
  readonly byPeriod?: { readonly unit: PeriodUnit /** An IANA name. */; readonly timeZone: string };
}

export type PeriodUnit = 'day' | 'week' | 'month';

/** The paths of the fields that totals are made of. */
export interface TotalsFields {
  /** A decimal string. */
  readonly amount: string;
  readonly currency: string;
  readonly sourceCountry: string;
  readonly destinationCountry: string;
}

/** The sum of some documents. Fields by which it is not divided are null; so are absent ones. */
export interface Total {
  readonly status: string | null;
  /** The first day of the day, week or month, `YYYY-MM-DD`. */
  readonly period: string | null;
  readonly sourceCountry: string | null;
  readonly destinationCountry: string | null;
  readonly currency: string;
  readonly count: number;
  /** Exact: a decimal string. */
  readonly amount: string;
}

/** More digits than any sum has. */
const Exact = Decimal.clone({ precision: 60 });

/** Most totals of one reading. */
export const MOST_TOTALS = 1_000;

interface Group {
  readonly _id: { readonly currency: string } & Partial<Record<'status' | 'period' | 'from' | 'to', string>>;
  readonly count: number;
  readonly amount: { toString(): string };
}

/**
 * Sums documents in the database, in order of period, status, countries and currency.
 * @param filter must be served by an index, and limit the documents to an account
 * @returns undefined for more than 1,000 totals: a part of them would look like all
 */
export async function readTotals<T>(
  model: Model<T>,
  filter: QueryFilter<T> & { readonly accountId: AccountId },
  fields: TotalsFields,
  division: TotalsDivision,
): Promise<Total[] | undefined> {
  const groups = await model.aggregate<Group>([
    { $match: toDocument(filter) },
    {
      $group: {
        _id: keyOf(fields, division),
        count: { $sum: 1 },
        amount: { $sum: { $toDecimal: `$${fields.amount}` } },
      },
    },
    { $limit: MOST_TOTALS + 1 },
  ]);
  return groups.length > MOST_TOTALS ? undefined : groups.map(toTotal).toSorted(inOrder);
}

/**
 * Sums the newest documents in the database, by currency. @param filter must be followed by `createdAt` and `_id` in an index, and
 * limit the documents to an account @param most documents that are counted
 */
export async function readNewestTotals<T>(
  model: Model<T>,
  filter: QueryFilter<T> & { readonly accountId: AccountId },
  { amount, currency }: Pick<TotalsFields, 'amount' | 'currency'>,
  most: number,
): Promise<Total[]> {
  const groups = await model.aggregate<Group>([
    { $match: toDocument(filter) },
    { $sort: { createdAt: -1, _id: -1 } },
    { $limit: most },
    {
      $group: {
        _id: { currency: `$${currency}` },
        count: { $sum: 1 },
        amount: { $sum: { $toDecimal: `$${amount}` } },
      },
    },
  ]);
  return groups.map(toTotal).toSorted(inOrder);
}

function keyOf({ currency, sourceCountry, destinationCountry }: TotalsFields, division: TotalsDivision) {
  const { byStatus, byCorridor, byPeriod } = division;
  return {
    currency: `$${currency}`,
    ...(byStatus && { status: '$status' }),
    ...(byCorridor && { from: `$${sourceCountry}`, to: `$${destinationCountry}` }),
    ...(byPeriod && { period: firstDayOf(byPeriod) }),
  };
}

function firstDayOf({ unit, timeZone: timezone }: NonNullable<TotalsDivision['byPeriod']>) {
  const week = { date: '$createdAt', unit: 'week', startOfWeek: 'monday', timezone };
  const date = unit === 'week' ? { $dateTrunc: week } : '$createdAt';
  return { $dateToString: { date, format: unit === 'month' ? '%Y-%m-01' : '%Y-%m-%d', timezone } };
}

function toTotal({ _id: { currency, status, period, from, to }, count, amount }: Group): Total {
  return {
    status: status ?? null,
    period: period ?? null,
    sourceCountry: from ?? null,
    destinationCountry: to ?? null,
    currency,
    count,
    amount: new Decimal(amount.toString()).toFixed(),
  };
}

/** Adds up totals of the same kind, exactly, in the order of {@link readTotals}. */
export function mergeTotals(totals: readonly Total[]): Total[] {
  const merged = new Map<string, Total>();
  for (const total of totals) {
    const kind = kindOf(total);
    const { count, amount } = merged.get(kind) ?? { count: 0, amount: '0' };
    const sum = new Exact(amount).plus(total.amount).toFixed();
    merged.set(kind, { ...total, count: count + total.count, amount: sum });
  }
  return [...merged.values()].toSorted(inOrder);
}

function kindOf({ period, status, sourceCountry, destinationCountry, currency }: Total): string {
  return JSON.stringify([period, status, sourceCountry, destinationCountry, currency]);
}

function inOrder(one: Total, other: Total): number {
  return kindOf(one) < kindOf(other) ? -1 : 1;
}
