import type { BlindIndex } from '../../kernel/crypto/blind-index.ts';
import { canonicalJson } from '../../kernel/json/canonical.ts';
import { cardToken } from '../../kernel/person/card-token.ts';
import type { PaymentMethodInput } from '../payment-method.ts';
import type { PersonKey } from '../user.ts';

/** The digests that find and compare sealed personal data. */
export interface Keys {
  /** The digest of a phone number in E.164. */
  phone(tenantId: string, phoneNumber: string): string;
  /** The digest of an email in any case of letters. */
  email(tenantId: string, email: string): string;
  /** The stored field and digest that find a person. */
  of(tenantId: string, by: PersonKey): { phoneKey: string } | { emailKey: string };
  /** Equal for the same card, account or cash country, whatever the spaces and letter case of the number. */
  fingerprint(tenantId: string, method: PaymentMethodInput): string;
  /** Equal for methods that are equal to the last character, as a provider verifies them. */
  verification(tenantId: string, method: PaymentMethodInput): string;
  /** The token that is shown instead of a card's number: see {@link cardToken}. */
  token(tenantId: string, cardNumber: string): string;
}

export function createKeys(blindIndex: BlindIndex): Keys {
  const phone = (tenantId: string, phoneNumber: string) => blindIndex.digest(tenantId, 'phone', phoneNumber);
  const email = (tenantId: string, address: string) =>
    blindIndex.digest(tenantId, 'email', address.toLowerCase());
  return {
    phone,
    email,
    of: (tenantId, by) =>
      'email' in by ? { emailKey: email(tenantId, by.email) } : { phoneKey: phone(tenantId, by.phoneNumber) },
    fingerprint: (tenantId, method) =>
      blindIndex.digest(tenantId, 'paymentMethod', JSON.stringify(identityOf(method))),
    verification: (tenantId, method) => blindIndex.digest(tenantId, 'verification', canonicalJson(method)),
    token: (tenantId, cardNumber) => cardToken(blindIndex, tenantId, cardNumber),
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
