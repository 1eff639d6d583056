import { LosslessNumber } from 'lossless-json';
import { ArgsType, Directive, Field, ID, InputType, ObjectType } from 'type-graphql';
import { inputToBody } from '../../platform/graphql/documented-mutation.ts';
import { NumberedPageArgs } from '../../platform/graphql/numbered-page.type.ts';
import { DecimalScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';
import type { PaymentMethodType } from '../../users/index.ts';
import { Operation } from './operation.type.ts';

const PaymentMethodTypeEnum = textEnum<PaymentMethodType>('PaymentMethodType', 'How money is paid out.', {
  DebitCard: 'To a debit card.',
  CreditCard: 'To a credit card.',
  UBN: 'To a bank account, by its number.',
  CashPickup: 'In cash, to pick up.',
});

@InputType({ description: 'A complete payment method, to be verified and saved for the user.' })
export class RequestMoneyV2PaymentMethodInput {
  @Field(() => PaymentMethodTypeEnum, { description: 'What kind of method it is.' })
  type!: PaymentMethodType;

  @Field(() => String, { nullable: true, description: 'For a card or account; required for both.' })
  number?: string | null;

  @Field(() => String, { nullable: true, description: 'Name on the card; required for cards.' })
  nameOnCard?: string | null;

  @Field(() => String, { nullable: true, description: 'Expiration date, MMYY; required for cards.' })
  expirationDate?: string | null;

  @Field(() => String, { description: 'Country of the payout, ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Currency of the payout, ISO 4217; for cash that of the request when absent.',
  })
  currency?: string | null;
}

@InputType({
  description:
    'A request for money to create for a user; the rules are those of document 1, request-money v2.',
})
export class RequestMoneyV2Input {
  @Field(() => ID, { description: 'The user who requests money: the userToken of the REST surface.' })
  userId!: string;

  @Field(() => String, {
    description: "The payer: a phone in E.164 or national form, or the email of one of the user's contacts.",
  })
  requestTo!: string;

  @Field(() => String, {
    description: "The partner's id of the operation, never used before; reserved for this request only.",
  })
  correlationId!: string;

  @Field(() => DecimalScalar, {
    description:
      "Amount that the user gets: over 0 and below 1,000,000,000,000, at most the currency's decimals.",
  })
  recipientAmount!: string;

  @Field(() => String, {
    description: "Its currency, ISO 4217: the partner's and the payment method's.",
  })
  recipientCurrency!: string;

  @Field(() => String, { nullable: true, description: 'Why the money is requested.' })
  reason?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "One of the user's payment methods. When both are given, this one wins.",
  })
  destinationPaymentMethodId?: string | null;

  @Field(() => RequestMoneyV2PaymentMethodInput, {
    nullable: true,
    description: 'A complete payment method. One of the two is required.',
  })
  destinationPaymentMethod?: RequestMoneyV2PaymentMethodInput | null;
}

/** Turns a GraphQL input into the equal body of request-money v2. */
export function toBody({ recipientAmount, ...input }: Omit<RequestMoneyV2Input, 'userId'>): unknown {
  return { ...inputToBody(input), recipientAmount: new LosslessNumber(recipientAmount) };
}

@ArgsType()
export class OperationPageArgs extends NumberedPageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'pending, processing, completed, failed or cancelled.',
  })
  status?: string | null;

  @Field(() => String, { nullable: true, description: "The partner's own id of the user." })
  referenceId?: string | null;
}

@ObjectType({ description: 'The created operation, or why the mutation failed.' })
export class RequestMoneyV2Payload {
  @Field(() => Operation, { nullable: true, description: 'The operation; null on failure.' })
  operation!: Operation | null;

  @Field(() => [UserError], { description: 'Why it failed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The operation after a status update, or why it failed.' })
@Directive('@inaccessible')
export class UpdateOperationStatusPayload {
  @Field(() => Operation, { nullable: true, description: 'The operation as it is now; null on failure.' })
  operation!: Operation | null;

  @Field(() => [UserError], { description: 'Why it failed; empty on success.' })
  userErrors!: UserError[];
}
