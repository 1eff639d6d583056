import type { Model } from 'mongoose';

/** How many open requests have a payer who may have been asked, over all processes and tenants. */
export interface AskedFigures {
  /** The provider, or the caller, is still expected to repeat the call. */
  readonly retrying: number;
  /** The request is being withdrawn. */
  readonly withdrawing: number;
}

/** Reads the open requests of a collection by an index that has only those. */
export async function readAskedFigures<Document>(model: Model<Document>): Promise<AskedFigures> {
  const groups = await model.aggregate<{ _id: string; count: number }>([
    { $match: { isOpen: true, payerMayHaveBeenAsked: true } },
    { $group: { _id: { $ifNull: ['$withdrawal.status', 'NONE'] }, count: { $sum: 1 } } },
  ]);
  const countOf = (status: string) => groups.find(({ _id }) => _id === status)?.count ?? 0;
  return { retrying: countOf('NONE'), withdrawing: countOf('PENDING') };
}
