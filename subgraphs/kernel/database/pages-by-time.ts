import type { Model } from 'mongoose';
import { toDocument } from './document.ts';
import { findPlain } from './plain-reads.ts';
import { atOrAfter } from './time-bounds.ts';

interface Timed {
  readonly _id: string;
  readonly createdAt: Date;
  readonly updatedAt?: Date;
}

/** Documents of a range of times. An index begins with the fields of the filter, and ends with the time and `_id`. */
interface TimeRange {
  readonly filter: object;
  readonly time: 'createdAt' | 'updatedAt';
  readonly from: Date;
  readonly before: Date;
  /** Most documents of a page. */
  readonly limit: number;
}

/**
 * Reads documents in pages that have at least one, in the order of a time and then of `_id`. A read behind a full page covers twice the
 * time of that page, not all that is left: some stores read all that a filter matches before they apply a limit. Documents of the
 * millisecond in which a page ends are read by themselves: for the `$or` of a tie-break some stores read the whole collection.
 */
export async function* pagesByTime<T extends Timed>(model: Model<T>, range: TimeRange): AsyncGenerator<T[]> {
  const { filter, time, limit } = range;
  const timeOf = (document: T) =>
    ((time === 'updatedAt' && document.updatedAt) || document.createdAt).getTime();
  const before = range.before.getTime();
  let last: { readonly at: number; readonly id?: string } = { at: range.from.getTime() };
  for (let span = before - last.at; last.at < before; ) {
    const { at, id } = last;
    const end = Math.min(at + span, before);
    const from = new Date(at);
    const its =
      id === undefined
        ? { [time]: { ...atOrAfter(from), $lt: new Date(end) } }
        : { [time]: from, _id: { $gt: id } };
    const sort = { [time]: 1, _id: 1 } as const;
    const page = await findPlain<T>(model, toDocument({ ...filter, ...its }), { sort, limit });
    const [first, final] = [page[0], page.at(-1)];
    if (first && final) {
      yield page;
    }
    if (first && final && page.length === limit) {
      last = { at: timeOf(final), id: final._id };
      span = 2 * (timeOf(final) - timeOf(first)) + 1;
    } else if (id === undefined) {
      last = { at: end };
      span *= 8;
    } else {
      last = { at: at + 1 };
    }
  }
}
