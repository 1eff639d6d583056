import type { AccountId } from '../../kernel/account.ts';
import type { BlindIndex } from '../../kernel/crypto/blind-index.ts';
import { canonicalJson } from '../../kernel/json/canonical.ts';
import { cardToken } from '../../kernel/person/card-token.ts';
import type { PaymentMethodInput } from '../payment-method.ts';
import type { PersonKey } from '../user.ts';

/** The digests that find and compare sealed personal data. */
export interface Keys {
  /** The digest of a phone number in E.164. */
  phone(accountId: AccountId, phoneNumber: string): string;
  /** The digest of an email in any case of letters. */
  email(accountId: AccountId, email: string): string;
  /** The digests of the words of names, which find a user by name: `nameWords` of the kernel makes the words. */
  names(accountId: AccountId, words: readonly string[]): string[];
  /** The stored field and digest that find a person. */
  of(accountId: AccountId, by: PersonKey): { phoneKey: string } | { emailKey: string };
  /** Equal for the same card, account or cash country, whatever the spaces and letter case of the number. */
  fingerprint(accountId: AccountId, method: PaymentMethodInput): string;
  /** Equal for methods that are equal to the last character, as a provider verifies them. */
  verification(accountId: AccountId, method: PaymentMethodInput): string;
  /** The token that is shown instead of a card's number: see {@link cardToken}. */
  token(accountId: AccountId, cardNumber: string): string;
}

export function createKeys(blindIndex: BlindIndex): Keys {
  const phone = (accountId: AccountId, phoneNumber: string) =>
    blindIndex.digest(accountId, 'phone', phoneNumber);
  const email = (accountId: AccountId, address: string) =>
    blindIndex.digest(accountId, 'email', address.toLowerCase());
  return {
    phone,
    email,
    names: (accountId, words) => words.map((word) => blindIndex.digest(accountId, 'nameWord', word)),
    of: (accountId, by) =>
      'email' in by
        ? { emailKey: email(accountId, by.email) }
        : { phoneKey: phone(accountId, by.phoneNumber) },
    fingerprint: (accountId, method) =>
      blindIndex.digest(accountId, 'paymentMethod', JSON.stringify(identityOf(method))),
    verification: (accountId, method) => blindIndex.digest(accountId, 'verification', canonicalJson(method)),
    token: (accountId, cardNumber) => cardToken(blindIndex, accountId, cardNumber),
  };
}

/** Stands in place of the digests of an erased record where one is required; no digest has a colon. */
export function erasedKey(id: string): string {
  return `erased:${id}`;
}

function identityOf(method: PaymentMethodInput): readonly string[] {
  const { type, country, currency } = method;
  if (type === 'CashPickup') {
    return [type, country, currency];
  }
  return [type, method.number.replaceAll(' ', '').toUpperCase(), country, currency];
}
