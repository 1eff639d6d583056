import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { Money } from '../../platform/graphql/money.type.ts';
import { numberedPageType } from '../../platform/graphql/numbered-page.type.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar, DecimalScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import { totalType } from '../../platform/graphql/totals.ts';
import type { OperationStatus as Status } from '../lifecycle.ts';
import type { OperationHistoryDocument, OperationRecord } from '../store/model.ts';

export type OperationStatus = Status;
export const OperationStatus = textEnum<Status>('OperationStatus', 'Status of an operation.', {
  Sent: 'The request was sent; the payer has not reacted.',
  Funding: 'The payer is paying.',
  Funded: 'The money has arrived from the payer.',
  Accepted: 'The payer accepted the request.',
  Rejected: 'The request was rejected. Final.',
  ReadyForPickup: 'The cash can be picked up.',
  Completed: 'The money was paid out. Final.',
  Failed: 'The operation failed. Final.',
  OnHold: 'The operation is held for review.',
  InTransit: 'The payout is under way.',
  Cancelled: 'The operation was cancelled or expired. Final.',
});

@ObjectType({ description: "A partner's end user: the requester of money." })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'The userId of the REST surfaces.' })
  id!: string;
}

@ObjectType({ description: 'A person that a user asks for money.' })
@Directive('@key(fields: "id", resolvable: false)')
export class Contact {
  @Field(() => ID, { description: 'The id of the contact.' })
  id!: string;
}

@ObjectType({ description: 'A way for a user to be paid out.' })
@Directive('@key(fields: "id", resolvable: false)')
export class PaymentMethod {
  @Field(() => ID, { description: 'The id of the payment method.' })
  id!: string;
}

@ObjectType({ description: 'A request for money by a payer link (document 2).' })
@Directive('@key(fields: "referenceId", resolvable: false)')
export class RequestMoney {
  @Field(() => String, { description: "The partner's 8-character reference of the money request." })
  referenceId!: string;
}

@ObjectType({ description: 'A transfer of money that a request started.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner', 'internal')
export class Operation {
  @Field(() => ID, {
    description: 'The operationId of the REST surfaces; of document 1, the correlation id.',
  })
  id!: string;

  @Field(() => String, { description: "The partner's id of the operation: the same as id." })
  correlationId!: string;

  @Field(() => String, { description: 'What kind of operation it is: `request`.' })
  type!: string;

  @Field(() => String, { description: 'Short code for support.' })
  code!: string;

  @Field(() => String, { description: "The platform's own id of the operation." })
  platId!: string;

  @Field(() => OperationStatus, { description: 'Status of the operation.' })
  status!: OperationStatus;

  @Field(() => String, { description: 'The status in more detail.' })
  statusDetails!: string;

  @Field(() => Boolean, { description: 'Whether the payer can cancel: only while it is SENT.' })
  cancelable!: boolean;

  @Field(() => Boolean, { description: 'Whether the payer ignored the request.' })
  isIgnored!: boolean;

  @Field(() => Money, {
    nullable: true,
    description:
      'Amount that the payer pays: `sender` and `tenantFee`. Every operation has it: none is created without a price.',
  })
  amount!: Money | null;

  @Field(() => Money, {
    nullable: true,
    description: 'The part of `amount` that is converted into `recipient`.',
  })
  sender!: Money | null;

  @Field(() => Money, { description: 'Amount that the recipient gets.' })
  recipient!: Money;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Units of the recipient's currency for one of the sender's.",
  })
  exchangeRate!: string | null;

  @Field(() => Money, { nullable: true, description: "The partner's fee, a part of `amount`." })
  tenantFee!: Money | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the money is requested, if the partner gave a reason.',
  })
  reason!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Attribution and tracking URL; empty when the partner has none configured.',
  })
  attributionLink!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed, was rejected or cancelled, if a reason was given.',
  })
  failureReason!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "For an operation that fulfils a money request: the partner's id of the requester (userReferenceId).",
  })
  recipientReferenceId!: string | null;

  @Field(() => User, { nullable: true, description: 'The user who requested the money.' })
  user!: User | null;

  @Field(() => Contact, {
    nullable: true,
    description: 'The payer, if it is a contact of the user.',
  })
  contact!: Contact | null;

  @Field(() => PaymentMethod, {
    nullable: true,
    description: "The user's payment method for the payout, if it is one of the user's.",
  })
  destinationPaymentMethod!: PaymentMethod | null;

  @Field(() => RequestMoney, {
    nullable: true,
    description: 'The money request that this operation fulfils, if there is one.',
  })
  requestMoney!: RequestMoney | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was completed, if it was.' })
  completedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it failed or was rejected, if it was.' })
  failedAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When the operation was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it last changed.' })
  updatedAt!: Date;
}

