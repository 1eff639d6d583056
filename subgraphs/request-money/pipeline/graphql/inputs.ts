import { LosslessNumber } from 'lossless-json';
import { Field, InputType, ObjectType } from 'type-graphql';
import { inputToBody } from '../../../platform/graphql/documented-mutation.ts';
import { DecimalScalar } from '../../../platform/graphql/scalars.ts';
import { UserError } from '../../../platform/graphql/user-error.type.ts';
import { MethodType, RegisterUserInput } from '../../../users/index.ts';
import { Remittance } from './remittance.type.ts';

@InputType({ description: 'The payout method for the requester.' })
export class RequestMoneyFullPaymentMethodInput {
  @Field(() => MethodType, {
    description: 'How it pays out; decides which of the other fields are required.',
  })
  type!: MethodType;

  @Field(() => String, {
    nullable: true,
    description: 'For a card or an account; a card number is not stored.',
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
    description: "Currency of the payout, ISO 4217; for cash, the request's when absent.",
  })
  currency?: string | null;
}

@InputType({ description: 'The payer.' })
export class RequestMoneyFullPayerInput {
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

@InputType({ description: 'The requested amount, and how it is paid out.' })
export class RequestMoneyFullRequestInput {
  @Field(() => String, { description: "ISO 4217; the partner's currency and the payout method's." })
  recipientCurrency!: string;

  @Field(() => DecimalScalar, {
    description:
      "Amount that the requester gets: over 0 and below 1,000,000,000,000, at most the currency's decimals.",
  })
  recipientAmount!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the request.' })
  reason?: string | null;

  @Field(() => RequestMoneyFullPaymentMethodInput, { description: 'How the requester will be paid.' })
  destinationPaymentMethod!: RequestMoneyFullPaymentMethodInput;

  @Field(() => String, { description: "The partner's id of the request: never used before." })
  correlationId!: string;

  @Field(() => RequestMoneyFullPayerInput, { description: 'The payer.' })
  requestTo!: RequestMoneyFullPayerInput;
}

@InputType({ description: 'An atomic call; the rules are those of document 1.' })
export class RequestMoneyFullInput {
  @Field(() => RegisterUserInput, {
    description: 'The requester: registered, unless a user of the partner has the phone number.',
  })
  requester!: RegisterUserInput;

  @Field(() => RequestMoneyFullRequestInput, { description: 'What is requested.' })
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

@ObjectType({ description: 'The accepted atomic call, or why it failed.' })
export class RequestMoneyFullPayload {
  @Field(() => Remittance, {
    nullable: true,
    description: 'The accepted call; its outcome comes later. Null on failure.',
  })
  remittance!: Remittance | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
