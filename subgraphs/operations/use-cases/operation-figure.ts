import type { NewEvent } from '../../runtime/events/index.ts';
import { type OperationStatus, PARTNER_STATUS_OF } from '../lifecycle.ts';
import type { OperationDocument } from '../store/model.ts';

/** The stage in which an operation fails, by its status before. */
const STAGE_OF: Readonly<Partial<Record<OperationStatus, string>>> = {
  Sent: 'notPaid',
  Accepted: 'notPaid',
  Funding: 'payment',
  Funded: 'payout',
  InTransit: 'payout',
  ReadyForPickup: 'payout',
  OnHold: 'review',
};

/** The figure of a move of an operation. @param operation as it is behind all moves of the change */
export function figureOfMove(
  operation: Pick<
    OperationDocument,
    | 'createdAt'
    | 'updatedAt'
    | 'recipientAmount'
    | 'recipientCurrency'
    | 'sourceCountry'
    | 'destinationCountry'
  >,
  { from, to }: { from: OperationStatus | null; to: OperationStatus },
): NonNullable<NewEvent['figure']> {
  const { createdAt, updatedAt, recipientAmount: amount, recipientCurrency: currency } = operation;
  const status = PARTNER_STATUS_OF[to];
  const isOpen = status === 'pending' || status === 'processing';
  return {
    createdAt,
    money: { amount, currency },
    corridor: `${operation.sourceCountry}-${operation.destinationCountry}`,
    ...(!isOpen && { outcome: status }),
    ...(status === 'failed' && { cause: (from && STAGE_OF[from]) ?? 'notPaid' }),
    ...(status === 'completed' && { ms: Math.max(0, updatedAt.getTime() - createdAt.getTime()) }),
  };
}
