import type { BlindIndex } from '../../platform/crypto/blind-index.ts';
import { cardToken } from '../../platform/person/card-token.ts';
import { MONEY_REQUEST_STATES, MONEY_REQUEST_STATUSES, type MoneyRequestStatus } from '../lifecycle.ts';
import type { MoneyRequest } from './model.ts';

/** Whether a money request has ended: nothing will be paid to its card any more. */
export function isFinal(status: MoneyRequestStatus): boolean {
  return MONEY_REQUEST_STATES[status].next.length === 0;
}

/** The statuses in which a money request has ended. */
export const FINAL_STATUSES = MONEY_REQUEST_STATUSES.filter(isFinal);

const NUMBER = /^\d+$/;

/**
 * The data of a money request without the number and the expiration date of its card: the number is replaced by the token,
 * which has the last four digits. Data without a card number stays as it is.
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
