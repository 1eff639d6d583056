import { Decimal } from 'decimal.js';
import type { SettlementRow } from './mapping.ts';

const DAY_MS = 86_400_000;

/** Money that an operation moves at a provider: a line of `PROVIDER_CLEARING` in a journal entry. */
export interface Movement {
  /** The id of the entry, `|` and the currency: an entry has one such line in a currency. */
  readonly id: string;
  /** The operationId, which the provider has of every call. */
  readonly reference: string;
  readonly currency: string;
  /** A decimal string: money that comes to the provider is above 0, a payout below. */
  readonly amount: string;
  /** `YYYY-MM-DD` in the mapping's zone. */
  readonly day: string;
}

/** The result of matching a row, and the movement that it was compared with. */
type Judgement =
  | { readonly result: 'MATCHED' | 'DUPLICATE' | 'AMOUNT_DIFFERS'; readonly movement: Movement }
  | { readonly result: 'MISSING_WITH_US'; readonly movement?: never };

/**
 * Matches a row with the movements of its reference. Those of its currency and direction within the window of days count. The amount
 * decides: each movement has one matching row, and a further one with the same amount is a duplicate. So the order of rows
 * changes nothing but which of several equal rows is the duplicate.
 * @param matched the ids of movements that other rows match
 */
export function judge(
  row: SettlementRow,
  movements: readonly Movement[],
  windowDays: number,
  matched: ReadonlySet<string>,
): Judgement {
  const amount = new Decimal(row.amount);
  const candidates = movements.filter(
    (one) =>
      one.reference === row.reference &&
      one.currency === row.currency &&
      new Decimal(one.amount).isNegative() === amount.isNegative() &&
      Math.abs(Date.parse(one.day) - Date.parse(row.day)) <= windowDays * DAY_MS,
  );
  const exact = candidates.filter((one) => amount.equals(one.amount));
  const free = exact.find(({ id }) => !matched.has(id));
  const movement = free ?? exact[0] ?? candidates[0];
  if (movement === undefined) {
    return { result: 'MISSING_WITH_US' };
  }
  return { result: free ? 'MATCHED' : exact.length > 0 ? 'DUPLICATE' : 'AMOUNT_DIFFERS', movement };
}
