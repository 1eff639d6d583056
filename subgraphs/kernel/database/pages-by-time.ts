import type { Model } from 'mongoose';
import { toDocument } from './document.ts';
import { findPlain } from './plain-reads.ts';

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
 * time of that page, not all that is left: some stores read all that a filter matches before they apply a limit.
 */
export async function* pagesByTime<T extends Timed>(model: Model<T>, range: TimeRange): AsyncGenerator<T[]> {
  const { filter, time, limit } = range;
  const timeOf = (document: T) =>
    ((time === 'updatedAt' && document.updatedAt) || document.createdAt).getTime();
  const before = range.before.getTime();
  let last = { at: range.from.getTime(), id: '' };
  for (let span = before - last.at; last.at < before; ) {
    const end = Math.min(last.at + span, before);
    const [$gte, $lt] = [new Date(last.at), new Date(end)];
    const $or = [{ [time]: { $gt: $gte } }, { _id: { $gt: last.id } }];
    const page = await findPlain<T>(model, toDocument({ ...filter, [time]: { $gte, $lt }, $or }), {
      sort: { [time]: 1, _id: 1 },
      limit,
    });
    const [first, final] = [page[0], page.at(-1)];
    if (first && final) {
      yield page;
    }
    const isFull = first && final && page.length === limit;
    last = isFull ? { at: timeOf(final), id: final._id } : { at: end, id: '' };
    span = isFull ? 2 * (timeOf(final) - timeOf(first)) + 1 : 8 * span;
  }
}
