import type { BlindIndex } from '../../platform/crypto/blind-index.ts';
import { cardToken } from '../../platform/person/card-token.ts';
import { MONEY_REQUEST_STATES, type MoneyRequestStatus } from '../lifecycle.ts';
import type { MoneyRequest } from './model.ts';

/** Whether an ask has ended: nothing will be paid out to its card any more. */
export function isFinal(status: MoneyRequestStatus): boolean {
  return MONEY_REQUEST_STATES[status].next.length === 0;
}

/** The statuses in which an ask has ended. */
export const FINAL_STATUSES = (Object.keys(MONEY_REQUEST_STATES) as MoneyRequestStatus[]).filter(isFinal);

const NUMBER = /^\d+$/;

/**
 * The data of an ask without the number and the expiration date of its card: in the number's place stands the token,
 * which has the last four digits. What has no number of a card is left as it is.
 */
export function withoutCardNumber(
  blindIndex: BlindIndex,
  { tenantId, requestData }: Pick<MoneyRequest, 'tenantId' | 'requestData'>,
): MoneyRequest['requestData'] {
  const { card } = requestData;
  if (!card || !NUMBER.test(card.number)) {
    return requestData;
  }
  const { expirationDate: _, ...rest } = card;
  return { ...requestData, card: { ...rest, number: cardToken(blindIndex, tenantId, card.number) } };
}
