import type { AccountId } from '../kernel/account.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';

/** A user whose personal data is erased. */
export interface ErasedUser {
  readonly accountId: AccountId;
  readonly userId: string;
}

/** One slice's part of the erasure of a user. */
export interface ErasureSource {
  /**
   * Whether the slice has a payment of the user that has not ended, or a link that still works. It reads in the caller's
   * transaction, which also marks the user: a new payment at the same moment conflicts with the mark.
   */
  hasOpen(user: ErasedUser, at: Date, unit: UnitOfWork): Promise<boolean>;
  /**
   * Removes the personal data of the user from the slice's records. Ids, amounts, currencies, statuses and times stay. A
   * run that was interrupted, or that runs beside another one, does no harm: repeat it until one run ends.
   * @throws the reason of the signal
   */
  erase(user: ErasedUser, signal: AbortSignal): Promise<void>;
}

/** Stands in place of a text that an erasure has removed, where a text is required. */
export const ERASED_TEXT = 'Erased';

/** A word such as `AwaitingPayment`. Everything else that `statusDetails` may have is a text that a person wrote. */
const WORD = /^\w{1,64}$/;

/** The filter for records whose `statusDetails` is a text that a person wrote. */
export const HAS_WRITTEN_DETAILS = { statusDetails: { $exists: true, $not: WORD } } as const;

/** `statusDetails` without a text that a person wrote. */
export function erasedDetails(statusDetails: string): string {
  return WORD.test(statusDetails) ? statusDetails : ERASED_TEXT;
}

const AT_ONCE = 100;

/** Does work for parts of a list, one after the other. @throws the reason of the signal between two parts */
export async function eraseInParts<T>(
  records: readonly T[],
  signal: AbortSignal,
  erase: (part: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < records.length; start += AT_ONCE) {
    signal.throwIfAborted();
    await erase(records.slice(start, start + AT_ONCE));
  }
}
