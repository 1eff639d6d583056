import { ERASED_TEXT } from '../graph/erasure.ts';
import { CATALOGUE } from '../kernel/errors/catalogue.ts';
import type { Withdrawal } from './withdrawal.ts';

/** A withdrawal without the words of its provider. */
export function eraseWithdrawal({ cause: { code }, lastError, ...withdrawal }: Withdrawal): Withdrawal {
  return {
    ...withdrawal,
    cause: { code, message: CATALOGUE[code].message },
    ...(lastError && { lastError: { ...lastError, message: ERASED_TEXT } }),
  };
}
