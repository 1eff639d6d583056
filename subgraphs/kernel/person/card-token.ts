import type { AccountId } from '../account.ts';
import { lastFour } from './card.ts';

const TOKEN_DIGITS = 16;

/**
 * The token that is stored and shown instead of a card number: `tok_`, 16 hexadecimal digits of a keyed hash, `_`, the last
 * four digits. The same card has the same token within an account.
 */
export function cardToken(
  blindIndex: { digest(accountId: AccountId, field: 'card', value: string): string },
  accountId: AccountId,
  cardNumber: string,
): string {
  const digest = Buffer.from(blindIndex.digest(accountId, 'card', cardNumber), 'base64url');
  return `tok_${digest.toString('hex').slice(0, TOKEN_DIGITS)}_${lastFour(cardNumber)}`;
}
