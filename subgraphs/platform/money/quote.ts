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
  const tenantFee = new Exact(fee.fixed).plus(sender.times(fee.percent).div(100)).toDecimalPlaces(decimals);
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

/** The amount that arrives when somebody sends an amount. Amounts and the rate are decimal strings. */
export interface SendQuote {
  /** In the sender's currency, rounded half-even to its decimals. */
  readonly fee: string;
  /** (amount - fee) x rate in the recipient's currency, rounded half-even to its decimals. */
  readonly receive: string;
}

/**
 * Prices an amount to be sent, from which the fee is taken (decisions, section 4, pre-quote lite).
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
  const sent = new Exact(amount);
  const taken = new Exact(fee.fixed)
    .plus(sent.times(fee.percent).div(100))
    .toDecimalPlaces(currencyDecimals(senderCurrency) ?? 2);
  const receive = sent
    .minus(taken)
    .times(exchangeRate)
    .toDecimalPlaces(currencyDecimals(recipientCurrency) ?? 2);
  return receive.greaterThan(0) ? { fee: taken.toFixed(), receive: receive.toFixed() } : undefined;
}
