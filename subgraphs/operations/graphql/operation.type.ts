import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { FailureCause } from '../../graph/failure-cause.type.ts';
import { Money } from '../../graph/money.type.ts';
import { numberedPageType } from '../../graph/numbered-page.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CountryCodeScalar, DateTimeScalar, DecimalScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { totalType } from '../../graph/totals.ts';
import type { OperationStatus as Status } from '../lifecycle.ts';
import type { OperationHistoryDocument, OperationRecord } from '../store/model.ts';

export type OperationStatus = Status;
export const OperationStatus = textEnum<Status>('OperationStatus', 'Status of an operation.', {
  Sent: 'The payer was asked and has not reacted yet.',
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

@ObjectType({ description: 'An end user of the partner: the requester of money.' })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'Id of the user: userId in the REST APIs.' })
  id!: string;
}

@ObjectType({ description: 'A person whom a user asks for money.' })
@Directive('@key(fields: "id", resolvable: false)')
class Contact {
  @Field(() => ID, { description: 'Id of the contact.' })
  id!: string;
}

@ObjectType({ description: 'A payment method to which a user is paid out.' })
@Directive('@key(fields: "id", resolvable: false)')
class PaymentMethod {
  @Field(() => ID, { description: 'Id of the payment method.' })
  id!: string;
}

@ObjectType({ description: 'A money request, which the payer pays by a link (document 2).' })
@Directive('@key(fields: "referenceId", resolvable: false)')
class RequestMoney {
  @Field(() => String, { description: 'Reference that the partner gave the money request; 8 characters.' })
  referenceId!: string;
}

@ObjectType({ description: 'A transfer of money that a request started.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner', 'internal')
export class Operation {
  @Field(() => ID, {
    description: 'Id of the operation: operationId, or correlationId in document 1, in the REST APIs.',
  })
  id!: string;

  @Field(() => String, { description: 'Id that the partner gave the operation; the same as id.' })
  correlationId!: string;

  @Field(() => String, { description: 'Type of the operation: `request`.' })
  type!: string;

  @Field(() => String, { description: 'Short code to give to support.' })
  code!: string;

  @Field(() => String, { description: 'Id of the operation on the platform.' })
  platId!: string;

  @Field(() => OperationStatus, { description: 'Status of the operation.' })
  status!: OperationStatus;

  @Field(() => String, { description: 'More detail on the status.' })
  statusDetails!: string;

  @Field(() => Boolean, {
    description: 'Whether the payer can cancel the operation: true only while its status is SENT.',
  })
  cancelable!: boolean;

  @Field(() => Boolean, { description: 'Whether the payer ignored the request.' })
  isIgnored!: boolean;

  @Field(() => Money, {
    nullable: true,
    description:
      'Amount that the payer pays: the sum of `sender` and `tenantFee`. Never null: an operation always has a price.',
  })
  amount!: Money | null;

  @Field(() => Money, {
    nullable: true,
    description: 'Part of `amount` that is converted into `recipient`.',
  })
  sender!: Money | null;

  @Field(() => Money, { description: 'Amount that the recipient gets.' })
  recipient!: Money;

  @Field(() => CountryCodeScalar, { description: 'Country from which the money comes.' })
  sourceCountry!: string;

  @Field(() => CountryCodeScalar, { description: 'Country to which the money goes.' })
  destinationCountry!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Exchange rate: units of the recipient's currency for one unit of the sender's.",
  })
  exchangeRate!: string | null;

  @Field(() => Money, { nullable: true, description: 'Fee of the partner, part of `amount`.' })
  tenantFee!: Money | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for the request; null if the partner gave none.',
  })
  reason!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Attribution and tracking URL; empty if none is configured for the partner.',
  })
  attributionLink!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed, was rejected or was cancelled; null if no reason was given.',
  })
  failureReason!: string | null;

  @Field(() => FailureCause, {
    nullable: true,
    description: 'Cause of its failure or rejection; null if it has not failed and was not rejected.',
  })
  failureCause!: FailureCause | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Id that the partner gave the requester (userReferenceId), for an operation that fulfils a money request; otherwise null.',
  })
  recipientReferenceId!: string | null;

  @Field(() => User, { nullable: true, description: 'User who requested the money.' })
  user!: User | null;

  @Field(() => Contact, {
    nullable: true,
    description: 'Payer, if the payer is a contact of the user; otherwise null.',
  })
  contact!: Contact | null;

  @Field(() => PaymentMethod, {
    nullable: true,
    description:
      "Payment method of the user for the payout; null if the payout uses none of the user's payment methods.",
  })
  destinationPaymentMethod!: PaymentMethod | null;

  @Field(() => RequestMoney, {
    nullable: true,
    description: 'Money request that this operation fulfils; null if there is none.',
  })
  requestMoney!: RequestMoney | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was completed; null if it was not.' })
  completedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it failed or was rejected; null if it did not.',
  })
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
    sourceCountry: stored.sourceCountry,
    destinationCountry: stored.destinationCountry,
    exchangeRate: stored.exchangeRate ?? null,
    tenantFee: sent(tenantFee),
    reason: stored.reason ?? null,
    attributionLink: stored.attributionLink ?? null,
    failureReason: stored.failureReason ?? null,
    failureCause: stored.failureCause ?? null,
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

@ObjectType({ description: "A change of an operation's status or statusDetails; the first is its creation." })
export class OperationMove {
  @Field(() => OperationStatus, {
    nullable: true,
    description: 'The status before; null for the creation.',
  })
  previousStatus!: OperationStatus | null;

  @Field(() => OperationStatus, { description: 'The status after.' })
  status!: OperationStatus;

  @Field(() => String, { description: 'More detail on the status.' })
  statusDetails!: string;

  @Field(() => DateTimeScalar, { description: 'When it changed.' })
  occurredAt!: Date;
}

/** The GraphQL shape of a stored move. */
export function toMove({ at: occurredAt, ...move }: OperationHistoryDocument): OperationMove {
  const { previousStatus, status, statusDetails } = move;
  return { previousStatus, status, statusDetails, occurredAt };
}

@ObjectType({
  description:
    "A change of an operation's status or statusDetails. The first event is its creation, without a previous status.",
})
export class OperationStatusEvent {
  @Field(() => String, {
    description:
      'Position of this event in the log. Subscribe with it as `after` to continue after this event.',
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

  @Field(() => String, { nullable: true, description: 'More detail on the status.' })
  statusDetails!: string | null;

  @Field(() => Operation, {
    nullable: true,
    description: 'The operation in its state when the event is sent.',
  })
  operation!: Operation | null;
}

export const OperationTotal = totalType('OperationTotal', 'operations', OperationStatus);
export type OperationTotal = InstanceType<typeof OperationTotal>;
