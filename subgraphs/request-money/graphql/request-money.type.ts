import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { Money } from '../../platform/graphql/money.type.ts';
import { PayoutMethod } from '../../platform/graphql/payout-method.type.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import { totalType } from '../../platform/graphql/totals.ts';
import type { MoneyRequestStatus } from '../lifecycle.ts';
import type { CreateResult } from '../store/model.ts';

export type RequestMoneyStatus = MoneyRequestStatus;
export const RequestMoneyStatus = textEnum<MoneyRequestStatus>(
  'RequestMoneyStatus',
  'Status of a money request.',
  {
    pending: 'The money request was created; the payer has not completed the payment.',
    processing: 'The payer created the fulfilling operation.',
    completed: 'The transfer settled: the money request is funded. Final.',
    rejected: 'The fulfilling operation failed. Final.',
    cancelled: 'The money request was cancelled or expired. Final.',
  },
);

@ObjectType({ description: "A partner's end user: the requester of money." })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'The userId of the REST surfaces.' })
  id!: string;
}

@ObjectType({ description: 'A transfer of money that a request started.' })
@Directive('@key(fields: "id")')
export class Operation {
  @Field(() => ID, {
    description: 'The operationId of the REST surfaces; of document 1, the correlation id.',
  })
  id!: string;
}

@ObjectType({ description: 'The effective corridor of a money request.' })
export class ResolvedCorridor {
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
    description: 'Code of the provider that pays out, if there is one.',
  })
  payerCode!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The provider's code of the state; null when the route needs none.",
  })
  stateCode!: string | null;
}

@ObjectType({ description: 'A request for money by a payer link (document 2).' })
@Directive('@key(fields: "referenceId")')
@RequiresScopes('partner', 'internal')
export class RequestMoney {
  @Field(() => ID, { description: 'The id of the REST surface: the same as referenceId.' })
  id!: string;

  @Field(() => String, { description: "The partner's 8-character reference of the money request." })
  referenceId!: string;

  @Field(() => ID, { description: "The platform's own id of the money request." })
  requestId!: string;

  @Field(() => String, { description: "The partner's own id of the requester." })
  userReferenceId!: string;

  @Field(() => Money, { description: 'The requested amount, in the currency of the destination.' })
  amount!: Money;

  @Field(() => RequestMoneyStatus, { description: 'Status of the money request.' })
  status!: RequestMoneyStatus;

  @Field(() => String, { description: 'The status in more detail.' })
  statusDetails!: string;

  @Field(() => String, {
    description: 'Messaging link; empty when the partner has no messaging configuration.',
  })
  waLink!: string;

  @Field(() => String, { description: "The partner's landing page for this money request." })
  landingLink!: string;

  @Field(() => String, { description: "Address of the payer's widget." })
  fundRequestLink!: string;

  @Field(() => ResolvedCorridor, { description: 'Source and destination of the money.' })
  resolved!: ResolvedCorridor;

  @Field(() => User, { nullable: true, description: 'The requester.' })
  user!: User | null;

  @Field(() => Operation, {
    nullable: true,
    description: 'The fulfilling operation; null until the payer begins.',
  })
  operation!: Operation | null;

  @Field(() => DateTimeScalar, { description: 'When the money request was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it last changed.' })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it will be cancelled, unless the payer has begun.' })
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
    createdAt: moneyRequest.createdAt,
    updatedAt: moneyRequest.updatedAt,
    expiresAt: moneyRequest.expiresAt,
  };
}

@ObjectType({ description: 'A page of money requests.' })
export class RequestMoneyConnection extends connectionType(RequestMoney, 'RequestMoney') {}

@ObjectType({
  description: 'A change of status of a money request; its creation is the first, with no previous status.',
})
export class RequestMoneyStatusEvent {
  @Field(() => String, {
    description: 'Position of this event: subscribe with `after` this cursor to continue after it.',
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

  @Field(() => String, { nullable: true, description: 'The status in more detail.' })
  statusDetails!: string | null;

  @Field(() => RequestMoney, {
    nullable: true,
    description: 'The money request, as it is when the event is sent.',
  })
  requestMoney!: RequestMoney | null;
}

export const RequestMoneyTotal = totalType('RequestMoneyTotal', 'money requests', RequestMoneyStatus);
export type RequestMoneyTotal = InstanceType<typeof RequestMoneyTotal>;
