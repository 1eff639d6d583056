import type { BlindIndex } from '../../platform/crypto/blind-index.ts';
import { cardToken } from '../../platform/person/card-token.ts';
import { ASK_STATES, type AskStatus } from '../lifecycle.ts';
import type { Ask } from './model.ts';

/** Whether an ask has ended: nothing will be paid out to its card any more. */
export function isFinal(status: AskStatus): boolean {
  return ASK_STATES[status].next.length === 0;
}

/** The statuses in which an ask has ended. */
export const FINAL_STATUSES = (Object.keys(ASK_STATES) as AskStatus[]).filter(isFinal);

const NUMBER = /^\d+$/;

/**
 * The data of an ask without the number and the expiration date of its card: in the number's place stands the token,
 * which has the last four digits. What has no number of a card is left as it is.
 */
export function withoutCardNumber(
  blindIndex: BlindIndex,
  { tenantId, requestData }: Pick<Ask, 'tenantId' | 'requestData'>,
): Ask['requestData'] {
  const { card } = requestData;
  if (!card || !NUMBER.test(card.number)) {
    return requestData;
  }
  const { expirationDate: _, ...rest } = card;
  return { ...requestData, card: { ...rest, number: cardToken(blindIndex, tenantId, card.number) } };
}
