import type { Logger } from '../../platform/log/log.ts';
import type { IdempotencyRepository } from '../store/idempotency-repository.ts';
import type { MoneyRequestRepository } from '../store/money-request-repository.ts';

const BATCH = 100;

interface RemoveNumbersDeps {
  moneyRequests: Pick<MoneyRequestRepository, 'spendCards'>;
  idempotency: Pick<IdempotencyRepository, 'upgrade'>;
  log: Logger;
}

/**
 * Removes from the records of former versions what is not kept any more: card numbers of money requests that have ended;
 * from results of creates what no answer needs, and digests without a key. It works in batches, beside the traffic. New
 * records have none of it, so later there is nothing to do. Safe to run twice at once.
 */
export async function removeNumbers(deps: RemoveNumbersDeps, signal: AbortSignal): Promise<void> {
  let moneyRequests = 0;
  while (!signal.aborted) {
    const { found, spent } = await deps.moneyRequests.spendCards(BATCH);
    moneyRequests += spent;
    // What was found and not written has changed meanwhile: the next run looks again.
    if (found < BATCH || spent === 0) {
      break;
    }
  }
  const results = await deps.idempotency.upgrade(signal);
  if (moneyRequests + results > 0) {
    deps.log.info({ moneyRequests, results }, 'requestMoney.numbers removed');
  }
}
