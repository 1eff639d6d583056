import type { Model, Schema } from 'mongoose';
import { FIGURES_COUNT_TO } from '../kernel/recent.ts';

const ASKED = { payerMayHaveBeenAsked: true } as const;

/** The condition of requests whose withdrawal was given up: nobody knows whether the payer holds them. */
export const UNKNOWN_REQUEST = { ...ASKED, 'withdrawal.status': 'UNKNOWN' } as const;

/**
 * Gives a collection of requests the index of those whose payer may have been asked: for their figures, which are read from it
 * alone, and the list of those whose withdrawal was given up, in order of acceptance.
 */
export function indexAsked<Document>(schema: Schema<Document>): void {
  schema.index(
    { payerMayHaveBeenAsked: 1, 'withdrawal.status': 1, createdAt: 1, _id: 1, isOpen: 1, accountId: 1 },
    { partialFilterExpression: ASKED },
  );
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

/** Counts the requests of a collection in the index of {@link indexAsked}, each figure up to {@link FIGURES_COUNT_TO}. */
export async function readAskedFigures<Document>(model: Model<Document>): Promise<AskedFigures> {
  const [groups, unknown] = await Promise.all([
    model.aggregate<{ _id: string; count: number }>([
      { $match: { ...ASKED, isOpen: true } },
      { $limit: FIGURES_COUNT_TO },
      { $group: { _id: { $ifNull: ['$withdrawal.status', 'NONE'] }, count: { $sum: 1 } } },
    ]),
    model.countDocuments(UNKNOWN_REQUEST, { limit: FIGURES_COUNT_TO }),
  ]);
  const countOf = (status: string) => groups.find(({ _id }) => _id === status)?.count ?? 0;
  return { retrying: countOf('NONE'), withdrawing: countOf('PENDING'), unknown };
}
