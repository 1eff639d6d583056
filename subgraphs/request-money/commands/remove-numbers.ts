import type { Logger } from '../../platform/log/log.ts';
import type { IdempotencyStore } from '../store/idempotency.ts';
import type { MoneyRequestRepository } from '../store/repository.ts';

const BATCH = 100;

interface RemoveNumbersDeps {
  moneyRequests: Pick<MoneyRequestRepository, 'spendCards'>;
  idempotency: Pick<IdempotencyStore, 'upgrade'>;
  log: Logger;
}

/**
 * Takes from the records of former versions what is not kept any more: card numbers of asks that have ended, and, from
 * results of creates, what the answer does not need and digests without a key. In batches, beside the traffic; what
 * is new has none of it, so that there is nothing to do later. Safe to run twice at once.
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
