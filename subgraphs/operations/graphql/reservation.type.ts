import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { Money } from '../../graph/money.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { toWithdrawal, Withdrawal } from '../../providers/graphql/withdrawal.type.ts';
import type { RequestStatus } from '../lifecycle.ts';
import type { ReservationDocument } from '../store/model.ts';
import { Operation, User } from './operation.type.ts';

type ReservationStatus = RequestStatus;
const ReservationStatus = textEnum<RequestStatus>('ReservationStatus', 'Status of a request by v2.', {
  IN_PROGRESS: 'The request has not ended. Send the same request again to continue it.',
  SUCCEEDED: 'The operation was created. Final.',
  FAILED:
    'A provider rejected the request, or it was withdrawn. Final, unless the payer turns out to have paid.',
});

@ObjectType({
  description:
    'A request by `request-money-v2`. It reserves its correlationId before the payer is asked, and is the only record of the request until the operation is created.',
})
@Directive('@key(fields: "correlationId")')
@RequiresScopes('partner')
export class Reservation {
  @Field(() => ID, { description: 'Id that the partner gave the request; the operation has the same id.' })
  correlationId!: string;

  @Field(() => ReservationStatus, { description: 'Current status.' })
  status!: ReservationStatus;

  @Field(() => Boolean, {
    description:
      'Whether a call to the funding provider ended without a readable answer, so that the payer may have been asked. Once true, it stays true. Request the money with another id only when `withdrawal` has the status CANCELLED or NOT_FOUND.',
  })
  payerMayHaveBeenAsked!: boolean;

  @Field(() => Withdrawal, {
    nullable: true,
    description: 'Withdrawal of the request from the payer; null if there is none.',
  })
  withdrawal!: Withdrawal | null;

  @Field(() => Int, { description: 'Number of calls of the partner to which a provider gave no answer.' })
  attempts!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why the last of these calls had no answer; null if there are none.',
  })
  lastError!: string | null;

  @Field(() => Money, { description: 'Amount that the recipient gets.' })
  recipient!: Money;

  @Field(() => User, { description: 'Requester of the money.' })
  user!: User;

  @Field(() => Operation, {
    nullable: true,
    description: 'Operation of the request; null until it is created.',
  })
  operation!: Operation | null;

  @Field(() => DateTimeScalar, { description: 'When the request was received.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it last changed.' })
  updatedAt!: Date;
}

/** The GraphQL shape of a stored reservation. @param operation the operation, when it is loaded already */
export function toReservation(stored: ReservationDocument): Reservation {
  const { operationId, status, payerMayHaveBeenAsked, withdrawal, failures } = stored;
  return {
    correlationId: operationId,
    status,
    payerMayHaveBeenAsked: payerMayHaveBeenAsked ?? false,
    withdrawal: withdrawal ? toWithdrawal(withdrawal) : null,
    attempts: stored.attempts,
    lastError: failures?.at(-1)?.message ?? null,
    recipient: { amount: stored.recipientAmount, currency: stored.recipientCurrency },
    user: { id: stored.userId },
    operation: null,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
}

@ObjectType({ description: 'A page of requests by v2.' })
export class ReservationConnection extends connectionType(Reservation, 'Reservation') {}

@InputType({ description: 'Filter of requests by v2. A request must match all given conditions.' })
export class ReservationWhereInput {
  @Field(() => [ReservationStatus], { nullable: true, description: 'Only records in one of these statuses.' })
  status?: ReservationStatus[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only requests with this value of payerMayHaveBeenAsked.',
  })
  payerMayHaveBeenAsked?: boolean | null;
}
