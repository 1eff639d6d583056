import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../platform/graphql/connection.ts';
import { Money } from '../platform/graphql/money.type.ts';
import { RequiresScopes } from '../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../platform/graphql/scalars.ts';
import type { OperationDocument } from './model.ts';

export enum OperationStatus {
  SENT = 'Sent',
  FUNDING = 'Funding',
  FUNDED = 'Funded',
  ACCEPTED = 'Accepted',
  REJECTED = 'Rejected',
  READY_FOR_PICKUP = 'ReadyForPickup',
  COMPLETED = 'Completed',
  FAILED = 'Failed',
  ON_HOLD = 'OnHold',
  IN_TRANSIT = 'InTransit',
  CANCELLED = 'Cancelled',
}
registerEnumType(OperationStatus, {
  name: 'OperationStatus',
  description: 'How far an operation is.',
  valuesConfig: {
    SENT: { description: 'The request was sent; the payer has not reacted.' },
    FUNDING: { description: 'The payer is paying.' },
    FUNDED: { description: 'The money has arrived from the payer.' },
    ACCEPTED: { description: 'The payer accepted the request.' },
    REJECTED: { description: 'The request was rejected. Final.' },
    READY_FOR_PICKUP: { description: 'The cash can be picked up.' },
    COMPLETED: { description: 'The money was paid out. Final.' },
    FAILED: { description: 'The operation failed. Final.' },
    ON_HOLD: { description: 'The operation is held for review.' },
    IN_TRANSIT: { description: 'The payout is under way.' },
    CANCELLED: { description: 'The operation was cancelled or expired. Final.' },
  },
});

@ObjectType({ description: "A partner's end user: the requester of money." })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'The userId of the REST surfaces.' })
  id!: string;
}

@ObjectType({ description: 'An ask for money by a payer link (document 2).' })
@Directive('@key(fields: "referenceId", resolvable: false)')
export class RequestMoney {
  @Field(() => String, { description: "The partner's 8-character reference of the ask." })
  referenceId!: string;
}

@ObjectType({ description: 'A movement of money that a request set off.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner', 'internal')
export class Operation {
  @Field(() => ID, {
    description: 'The operationId of the REST surfaces; of document 1, the correlation id.',
  })
  id!: string;

  @Field(() => String, { description: 'Short code for support.' })
  code!: string;

  @Field(() => String, { description: "The platform's own id of the operation." })
  platId!: string;

  @Field(() => OperationStatus, { description: 'How far the operation is.' })
  status!: OperationStatus;

  @Field(() => String, { description: 'The status in more detail.' })
  statusDetails!: string;

  @Field(() => Money, { description: 'What the recipient gets.' })
  recipient!: Money;

  @Field(() => String, {
    nullable: true,
    description: "For an operation that fulfils an ask: the partner's id of the requester (userReferenceId).",
  })
  recipientReferenceId!: string | null;

  @Field(() => User, { nullable: true, description: 'The user that asked for the money.' })
  user!: User | null;

  @Field(() => RequestMoney, {
    nullable: true,
    description: 'The ask that this operation fulfils, if it is one.',
  })
  requestMoney!: RequestMoney | null;

  @Field(() => DateTimeScalar, { description: 'When the operation was made.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it last changed.' })
  updatedAt!: Date;
}

/** The GraphQL shape of a stored operation. */
export function toOperation(stored: OperationDocument): Operation {
  return {
    id: stored.operationId,
    code: stored.code,
    platId: stored.platId,
    status: stored.status as OperationStatus,
    statusDetails: stored.statusDetails,
    recipient: { amount: stored.recipientAmount, currency: stored.recipientCurrency },
    recipientReferenceId: stored.recipientReferenceId ?? null,
    user: { id: stored.userId },
    requestMoney: stored.requestReferenceId === undefined ? null : { referenceId: stored.requestReferenceId },
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
}

@ObjectType({ description: 'A page of operations.' })
export class OperationConnection extends connectionType(Operation, 'Operation') {}
