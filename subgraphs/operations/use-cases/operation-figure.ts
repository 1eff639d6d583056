import type { NewEvent } from '../../runtime/events/index.ts';
import { type OperationStatus, PARTNER_STATUS_OF } from '../lifecycle.ts';
import type { OperationDocument } from '../store/model.ts';

/**
 * The figure of a move of an operation.
 * @param operation as it is behind all moves of the change
 * @param to the status after the move
 */
export function figureOfMove(
  operation: Pick<
    OperationDocument,
    | 'createdAt'
    | 'updatedAt'
    | 'recipientAmount'
    | 'recipientCurrency'
    | 'sourceCountry'
    | 'destinationCountry'
    | 'failureCause'
  >,
  to: OperationStatus,
): NonNullable<NewEvent['figure']> {
  const { createdAt, updatedAt, failureCause: cause } = operation;
  const { recipientAmount: amount, recipientCurrency: currency } = operation;
  const status = PARTNER_STATUS_OF[to];
  const isOpen = status === 'pending' || status === 'processing';
  return {
    createdAt,
    money: { amount, currency },
    corridor: `${operation.sourceCountry}-${operation.destinationCountry}`,
    ...(!isOpen && { outcome: status }),
    ...(status === 'failed' && cause && { cause }),
    ...(status === 'completed' && { ms: Math.max(0, updatedAt.getTime() - createdAt.getTime()) }),
  };
}
