import type { Logger } from '../../platform/log/log.ts';
import type { IdempotencyRepository } from '../store/idempotency-repository.ts';
import type { MoneyRequestRepository } from '../store/money-request-repository.ts';

interface RemoveNumbersDeps {
  moneyRequests: Pick<MoneyRequestRepository, 'spendCards'>;
  idempotency: Pick<IdempotencyRepository, 'upgrade'>;
  log: Pick<Logger, 'info' | 'error'>;
}

/**
 * Removes from the records of former versions what is not kept any more: card numbers of money requests that have ended;
 * from results of creates what no answer needs, and digests without a key. It works in batches, beside the traffic. New
 * records have none of it, so later there is nothing to do. Safe to run twice at once. A record that cannot be opened, such
 * as one under a key that is gone, is left, and the others go on.
 */
export async function removeNumbers(deps: RemoveNumbersDeps, signal: AbortSignal): Promise<void> {
  let records = 0;
  let firstError: unknown;
  const leave = (error: unknown) => {
    records += 1;
    firstError ??= error;
  };
  const moneyRequests = await deps.moneyRequests.spendCards(signal, leave);
  const results = await deps.idempotency.upgrade(signal, leave);
  if (moneyRequests + results > 0) {
    deps.log.info({ moneyRequests, results }, 'requestMoney.numbers removed');
  }
  if (records > 0) {
    deps.log.error({ records, err: firstError }, 'requestMoney.numbers left');
  }
}
