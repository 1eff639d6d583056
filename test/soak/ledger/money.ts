/** An operation's amounts: decimal strings. */
export interface Price {
  readonly amount: string;
  readonly senderAmount: string;
  readonly senderCurrency: string;
  readonly tenantFee: string;
  readonly recipientAmount: string;
  readonly recipientCurrency: string;
}

export type Kind = 'CLAIM' | 'FUNDING' | 'PAYOUT' | 'REFUND' | 'RELEASE';

/** An amount in a ledger account, in thousandths of the currency. */
export interface Line {
  readonly account: string;
  readonly currency: string;
  readonly amount: bigint;
}

interface Entry {
  readonly kind: Kind;
  readonly lines: readonly Line[];
}

/** No currency of these payments has more decimals. */
const DECIMALS = 3;

function toUnits(text: string): bigint {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + decimals.padEnd(DECIMALS, '0'));
  return text.startsWith('-') ? -units : units;
}

export function fromUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, '0');
  const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '');
  return units < 0n ? `-${text}` : text;
}

/** A decimal text without zeros at its end. */
export function trimmed(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

/** How far a payment is: nobody has agreed to pay, the payer has, the money has arrived. */
export type Stage = 'none' | 'claimed' | 'funded';

/**
 * The entry of a change to a status, by the table of the README of `subgraphs/ledger` and not by the product's posting rules.
 * @returns it, if the change makes one, and the stage behind it
 */
export function entryOf(
  price: Price,
  stage: Stage,
  to: string,
): { readonly entry?: Entry; readonly stage: Stage } {
  const [amount, sent, fee, received] = [
    price.amount,
    price.senderAmount,
    price.tenantFee,
    price.recipientAmount,
  ].map(toUnits) as [bigint, bigint, bigint, bigint];
  const payer = (account: string, units: bigint): Line => ({
    account,
    currency: price.senderCurrency,
    amount: units,
  });
  const recipient = (account: string, units: bigint): Line => ({
    account,
    currency: price.recipientCurrency,
    amount: units,
  });
  const withdrawn = [payer('PAYER_RECEIVABLE', -amount), payer('PARTNER_PAYABLE', amount)];
  const arrived = [
    payer('PROVIDER_CLEARING', amount),
    payer('FEE_INCOME', -fee),
    payer('FX_POSITION', -sent),
    recipient('FX_POSITION', received),
    recipient('PARTNER_PAYABLE', -received),
  ];
  const returned = [
    payer('PAYER_RECEIVABLE', -amount),
    payer('FEE_INCOME', fee),
    payer('FX_POSITION', sent),
    recipient('FX_POSITION', -received),
    recipient('PARTNER_PAYABLE', received),
  ];
  if ((to === 'Accepted' || to === 'Funding') && stage === 'none') {
    const claimed = [payer('PAYER_RECEIVABLE', amount), payer('PARTNER_PAYABLE', -amount)];
    return { entry: entry('CLAIM', claimed), stage: 'claimed' };
  }
  if (to === 'Funded' && stage !== 'funded') {
    return {
      entry: entry('FUNDING', [...(stage === 'claimed' ? withdrawn : []), ...arrived]),
      stage: 'funded',
    };
  }
  if (to === 'Completed') {
    const paid = [recipient('PARTNER_PAYABLE', received), recipient('PROVIDER_CLEARING', -received)];
    return { entry: entry('PAYOUT', paid), stage };
  }
  if (['Failed', 'Rejected', 'Cancelled'].includes(to) && stage !== 'none') {
    return { entry: stage === 'funded' ? entry('REFUND', returned) : entry('RELEASE', withdrawn), stage };
  }
  return { stage };
}

function entry(kind: Kind, lines: readonly Line[]): Entry {
  return { kind, lines: lines.filter(({ amount }) => amount !== 0n) };
}

/** Adds up lines by account and currency. */
export class Balances {
  readonly #sums = new Map<string, Line>();

  add(lines: readonly Line[]): void {
    for (const { account, currency, amount } of lines) {
      const key = `${currency} ${account}`;
      const sum = (this.#sums.get(key)?.amount ?? 0n) + amount;
      this.#sums.set(key, { account, currency, amount: sum });
    }
  }

  /** The sums, those of 0 too. */
  lines(): Line[] {
    return [...this.#sums.values()];
  }

  copy(): Balances {
    const same = new Balances();
    same.add(this.lines());
    return same;
  }

  /** `currency account amount` of each sum but 0, in order. */
  list(currency?: string): string[] {
    return [...this.#sums.values()]
      .filter((line) => line.amount !== 0n && (currency === undefined || line.currency === currency))
      .map((line) => `${line.currency} ${line.account} ${fromUnits(line.amount)}`)
      .sort();
  }

  /** The sums of each currency that are not 0. */
  unbalanced(): string[] {
    const totals = new Map<string, bigint>();
    for (const { currency, amount } of this.#sums.values()) {
      totals.set(currency, (totals.get(currency) ?? 0n) + amount);
    }
    return [...totals].filter(([, total]) => total !== 0n).map(([currency]) => currency);
  }
}
