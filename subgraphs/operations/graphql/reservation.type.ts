import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { Money } from '../../platform/graphql/money.type.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import { toWithdrawal, Withdrawal } from '../../platform/graphql/withdrawal.type.ts';
import type { RequestStatus } from '../lifecycle.ts';
import type { ReservationDocument } from '../store/model.ts';
import { Operation, User } from './operation.type.ts';

export type ReservationStatus = RequestStatus;
export const ReservationStatus = textEnum<RequestStatus>('ReservationStatus', 'Status of a request by v2.', {
  IN_PROGRESS: 'It has not ended: sending the same request again continues it.',
  SUCCEEDED: 'The operation exists. Final.',
  FAILED: 'A provider rejected it, or it was withdrawn. Final, unless the payer turns out to have paid.',
});

@ObjectType({
  description:
    'A request by `request-money-v2`: its correlationId is reserved from before the payer is asked. While it has no operation, this is all that there is of it.',
})
@Directive('@key(fields: "correlationId")')
@RequiresScopes('partner')
export class Reservation {
  @Field(() => ID, { description: "The partner's id of the request; the operation will have it too." })
  correlationId!: string;

  @Field(() => ReservationStatus, { description: 'Its status.' })
  status!: ReservationStatus;

  @Field(() => Boolean, {
    description:
      'Whether a call of the funding provider ended without a readable answer: the payer may have been asked. It stays true. Request the money with another id only when `withdrawal` has the status CANCELLED or NOT_FOUND.',
  })
  payerMayHaveBeenAsked!: boolean;

  @Field(() => Withdrawal, {
    nullable: true,
    description: 'The withdrawal of the request from the payer; null when there was none.',
  })
  withdrawal!: Withdrawal | null;

  @Field(() => Int, { description: 'Calls of the partner that a provider gave no answer to.' })
  attempts!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why the last of these calls had no answer; null if all had one.',
  })
  lastError!: string | null;

  @Field(() => Money, { description: 'The amount that the recipient gets.' })
  recipient!: Money;

  @Field(() => User, { description: 'The requester.' })
  user!: User;

  @Field(() => Operation, { nullable: true, description: 'The operation; null until it is created.' })
  operation!: Operation | null;

  @Field(() => DateTimeScalar, { description: 'When it was reserved.' })
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

@InputType({ description: 'Requests by v2 to list; all given conditions must hold.' })
export class ReservationWhereInput {
  @Field(() => [ReservationStatus], { nullable: true, description: 'In one of these statuses.' })
  status?: ReservationStatus[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether their payer may have been asked without a readable answer.',
  })
  payerMayHaveBeenAsked?: boolean | null;
}
