import type { DataOf } from './graph.ts';

/** The part of a user that shows its erasure. */
type ErasedPart = Pick<NonNullable<DataOf<'user'>['user']>, 'erasureRequestedAt' | 'erasedAt'>;

/**
 * The state of a user's personal data. `erasing`: the user itself answers with nulls, and other records of it still have data.
 * In both other states than `kept`, the user is blocked for good and takes no new data.
 */
type PersonalData = 'kept' | 'erasing' | 'erased';

export function personalDataOf({ erasureRequestedAt, erasedAt }: ErasedPart): PersonalData {
  if (erasedAt !== null) {
    return 'erased';
  }
  return erasureRequestedAt === null ? 'kept' : 'erasing';
}
