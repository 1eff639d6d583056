import type { BlindIndex } from '../../platform/crypto/blind-index.ts';
import { canonicalJson } from '../../platform/json/canonical.ts';
import { cardToken } from '../../platform/person/card-token.ts';
import type { PaymentMethodInput } from '../payment-method.ts';
import type { PersonKey } from '../user.ts';

/** The digests by which sealed personal data is found again and compared. */
export interface Keys {
  /** Of a phone number in E.164. */
  phone(tenantId: string, phoneNumber: string): string;
  /** Of an email; letter case does not count. */
  email(tenantId: string, email: string): string;
  /** The stored field and digest by which a person is found. */
  of(tenantId: string, by: PersonKey): { phoneKey: string } | { emailKey: string };
  /** The same for the same card, account or cash country; spaces and letter case of a number do not count. */
  fingerprint(tenantId: string, method: PaymentMethodInput): string;
  /** The same for a method that is the same to the last character: what its provider verifies. */
  verification(tenantId: string, method: PaymentMethodInput): string;
  /** What a card shows in the place of its number: see {@link cardToken}. */
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

function identityOf(method: PaymentMethodInput): readonly string[] {
  const { type, country, currency } = method;
  if (type === 'CashPickup') {
    return [type, country, currency];
  }
  return [type, method.number.replaceAll(' ', '').toUpperCase(), country, currency];
}
