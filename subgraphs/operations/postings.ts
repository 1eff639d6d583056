import { type EntryKind, type JournalLine, reverse, sumLines } from '../ledger/index.ts';
import type { OperationStatus } from './lifecycle.ts';
import type { OperationDocument } from './store/model.ts';

/**
 * How far the money of an operation is: nobody owes anything; the payer has agreed to pay; the money has arrived; the recipient
 * has it; the money has arrived and is owed to the payer.
 */
type Stage = 'none' | 'claimed' | 'funded' | 'paidOut' | 'refundable';

/** The stage of an end without a payout, by the stage before it. */
const UNPAID_END = { none: 'none', claimed: 'none', funded: 'refundable' } as const;

/** The stage that each status leads to; a stage before it that is not named stays. */
const STAGE_OF: Readonly<Record<OperationStatus, Stage | Partial<Record<Stage, Stage>>>> = {
  Sent: 'none',
  Accepted: 'claimed',
  Funding: 'claimed',
  Funded: 'funded',
  InTransit: 'funded',
  ReadyForPickup: 'funded',
  Completed: 'paidOut',
  OnHold: {},
  Failed: UNPAID_END,
  Rejected: UNPAID_END,
  Cancelled: UNPAID_END,
};

/** The amounts of an operation, of which postings are made. */
type Amount = 'amount' | 'senderAmount' | 'tenantFee' | 'recipientAmount';

/** An account, the amount in it, and its side. */
type Row = readonly [JournalLine['account'], Amount, 'debit' | 'credit'];

const EXCHANGED: readonly Row[] = [
  ['PROVIDER_CLEARING', 'amount', 'debit'],
  ['FEE_INCOME', 'tenantFee', 'credit'],
  ['FX_POSITION', 'senderAmount', 'credit'],
  ['FX_POSITION', 'recipientAmount', 'debit'],
];

/**
 * The posting rules: what an operation of each stage has in the accounts in all. A change of status posts the difference between
 * two stages, so that whatever path an operation takes, its entries add up to its stage. `amount` = `senderAmount` + `tenantFee`
 * is in the sender's currency, `recipientAmount` in the recipient's.
 */
const POSITION_OF: Readonly<Record<Stage, readonly Row[]>> = {
  none: [],
  claimed: [
    ['PAYER_RECEIVABLE', 'amount', 'debit'],
    ['PARTNER_PAYABLE', 'amount', 'credit'],
  ],
  funded: [...EXCHANGED, ['PARTNER_PAYABLE', 'recipientAmount', 'credit']],
  paidOut: [...EXCHANGED, ['PROVIDER_CLEARING', 'recipientAmount', 'credit']],
  refundable: [
    ['PROVIDER_CLEARING', 'amount', 'debit'],
    ['PAYER_RECEIVABLE', 'amount', 'credit'],
  ],
};

const KIND_OF: Readonly<Record<Stage, EntryKind>> = {
  none: 'RELEASE',
  claimed: 'CLAIM',
  funded: 'FUNDING',
  paidOut: 'PAYOUT',
  refundable: 'REFUND',
};

/** The price of an operation. Without one there is no money to post. */
type Priced = Pick<
  OperationDocument,
  'recipientAmount' | 'recipientCurrency' | 'amount' | 'senderAmount' | 'tenantFee' | 'senderCurrency'
>;

/** The entry for one move of an operation. */
interface Posting {
  readonly version: number;
  readonly kind: EntryKind;
  readonly lines: readonly JournalLine[];
}

/**
 * The entries for moves of an operation: one for each move to another stage.
 * @param before the statuses from its creation up to the first move, of which the last ones decide; none for a new operation
 */
export function postingsOf(
  operation: Priced,
  before: readonly OperationStatus[],
  moves: readonly { readonly to: OperationStatus; readonly version: number }[],
): Posting[] {
  let stage = before.reduce(stageAfter, 'none');
  return moves.flatMap(({ to, version }) => {
    const from = stage;
    stage = stageAfter(from, to);
    const lines = sumLines([...positionOf(operation, stage), ...reverse(positionOf(operation, from))]);
    return lines.length === 0 ? [] : [{ version, kind: KIND_OF[stage], lines }];
  });
}

function stageAfter(stage: Stage, status: OperationStatus): Stage {
  const next = STAGE_OF[status];
  return typeof next === 'string' ? next : (next[stage] ?? stage);
}

function positionOf(operation: Priced, stage: Stage): JournalLine[] {
  const { recipientCurrency, senderCurrency, recipientAmount, senderAmount, tenantFee, amount } = operation;
  if (
    senderCurrency === undefined ||
    senderAmount === undefined ||
    tenantFee === undefined ||
    amount === undefined
  ) {
    return [];
  }
  const amounts = { recipientAmount, senderAmount, tenantFee, amount };
  return POSITION_OF[stage].flatMap(([account, of, side]) => {
    const currency = of === 'recipientAmount' ? recipientCurrency : senderCurrency;
    const line = { account, currency, amount: amounts[of] };
    return side === 'debit' ? [line] : reverse([line]);
  });
}
