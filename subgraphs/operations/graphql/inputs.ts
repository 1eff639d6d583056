import { LosslessNumber } from 'lossless-json';
import { ArgsType, Directive, Field, ID, InputType, ObjectType } from 'type-graphql';
import { inputToBody } from '../../graph/documented-mutation.ts';
import { NumberedPageArgs } from '../../graph/numbered-page.type.ts';
import { DecimalScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import type { PaymentMethodType } from '../../users/index.ts';
import { Operation } from './operation.type.ts';

const PaymentMethodTypeEnum = textEnum<PaymentMethodType>('PaymentMethodType', 'How money is paid out.', {
  DebitCard: 'To a debit card.',
  CreditCard: 'To a credit card.',
  UBN: 'To a bank account, by its number.',
  CashPickup: 'In cash, to pick up.',
});

@InputType({ description: 'A complete payment method, which is verified and saved for the user.' })
export class RequestMoneyV2PaymentMethodInput {
  @Field(() => PaymentMethodTypeEnum, { description: 'Type of the payment method.' })
  type!: PaymentMethodType;

  @Field(() => String, { nullable: true, description: 'Number of the card or account; required for both.' })
  number?: string | null;

  @Field(() => String, { nullable: true, description: 'Name on the card; required for cards.' })
  nameOnCard?: string | null;

  @Field(() => String, { nullable: true, description: 'Expiration date, MMYY; required for cards.' })
  expirationDate?: string | null;

  @Field(() => String, { description: 'Country of the payout, ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Currency of the payout, ISO 4217; for cash, the currency of the request when absent.',
  })
  currency?: string | null;
}

@InputType({
  description:
    'A request for money to create for a user; the rules are those of document 1, request-money v2.',
})
export class RequestMoneyV2Input {
  @Field(() => ID, { description: 'Id of the user who requests money; userToken in the REST API.' })
  userId!: string;

  @Field(() => String, {
    description:
      "Payer: a phone number in E.164 or national format, or the email of one of the user's contacts.",
  })
  requestTo!: string;

  @Field(() => String, {
    description:
      'Id that the partner gives the operation. It must be new, unless the call repeats this request to continue it.',
  })
  correlationId!: string;

  @Field(() => DecimalScalar, {
    description:
      'Amount that the user gets: over 0 and below 1,000,000,000,000, with at most the decimals of the currency.',
  })
  recipientAmount!: string;

  @Field(() => String, {
    description:
      'ISO 4217 currency of the amount. It must be the currency of the partner and of the payment method.',
  })
  recipientCurrency!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the request.' })
  reason?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Quote of the same amount and corridor, unused and not expired: its price is that of the payer. Without one, the price is that of now.',
  })
  quoteId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "Id of one of the user's payment methods. Takes precedence over destinationPaymentMethod.",
  })
  destinationPaymentMethodId?: string | null;

  @Field(() => RequestMoneyV2PaymentMethodInput, {
    nullable: true,
    description: 'Complete payment method; required without destinationPaymentMethodId.',
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

  @Field(() => String, { nullable: true, description: 'Id that the partner gave the user.' })
  referenceId?: string | null;
}

@ObjectType({ description: 'The created operation, or why the mutation failed.' })
export class RequestMoneyV2Payload extends payloadType(
  'operation',
  Operation,
  'The operation; null on failure.',
) {}

@ObjectType({ description: 'The operation after a status update, or why it failed.' })
@Directive('@inaccessible')
export class UpdateOperationStatusPayload extends payloadType(
  'operation',
  Operation,
  'The operation as it is now; null on failure.',
) {}
