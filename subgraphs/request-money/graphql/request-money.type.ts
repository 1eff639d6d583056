import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { FailureCause } from '../../graph/failure-cause.type.ts';
import { Money } from '../../graph/money.type.ts';
import { PayoutMethod } from '../../graph/payout-method.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { totalType } from '../../graph/totals.ts';
import { Operation, User } from '../../remittances/index.ts';
import type { MoneyRequestStatus } from '../lifecycle.ts';
import type { CreateResult } from '../store/model.ts';

export type RequestMoneyStatus = MoneyRequestStatus;
export const RequestMoneyStatus = textEnum<MoneyRequestStatus>(
  'RequestMoneyStatus',
  'Status of a money request.',
  {
    pending: 'The money request was created; the payer has not started to pay.',
    processing: 'The payer is paying; the fulfilling operation exists.',
    completed: 'The transfer settled, and the money request is funded. Final.',
    rejected: 'The payment failed or was rejected. Final.',
    cancelled: 'The money request was cancelled or expired. Final.',
  },
);

@ObjectType({ description: 'Effective corridor of a money request.' })
class ResolvedCorridor {
  @Field(() => CountryCodeScalar, { description: 'Country of the payer.' })
  sourceCountry!: string;

  @Field(() => CountryCodeScalar, { description: 'Country in which the requester is paid.' })
  destinationCountry!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency of the payer.' })
  sourceCurrency!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency in which the requester is paid.' })
  destinationCurrency!: string;

  @Field(() => PayoutMethod, { description: 'How the requester is paid out.' })
  payoutType!: PayoutMethod;

  @Field(() => String, {
    nullable: true,
    description: 'Code of the provider that pays out; null if there is none.',
  })
  payerCode!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The provider's code of the state; null if the route needs none.",
  })
  stateCode!: string | null;
}

@ObjectType({ description: 'A money request, which the payer pays by a link (document 2).' })
@Directive('@key(fields: "referenceId")')
@RequiresScopes('partner', 'internal')
export class RequestMoney {
  @Field(() => ID, { description: 'Id of the money request; the same as referenceId.' })
  id!: string;

  @Field(() => String, { description: 'Reference that the partner gave the money request; 8 characters.' })
  referenceId!: string;

  @Field(() => ID, { description: 'Id of the money request on the platform.' })
  requestId!: string;

  @Field(() => String, { description: 'Id that the partner gave the requester.' })
  userReferenceId!: string;

  @Field(() => Money, { description: 'Requested amount, in the currency in which the requester is paid.' })
  amount!: Money;

  @Field(() => RequestMoneyStatus, { description: 'Status of the money request.' })
  status!: RequestMoneyStatus;

  @Field(() => String, { description: 'More detail on the status.' })
  statusDetails!: string;

  @Field(() => String, {
    description: 'Messaging link; empty if no messaging is configured for the partner.',
  })
  waLink!: string;

  @Field(() => String, {
    description:
      "URL of the partner's landing page for this money request; empty if the partner has none configured.",
  })
  landingLink!: string;

  @Field(() => String, {
    description: "URL of the payer's widget; empty if the partner has no widget configured.",
  })
  fundRequestLink!: string;

  @Field(() => ResolvedCorridor, { description: 'Countries, currencies and payout of the money request.' })
  resolved!: ResolvedCorridor;

  @Field(() => User, { nullable: true, description: 'Requester of the money.' })
  user!: User | null;

  @Field(() => Operation, {
    nullable: true,
    description: 'Operation that fulfils the money request; null until the payer starts to pay.',
  })
  operation!: Operation | null;

  @Field(() => FailureCause, {
    nullable: true,
    description: 'Cause of its rejection: that of its operation, if it has one; null if it was not rejected.',
  })
  failureCause!: FailureCause | null;

  @Field(() => DateTimeScalar, { description: 'When the money request was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it last changed.' })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When the money request is cancelled if it is still PENDING.' })
  expiresAt!: Date;
}

/** The GraphQL shape of a money request. */
export function toRequestMoney(moneyRequest: CreateResult['moneyRequest']): RequestMoney {
  return {
    id: moneyRequest.referenceId,
    referenceId: moneyRequest.referenceId,
    requestId: moneyRequest.requestId,
    userReferenceId: moneyRequest.userReferenceId,
    amount: { amount: moneyRequest.amount, currency: moneyRequest.currency },
    status: moneyRequest.status,
    statusDetails: moneyRequest.statusDetails,
    waLink: moneyRequest.waLink,
    landingLink: moneyRequest.landingLink,
    fundRequestLink: moneyRequest.fundRequestLink,
    resolved: {
      ...moneyRequest.resolved,
      payoutType: moneyRequest.resolved.payoutType,
      stateCode: moneyRequest.resolved.stateCode ?? null,
    },
    user: { id: moneyRequest.userId },
    operation: moneyRequest.operationId === undefined ? null : { id: moneyRequest.operationId },
    failureCause: moneyRequest.failureCause ?? null,
    createdAt: moneyRequest.createdAt,
    updatedAt: moneyRequest.updatedAt,
    expiresAt: moneyRequest.expiresAt,
  };
}

@ObjectType({ description: 'A page of money requests.' })
export class RequestMoneyConnection extends connectionType(RequestMoney, 'RequestMoney') {}

@ObjectType({
  description:
    "A change of a money request's status or statusDetails. The first event is its creation, without a previous status.",
})
export class RequestMoneyStatusEvent {
  @Field(() => String, {
    description:
      'Position of this event in the log. Subscribe with it as `after` to continue after this event.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When the status changed.' })
  occurredAt!: Date;

  @Field(() => RequestMoneyStatus, {
    nullable: true,
    description: 'The status before; null for the creation.',
  })
  previousStatus!: RequestMoneyStatus | null;

  @Field(() => RequestMoneyStatus, { description: 'The status after.' })
  status!: RequestMoneyStatus;

  @Field(() => String, { nullable: true, description: 'More detail on the status.' })
  statusDetails!: string | null;

  @Field(() => RequestMoney, {
    nullable: true,
    description: 'The money request in its state when the event is sent.',
  })
  requestMoney!: RequestMoney | null;
}

export const RequestMoneyTotal = totalType('RequestMoneyTotal', 'money requests', RequestMoneyStatus);
export type RequestMoneyTotal = InstanceType<typeof RequestMoneyTotal>;
