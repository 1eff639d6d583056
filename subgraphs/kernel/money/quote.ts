import { Decimal } from 'decimal.js';
import { currencyDecimals } from './iso.ts';

/** Enough digits for every product and quotient of amounts and rates, so that each is rounded once, at the end. */
const Exact = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_HALF_EVEN });

/** The price of an operation for its payer. Amounts and the rate are decimal strings. */
export interface Quote {
  /** The amount that the recipient gets, as requested. */
  readonly recipientAmount: string;
  readonly recipientCurrency: string;
  /** recipientAmount / exchangeRate. */
  readonly senderAmount: string;
  readonly senderCurrency: string;
  /** Units of the recipient's currency for one of the sender's. */
  readonly exchangeRate: string;
  /** In the sender's currency. */
  readonly tenantFee: string;
  /** senderAmount + tenantFee: what the payer pays, in the sender's currency. */
  readonly amount: string;
}

/** A partner's fee: `fixed` in the sender's currency, `percent` of the sender's amount; decimal strings. */
export interface Fee {
  readonly fixed: string;
  readonly percent: string;
}

/**
 * Prices an operation (decisions, section 2, "Money", and section 1, `fee`): rounded half-even to the currency's
 * decimals, in decimal arithmetic.
 */
export function quote(transfer: {
  recipientAmount: string;
  recipientCurrency: string;
  senderCurrency: string;
  exchangeRate: string;
  fee: Fee;
}): Quote {
  const { recipientAmount, recipientCurrency, senderCurrency, exchangeRate, fee } = transfer;
  const decimals = currencyDecimals(senderCurrency) ?? 2;
  const sender = new Exact(recipientAmount).div(exchangeRate).toDecimalPlaces(decimals);
  const tenantFee = feeOf(sender, senderCurrency, fee);
  return {
    recipientAmount,
    recipientCurrency,
    senderAmount: sender.toFixed(),
    senderCurrency,
    exchangeRate,
    tenantFee: tenantFee.toFixed(),
    amount: sender.plus(tenantFee).toFixed(),
  };
}

/** The price of an amount to be sent, fee included: that of the operation for `receive`. Amounts are decimal strings. */
interface SendQuote {
  /** The amount that the payer pays: the fee and what is exchanged, in the sender's currency. At most the amount asked. */
  readonly send: string;
  /** The operation's fee, in the sender's currency. */
  readonly fee: string;
  /** (send - fee) x rate in the recipient's currency, rounded half-even to its decimals. */
  readonly receive: string;
}

/**
 * Prices an amount to be sent, from which the fee is taken (decisions, section 8, "Prices"). `send` is the largest price of an
 * operation that is at most `amount`: less than `amount` where no operation costs just that.
 * @param transfer `amount` has at most the decimals of the sender's currency
 * @returns undefined when the fee leaves nothing to be sent, and when what it leaves rounds to 0 for the recipient
 */
export function quoteSending(transfer: {
  amount: string;
  senderCurrency: string;
  recipientCurrency: string;
  exchangeRate: string;
  fee: Fee;
}): SendQuote | undefined {
  const { amount, senderCurrency, recipientCurrency, exchangeRate, fee } = transfer;
  const decimals = currencyDecimals(recipientCurrency) ?? 2;
  const most = mostExchanged(amount, senderCurrency, fee);
  if (most.lte(0)) {
    return undefined;
  }
  const priceOf = (received: Decimal) =>
    quote({ recipientAmount: received.toFixed(), recipientCurrency, senderCurrency, exchangeRate, fee });
  // The most that may arrive: what is exchanged for it rounds to `most`, or to less where the rate leaves no such amount.
  const half = unitOf(senderCurrency).div(2);
  const first = most.plus(half).times(exchangeRate).toDecimalPlaces(decimals, Decimal.ROUND_DOWN);
  const received = new Exact(priceOf(first).senderAmount).lte(most)
    ? first
    : first.minus(unitOf(recipientCurrency));
  // Several amounts may have the same price. The one nearest to the rate is offered.
  const { senderAmount, tenantFee, amount: send } = priceOf(received);
  const receive = new Exact(senderAmount).times(exchangeRate).toDecimalPlaces(decimals);
  // The digits stay as they were given: 10.10 is not shortened.
  const sent = new Exact(send).eq(amount) ? amount : send;
  return receive.gt(0) ? { send: sent, fee: tenantFee, receive: receive.toFixed() } : undefined;
}

/** The largest amount that can be exchanged when it and its fee are at most `amount`; may be less than 0. */
function mostExchanged(amount: string, currency: string, fee: Fee): Decimal {
  const unit = unitOf(currency);
  const factor = new Exact(fee.percent).div(100).plus(1);
  // The fee is rounded once, so that the result is at most one unit from the exact quotient.
  let exchanged = new Exact(amount)
    .minus(fee.fixed)
    .div(factor)
    .toDecimalPlaces(currencyDecimals(currency) ?? 2, Decimal.ROUND_FLOOR)
    .plus(unit);
  while (exchanged.gt(0) && exchanged.plus(feeOf(exchanged, currency, fee)).gt(amount)) {
    exchanged = exchanged.minus(unit);
  }
  return exchanged;
}

/** fixed + percent of what is exchanged, rounded half-even once. */
function feeOf(exchanged: Decimal, currency: string, { fixed, percent }: Fee): Decimal {
  return new Exact(fixed)
    .plus(exchanged.times(percent).div(100))
    .toDecimalPlaces(currencyDecimals(currency) ?? 2);
}

/** The smallest amount of a currency. */
function unitOf(currency: string): Decimal {
  return new Exact(10).pow(-(currencyDecimals(currency) ?? 2));
}
