import { LosslessNumber } from 'lossless-json';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { inputToBody } from '../../graph/documented-mutation.ts';
import { DecimalScalar } from '../../graph/scalars.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import { MethodType, RegisterUserInput } from '../../users/index.ts';
import { Remittance } from './remittance.type.ts';

@InputType({ description: 'The payout method for the requester.' })
class RequestMoneyFullPaymentMethodInput {
  @Field(() => MethodType, {
    description: 'Type of the payout, which determines the other required fields.',
  })
  type!: MethodType;

  @Field(() => String, {
    nullable: true,
    description: 'Number of the card or account. A card number is not stored.',
  })
  number?: string | null;

  @Field(() => String, { nullable: true, description: 'Name on the card.' })
  nameOnCard?: string | null;

  @Field(() => String, { nullable: true, description: 'Expiration date of the card, MMYY; not in the past.' })
  expirationDate?: string | null;

  @Field(() => String, { description: 'Country of the payout, ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Currency of the payout, ISO 4217; for cash, the currency of the request when absent.',
  })
  currency?: string | null;
}

@InputType({ description: 'The payer.' })
class RequestMoneyFullPayerInput {
  @Field(() => String, {
    description:
      "Phone number in E.164 format or in the national format of countryCode, with one of the partner's dial codes.",
  })
  phoneNumber!: string;

  @Field(() => String, { description: 'First names, 1 to 100 characters without digits.' })
  firstName!: string;

  @Field(() => String, { description: 'Last name, 1 to 100 characters without digits.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Email address.' })
  email?: string | null;

  @Field(() => String, { description: 'Country of the payer, ISO 3166-1 alpha-2.' })
  countryCode!: string;
}

@InputType({ description: 'The requested amount, its payout and its payer.' })
class RequestMoneyFullRequestInput {
  @Field(() => String, {
    description:
      'ISO 4217 currency of the amount. It must be the currency of the partner and of the payout method.',
  })
  recipientCurrency!: string;

  @Field(() => DecimalScalar, {
    description:
      'Amount that the requester gets: over 0 and below 1,000,000,000,000, with at most the decimals of the currency.',
  })
  recipientAmount!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the request.' })
  reason?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Quote of the same amount and corridor, unused and not expired: its price is that of the payer. Without one, the price is that of now.',
  })
  quoteId?: string | null;

  @Field(() => RequestMoneyFullPaymentMethodInput, { description: 'Payout method of the requester.' })
  destinationPaymentMethod!: RequestMoneyFullPaymentMethodInput;

  @Field(() => String, { description: 'Id that the partner gives the request, never used before.' })
  correlationId!: string;

  @Field(() => RequestMoneyFullPayerInput, { description: 'The payer.' })
  requestTo!: RequestMoneyFullPayerInput;
}

@InputType({ description: 'An atomic call, with the rules of document 1.' })
export class RequestMoneyFullInput {
  @Field(() => RegisterUserInput, {
    description:
      'The requester, who is registered unless a user of the partner already has the phone number.',
  })
  requester!: RegisterUserInput;

  @Field(() => RequestMoneyFullRequestInput, { description: 'Amount, payout and payer of the request.' })
  request!: RequestMoneyFullRequestInput;
}

/** Turns a GraphQL input into the equal body of document 1. */
export function toBody({ requester, request }: RequestMoneyFullInput): unknown {
  const { recipientAmount, ...rest } = request;
  return {
    requester: inputToBody(requester),
    request: { ...inputToBody(rest), recipientAmount: new LosslessNumber(recipientAmount) },
  };
}

@ObjectType({ description: 'The accepted atomic call, or why the mutation failed.' })
export class RequestMoneyFullPayload extends payloadType(
  'remittance',
  Remittance,
  'The accepted call, whose phases are still running; null on failure.',
) {}
