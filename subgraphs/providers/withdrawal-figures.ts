import type { Model, Schema } from 'mongoose';

/** The condition of requests whose withdrawal was given up. */
const UNKNOWN = { 'withdrawal.status': 'UNKNOWN' } as const;

/** Gives a collection of requests the index of those whose withdrawal was given up. */
export function indexUnknown<Document>(schema: Schema<Document>): void {
  schema.index({ 'withdrawal.status': 1 }, { partialFilterExpression: UNKNOWN });
}

/** How many requests have a payer who may have been asked, over all processes and tenants. */
export interface AskedFigures {
  /** The provider, or the caller, is still expected to repeat the call. */
  readonly retrying: number;
  /** The request is being withdrawn. */
  readonly withdrawing: number;
  /** The withdrawal was given up after 72 hours, and nobody knows whether the payer holds the request. */
  readonly unknown: number;
}

/** Reads the requests of a collection by indexes that have only those which are open, and only those of {@link UNKNOWN}. */
export async function readAskedFigures<Document>(model: Model<Document>): Promise<AskedFigures> {
  const [groups, unknown] = await Promise.all([
    model.aggregate<{ _id: string; count: number }>([
      { $match: { isOpen: true, payerMayHaveBeenAsked: true } },
      { $group: { _id: { $ifNull: ['$withdrawal.status', 'NONE'] }, count: { $sum: 1 } } },
    ]),
    model.countDocuments(UNKNOWN),
  ]);
  const countOf = (status: string) => groups.find(({ _id }) => _id === status)?.count ?? 0;
  return { retrying: countOf('NONE'), withdrawing: countOf('PENDING'), unknown };
}
