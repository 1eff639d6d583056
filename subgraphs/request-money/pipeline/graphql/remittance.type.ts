import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../platform/graphql/connection.ts';
import { RequiresScopes } from '../../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../../platform/graphql/scalars.ts';
import { textEnum } from '../../../platform/graphql/text-enum.ts';
import { toWithdrawal, Withdrawal } from '../../../platform/graphql/withdrawal.type.ts';
import { Operation, User } from '../../graphql/request-money.type.ts';
import { type Phase, type RemittanceStatus as Status, stuckBefore } from '../lifecycle.ts';
import type { RemittanceDocument } from '../store/model.ts';

export type RemittanceStatus = Status;
export const RemittanceStatus = textEnum<Status>('RemittanceStatus', 'Status of an accepted atomic call.', {
  IN_PROGRESS: 'It was accepted; its phases are running.',
  SUCCEEDED: 'The request was created: there is an operation. Final.',
  FAILED:
    'A phase failed, or could not be done in time. Final, unless the payer turns out to have paid: see `withdrawal`.',
});

export type RemittancePhase = Phase;
export const RemittancePhase = textEnum<Phase>(
  'RemittancePhase',
  'The steps of an accepted atomic call, in this order.',
  {
    CIP: 'The identity of the requester is checked.',
    CONTACT: 'The payer becomes a contact of the requester.',
    PAYMENT_METHOD: 'The payout method is verified and saved.',
    REQUEST_MONEY: 'The payer is asked for the money.',
  },
);

@ObjectType({ description: 'Why an attempt failed.' })
export class RemittanceError {
  @Field(() => String, { description: 'Stable code, one of those of document 1. Branch on this.' })
  code!: string;

  @Field(() => String, { description: 'What went wrong, for people.' })
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

  @Field(() => RemittancePhase, { description: 'Its current or last phase.' })
  phase!: RemittancePhase;

  @Field(() => Int, { description: 'Attempts of the phase that failed.' })
  attempts!: number;

  @Field(() => RemittanceError, {
    nullable: true,
    description: 'Why the last attempt of the phase failed; null if none failed.',
  })
  lastError!: RemittanceError | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the phase or the withdrawal is tried again, or, while it is being tried, when it would be tried again after a crash; null at the end.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => Boolean, {
    description:
      'Whether a call of the funding provider ended without a readable answer: the payer may have been asked. It stays true. Request the money again only when `withdrawal` has the status CANCELLED or NOT_FOUND.',
  })
  payerMayHaveBeenAsked!: boolean;

  @Field(() => Withdrawal, {
    nullable: true,
    description: 'Withdrawal of the request from the payer; null if there is none.',
  })
  withdrawal!: Withdrawal | null;

  @Field(() => Boolean, { description: 'Whether it has been in its phase for over 30 seconds.' })
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

@ObjectType({ description: 'A page of remittances.' })
export class RemittanceConnection extends connectionType(Remittance, 'Remittance') {}

@ObjectType({ description: 'A move of a remittance: its acceptance, a new phase, or its end.' })
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
    description: 'The remittance, as it is when the event is sent.',
  })
  remittance!: Remittance | null;
}
