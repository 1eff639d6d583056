import { Decimal } from 'decimal.js';
import type { AccountId } from '../../../kernel/account.ts';
import type { BlindIndex } from '../../../kernel/crypto/blind-index.ts';
import { canonicalJson } from '../../../kernel/json/canonical.ts';
import { toCardDigits } from '../../../kernel/person/card.ts';
import { isCard, type RawPaymentMethod, readMethodType } from '../../../users/index.ts';
import type { RequestMoneyV2Command } from '../../commands/request-money-v2.ts';

/** A request for money by v2, with the meaning of its texts. */
export interface IdentifiedRequest {
  readonly accountId: AccountId;
  readonly userId: string;
  /** The payer's phone number, E.164, in whatever form `requestTo` has it. */
  readonly phoneNumber: string;
  /** Decimal digits, as read. */
  readonly amount: string;
  readonly command: RequestMoneyV2Command;
}

/**
 * The digest that recognises a request. It covers everything that decides who pays, how much, and to where. `10.10` and
 * `10.1` are the same amount, a phone number in national form and in E.164 is the same payer, and REST and GraphQL make the
 * same request. A request without a quote has no `quoteId`. It is keyed, because it covers card and account numbers.
 */
export function digestRequest(blindIndex: BlindIndex, request: IdentifiedRequest): string {
  const identity = { ...identityOf(request), phoneNumber: request.phoneNumber };
  return blindIndex.digest(request.accountId, 'requestMoneyV2', canonicalJson(identity));
}

/**
 * The digest that recognises a request by the text of its `requestTo`, which may mean another payer later: contacts change. It covers
 * the rest as {@link digestRequest} does.
 */
export function digestSentRequest(
  blindIndex: BlindIndex,
  request: Omit<IdentifiedRequest, 'phoneNumber'>,
): string {
  const identity = { ...identityOf(request), requestTo: request.command.requestTo };
  return blindIndex.digest(request.accountId, 'requestMoneyV2Sent', canonicalJson(identity));
}

/** The parts of a request besides its payer. */
function identityOf({ userId, amount, command }: Omit<IdentifiedRequest, 'phoneNumber'>): object {
  return {
    userId,
    amount: new Decimal(amount).toFixed(),
    currency: command.recipientCurrency,
    destination: destinationOf(command),
    reason: command.reason ?? null,
    ...(command.quoteId !== undefined && { quoteId: command.quoteId }),
  };
}

/** The part of a destination that its provider gets. Members that its type does not have do not count. */
function destinationOf({ destination, recipientCurrency }: RequestMoneyV2Command): unknown {
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
