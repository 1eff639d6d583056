import { Decimal } from 'decimal.js';
import type { BlindIndex } from '../../platform/crypto/blind-index.ts';
import { canonicalJson } from '../../platform/json/canonical.ts';
import { toCardDigits } from '../../platform/person/card.ts';
import type { Environment } from '../../platform/principal.ts';
import { isCard, type RawPaymentMethod, readMethodType } from '../../users/index.ts';
import type { RawRequestMoneyV2 } from './request-money-v2.ts';

/** A request for money by v2 with what its text stands for. */
export interface IdentifiedRequest {
  readonly tenantId: string;
  /** A live key's request is another one than a sandbox key's. */
  readonly environment: Environment;
  readonly userId: string;
  /** Of the payer, E.164, however `requestTo` names them. */
  readonly phoneNumber: string;
  /** Decimal digits, as read. */
  readonly amount: string;
  readonly given: RawRequestMoneyV2;
}

/**
 * What a request is told from another by: everything that decides who pays, what, and where it goes. `10.10` and `10.1`
 * are the same amount, a phone number in national form and in E.164 the same payer, and REST and GraphQL the same way.
 * Keyed: card and account numbers go into it.
 */
export function digestRequest(blindIndex: BlindIndex, request: IdentifiedRequest): string {
  const { tenantId, environment, userId, phoneNumber, amount, given } = request;
  const identity = {
    environment,
    userId,
    phoneNumber,
    amount: new Decimal(amount).toFixed(),
    currency: given.recipientCurrency,
    destination: destinationOf(given),
    reason: given.reason ?? null,
  };
  return blindIndex.digest(tenantId, 'requestMoneyV2', canonicalJson(identity));
}

/** The part of a destination that its provider is asked about: what its type does not have is not looked at. */
function destinationOf({ destination, recipientCurrency }: RawRequestMoneyV2): unknown {
  return 'id' in destination
    ? { id: destination.id }
    : { method: methodOf(destination.method, recipientCurrency) };
}

function methodOf(raw: RawPaymentMethod, recipientCurrency: unknown): unknown {
  const type = readMethodType(raw);
  const { country, currency, number, nameOnCard, expirationDate } = raw;
  if (type === 'CashPickup') {
    return { type, country, currency: currency === undefined ? recipientCurrency : currency };
  }
  if (!isCard(type)) {
    return { type, country, currency, number };
  }
  const digits = typeof number === 'string' ? toCardDigits(number) : number;
  return { type, country, currency, number: digits, nameOnCard, expirationDate };
}
