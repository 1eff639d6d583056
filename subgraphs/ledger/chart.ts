import { Decimal } from 'decimal.js';

/** The chart of accounts: the ledger accounts that every partner has in each environment, with their descriptions. */
export const CHART = {
  PAYER_RECEIVABLE: 'Money that payers have agreed to pay; a credit balance is owed back to them.',
  PARTNER_PAYABLE: 'Money that is owed to recipients, through the partner.',
  FEE_INCOME: 'Fees of the operations whose money has arrived.',
  FX_POSITION: 'Currencies that were exchanged for each other.',
  PROVIDER_CLEARING: 'Money that funding and payout providers hold.',
} as const;

export type LedgerAccount = keyof typeof CHART;

/** The kinds of entries: one for each step that moves money or a claim on it. */
export const ENTRY_KINDS = {
  CLAIM: 'The payer has agreed to pay.',
  FUNDING: 'The money has arrived, and is exchanged at the rate of the operation.',
  PAYOUT: 'The recipient has the money.',
  REFUND: 'The operation has ended without a payout, and the money that has arrived is owed to the payer.',
  RELEASE: 'The operation has ended before any money arrived.',
} as const;

export type EntryKind = keyof typeof ENTRY_KINDS;

/** One line of an entry, or the balance of a ledger account in a currency. */
export interface JournalLine {
  readonly account: LedgerAccount;
  /** ISO 4217 */
  readonly currency: string;
  /** A decimal string, never 0: a debit is above 0, a credit below. */
  readonly amount: string;
}

/** More digits than any sum has. */
const Exact = Decimal.clone({ precision: 60 });

/** Adds lines up by account and currency, exactly, in a fixed order; sums of 0 are left out. */
export function sumLines(lines: readonly JournalLine[]): JournalLine[] {
  const sums = new Map<string, { account: LedgerAccount; currency: string; amount: Decimal }>();
  for (const { account, currency, amount } of lines) {
    const sum = sums.get(`${currency} ${account}`)?.amount ?? new Exact(0);
    sums.set(`${currency} ${account}`, { account, currency, amount: sum.plus(amount) });
  }
  return [...sums]
    .filter(([, { amount }]) => !amount.isZero())
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { amount, ...of }]) => ({ ...of, amount: amount.toFixed() }));
}

/** The same lines with debits and credits exchanged. */
export function reverse(lines: readonly JournalLine[]): JournalLine[] {
  return lines.map((line) => ({ ...line, amount: new Exact(line.amount).neg().toFixed() }));
}

/** Whether lines make an entry: there are some, their amounts are decimal numbers, and debits equal credits in each currency. */
export function isBalanced(lines: readonly JournalLine[]): boolean {
  const inOneAccount = lines.map((line): JournalLine => ({ ...line, account: 'FX_POSITION' }));
  return (
    lines.length > 0 &&
    lines.every(({ amount }) => /^-?\d+(\.\d+)?$/.test(amount)) &&
    sumLines(inOneAccount).length === 0
  );
}

/** Whether two lists of lines are the same, whatever their order and the zeros at the end of their amounts. */
export function isSame(lines: readonly JournalLine[], others: readonly JournalLine[]): boolean {
  return sumLines([...lines, ...reverse(others)]).length === 0;
}
