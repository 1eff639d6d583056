import type { FailureCause } from '../../graph/verdict.ts';
import type { NewEvent } from '../../runtime/events/index.ts';
import { type OperationStatus, PARTNER_STATUS_OF } from '../lifecycle.ts';
import type { OperationDocument } from '../store/model.ts';

/**
 * The figure of a move of an operation.
 * @param operation as it is behind all moves of the change
 * @param to the status after the move
 * @param cause the cause of a failure; absent for other moves
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
  >,
  to: OperationStatus,
  cause: FailureCause | undefined,
): NonNullable<NewEvent['figure']> {
  const { createdAt, updatedAt, recipientAmount: amount, recipientCurrency: currency } = operation;
  const status = PARTNER_STATUS_OF[to];
  const isOpen = status === 'pending' || status === 'processing';
  return {
    createdAt,
    money: { amount, currency },
    corridor: `${operation.sourceCountry}-${operation.destinationCountry}`,
    ...(!isOpen && { outcome: status }),
    ...(cause && { cause }),
    ...(status === 'completed' && { ms: Math.max(0, updatedAt.getTime() - createdAt.getTime()) }),
  };
}
