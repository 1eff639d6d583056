import type { AccountId } from '../../kernel/account.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { MoneyRequestStatus } from '../lifecycle.ts';

/** A refused move of a money request that has no price for the payer. */
interface MissingPrice {
  readonly accountId: AccountId;
  readonly referenceId: string;
  /** The status that it was to move to. */
  readonly status: MoneyRequestStatus;
  readonly reason: string;
}

/** Reports refused moves to operators: a payer may have paid, and the money waits for a rate. */
export interface MissingPrices {
  /** Logs the refusal and counts it. */
  report(refused: MissingPrice): void;
  /** Refusals of this process since its start. */
  count(): number;
}

export function createMissingPrices({ log }: { log: Pick<Logger, 'error'> }): MissingPrices {
  let count = 0;
  return {
    report: (refused) => {
      count += 1;
      log.error(refused, 'request_money.no_price');
    },
    count: () => count,
  };
}
