import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { Money } from '../../graph/money.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar, DecimalScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { toWithdrawal, Withdrawal } from '../../providers/graphql/withdrawal.type.ts';
import { type Phase, type RemittanceStatus as Status, stuckBefore } from '../lifecycle.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { Operation, User } from './entities.ts';

export type RemittanceStatus = Status;
export const RemittanceStatus = textEnum<Status>('RemittanceStatus', 'Status of an accepted atomic call.', {
  IN_PROGRESS: 'The call was accepted, and its phases are running.',
  SUCCEEDED: 'The operation was created. Final.',
  FAILED:
    'A phase failed or was not completed in time. Final, unless the payer turns out to have paid; see `withdrawal`.',
});

export type RemittancePhase = Phase;
export const RemittancePhase = textEnum<Phase>(
  'RemittancePhase',
  'A phase of an accepted atomic call. Phases run in this order.',
  {
    CIP: 'The identity of the requester is checked.',
    CONTACT: 'The payer becomes a contact of the requester.',
    PAYMENT_METHOD: 'The payout method is verified and saved.',
    REQUEST_MONEY: 'The payer is asked for the money.',
  },
);

@ObjectType({ description: 'Error of a failed attempt.' })
export class RemittanceError {
  @Field(() => String, { description: 'Stable code, one of those of document 1. Branch on this.' })
  code!: string;

  @Field(() => String, { description: 'Reason of the failure, for people.' })
  message!: string;

  @Field(() => DateTimeScalar, { description: 'When the attempt failed.' })
  occurredAt!: Date;
}

@ObjectType({ description: 'An accepted atomic call and its progress (document 1).' })
@Directive('@key(fields: "correlationId")')
@RequiresScopes('partner')
export class Remittance {
  @Field(() => ID, { description: 'Id that the partner gave the request; the operation has the same id.' })
  correlationId!: string;

  @Field(() => RemittanceStatus, { description: 'Current status.' })
  status!: RemittanceStatus;

  @Field(() => RemittancePhase, { description: 'Current phase; after the end, the last one.' })
  phase!: RemittancePhase;

  @Field(() => Money, { description: 'Amount that the payer pays: the sum of `sender` and `tenantFee`.' })
  amount!: Money;

  @Field(() => Money, { description: 'Part of `amount` that is converted into `recipient`.' })
  sender!: Money;

  @Field(() => Money, { description: 'Amount that the recipient gets, as the call requested it.' })
  recipient!: Money;

  @Field(() => DecimalScalar, {
    description: "Exchange rate: units of the recipient's currency for one unit of the sender's.",
  })
  exchangeRate!: string;

  @Field(() => Money, { description: 'Fee of the partner, part of `amount`.' })
  tenantFee!: Money;

  @Field(() => Int, { description: 'Number of failed attempts at the current or last phase.' })
  attempts!: number;

  @Field(() => RemittanceError, {
    nullable: true,
    description: 'Error of the last failed attempt at the current or last phase; null if none failed.',
  })
  lastError!: RemittanceError | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the next attempt at the phase or the withdrawal is due. During an attempt, when it would be tried again if the process crashed. Null after the end.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => Boolean, {
    description:
      'Whether a call to the funding provider ended without a readable answer, so that the payer may have been asked. Once true, it stays true. Request the money again only when `withdrawal` has the status CANCELLED or NOT_FOUND.',
  })
  payerMayHaveBeenAsked!: boolean;

  @Field(() => Withdrawal, {
    nullable: true,
    description: 'Withdrawal of the request from the payer; null if there is none.',
  })
  withdrawal!: Withdrawal | null;

  @Field(() => Boolean, { description: 'Whether the remittance has been in its phase for over 30 seconds.' })
  isStuck!: boolean;

  @Field(() => String, {
    description: 'Attribution and tracking URL; empty if none is configured for the partner.',
  })
  attributionLink!: string;

  @Field(() => User, { description: 'Requester of the money.' })
  user!: User;

  @Field(() => Operation, {
    nullable: true,
    description: 'Operation of the request; null until it is created.',
  })
  operation!: Operation | null;

  @Field(() => DateTimeScalar, { description: 'When the call was accepted.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it last changed.' })
  updatedAt!: Date;
}

/** The GraphQL shape of a stored remittance. */
export function toRemittance(stored: RemittanceDocument, now: Date): Remittance {
  const { correlationId, status, phase, attempts, lastError, attributionLink } = stored;
  const isInProgress = status === 'IN_PROGRESS';
  return {
    correlationId,
    status,
    phase,
    ...pricesOf(stored.quote),
    attempts,
    lastError: lastError ?? null,
    nextAttemptAt: stored.isOpen ? stored.nextAttemptAt : null,
    payerMayHaveBeenAsked: stored.payerMayHaveBeenAsked ?? false,
    withdrawal: stored.withdrawal ? toWithdrawal(stored.withdrawal) : null,
    isStuck: isInProgress && stored.phaseSince < stuckBefore(now),
    attributionLink,
    user: { id: stored.userId },
    operation: status === 'SUCCEEDED' ? { id: correlationId } : null,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
}

/** The price that was set when the call was accepted. Its operation has the same. */
function pricesOf(
  quote: RemittanceDocument['quote'],
): Pick<Remittance, 'amount' | 'sender' | 'recipient' | 'exchangeRate' | 'tenantFee'> {
  const sent = (amount: string) => ({ amount, currency: quote.senderCurrency });
  return {
    amount: sent(quote.amount),
    sender: sent(quote.senderAmount),
    recipient: { amount: quote.recipientAmount, currency: quote.recipientCurrency },
    exchangeRate: quote.exchangeRate,
    tenantFee: sent(quote.tenantFee),
  };
}

@ObjectType({ description: 'A page of remittances.' })
export class RemittanceConnection extends connectionType(Remittance, 'Remittance') {}

@ObjectType({ description: 'A change of a remittance: its acceptance, a new phase, or its end.' })
export class RemittanceEvent {
  @Field(() => String, {
    description:
      'Position of this event in the log. Subscribe with it as `after` to continue after this event.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When it changed.' })
  occurredAt!: Date;

  @Field(() => RemittanceStatus, {
    nullable: true,
    description: 'The status before; null for the acceptance.',
  })
  previousStatus!: RemittanceStatus | null;

  @Field(() => RemittanceStatus, { description: 'The status after.' })
  status!: RemittanceStatus;

  @Field(() => RemittancePhase, { description: 'The phase after.' })
  phase!: RemittancePhase;

  @Field(() => Remittance, {
    nullable: true,
    description: 'The remittance in its state when the event is sent.',
  })
  remittance!: Remittance | null;
}