/** The GraphQL shape of a stored operation. */
export function toOperation(stored: OperationRecord): Operation {
  const { amount, senderAmount, senderCurrency, tenantFee } = stored;
  const sent = (value: string | undefined) =>
    value === undefined || senderCurrency === undefined ? null : { amount: value, currency: senderCurrency };
  return {
    id: stored.operationId,
    correlationId: stored.operationId,
    type: stored.type,
    code: stored.code,
    platId: stored.platId,
    status: stored.status,
    statusDetails: stored.statusDetails,
    cancelable: stored.status === 'Sent',
    isIgnored: stored.isIgnored ?? false,
    amount: sent(amount),
    sender: sent(senderAmount),
    recipient: { amount: stored.recipientAmount, currency: stored.recipientCurrency },
    exchangeRate: stored.exchangeRate ?? null,
    tenantFee: sent(tenantFee),
    reason: stored.reason ?? null,
    attributionLink: stored.attributionLink ?? null,
    failureReason: stored.failureReason ?? null,
    recipientReferenceId: stored.recipientReferenceId ?? null,
    user: { id: stored.userId },
    contact: toReference(stored.contactId),
    destinationPaymentMethod: toReference(stored.paymentMethodId),
    requestMoney: stored.requestReferenceId === undefined ? null : { referenceId: stored.requestReferenceId },
    completedAt: stored.completedAt ?? null,
    failedAt: stored.failedAt ?? null,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
}

function toReference(id: string | undefined): { id: string } | null {
  return id === undefined ? null : { id };
}

@ObjectType({ description: 'A page of operations.' })
export class OperationConnection extends connectionType(Operation, 'Operation') {}

@ObjectType({ description: 'A page of operations by number.' })
@Directive('@inaccessible')
export class OperationPage extends numberedPageType(Operation, 'Operation') {}

@ObjectType({ description: 'One move of an operation from a status to the next; the first is its creation.' })
export class OperationMove {
  @Field(() => OperationStatus, {
    nullable: true,
    description: 'The status before; null for the creation.',
  })
  previousStatus!: OperationStatus | null;

  @Field(() => OperationStatus, { description: 'The status after.' })
  status!: OperationStatus;

  @Field(() => String, { description: 'The status in more detail.' })
  statusDetails!: string;

  @Field(() => DateTimeScalar, { description: 'When it moved.' })
  occurredAt!: Date;
}

/** The GraphQL shape of a stored move. */
export function toMove({ at: occurredAt, ...move }: OperationHistoryDocument): OperationMove {
  const { previousStatus, status, statusDetails } = move;
  return { previousStatus, status, statusDetails, occurredAt };
}

@ObjectType({
  description: 'A change of status of an operation; its creation is the first, with no previous status.',
})
export class OperationStatusEvent {
  @Field(() => String, {
    description: 'Position of this event: subscribe with `after` this cursor to continue after it.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When the status changed.' })
  occurredAt!: Date;

  @Field(() => OperationStatus, {
    nullable: true,
    description: 'The status before; null for the creation.',
  })
  previousStatus!: OperationStatus | null;

  @Field(() => OperationStatus, { description: 'The status after.' })
  status!: OperationStatus;

  @Field(() => String, { nullable: true, description: 'The status in more detail.' })
  statusDetails!: string | null;

  @Field(() => Operation, {
    nullable: true,
    description: 'The operation, as it is when the event is sent.',
  })
  operation!: Operation | null;
}

export const OperationTotal = totalType('OperationTotal', 'operations', OperationStatus);
export type OperationTotal = InstanceType<typeof OperationTotal>;
