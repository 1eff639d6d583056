import { LosslessNumber } from 'lossless-json';
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { inputToBody } from '../../graph/documented-mutation.ts';
import { PayoutMethod } from '../../graph/payout-method.type.ts';
import { DecimalScalar } from '../../graph/scalars.ts';
import { payloadType, UserError } from '../../graph/user-error.type.ts';
import { RequestMoney } from './request-money.type.ts';

@InputType({ description: 'Name of the requester.' })
class RequesterNameInput {
  @Field(() => String, { description: 'First legal name.' })
  firstName!: string;

  @Field(() => String, { description: 'Primary legal last name.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Second or middle name.' })
  secondName?: string | null;

  @Field(() => String, { nullable: true, description: 'Second last name.' })
  secondLastName?: string | null;
}

@InputType({ description: 'Address of the requester.' })
class RequesterAddressInput {
  @Field(() => String, { description: 'Destination country, ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => String, { nullable: true, description: 'State, as named in the route of the partner.' })
  state?: string | null;

  @Field(() => String, { nullable: true, description: 'City.' })
  city?: string | null;

  @Field(() => String, { nullable: true, description: 'Street and number.' })
  line1?: string | null;

  @Field(() => String, { nullable: true, description: 'Postal code.' })
  postalCode?: string | null;
}

@InputType({ description: 'A bank account to be paid out to.' })
class BankAccountInput {
  @Field(() => String, { description: 'Account number, 1 to 34 letters and digits; spaces are removed.' })
  accountNumber!: string;

  @Field(() => String, { nullable: true, description: 'Code of the bank.' })
  bankCode?: string | null;
}

@InputType({ description: 'A card to be paid out to.' })
class PayoutCardInput {
  @Field(() => String, {
    description: 'Card number, 12 to 19 digits that pass the Luhn check. Spaces and dashes are removed.',
  })
  number!: string;

  @Field(() => String, { nullable: true, description: 'Name on the card.' })
  nameOnCard?: string | null;

  @Field(() => String, { nullable: true, description: 'Expiration date, MMYY.' })
  expirationDate?: string | null;
}

@InputType({ description: 'Cash to pick up.' })
class CashInput {
  @Field(() => String, { description: 'Provider that pays out the cash.' })
  provider!: string;
}

@InputType({ description: 'The requester and the payout.' })
class RequestDataInput {
  @Field(() => String, { description: 'Id that the partner gave the requester.' })
  userReferenceId!: string;

  @Field(() => RequesterNameInput, { description: 'Name of the requester.' })
  name!: RequesterNameInput;

  @Field(() => RequesterAddressInput, { description: 'Address of the requester.' })
  address!: RequesterAddressInput;

  @Field(() => String, { nullable: true, description: 'Date of birth, YYYY-MM-DD; recommended.' })
  dob?: string | null;

  @Field(() => PayoutMethod, { description: 'Type of the payout. The object of the same name is required.' })
  payoutMethod!: PayoutMethod;

  @Field(() => BankAccountInput, { nullable: true, description: 'Bank account; required for BANK_ACCOUNT.' })
  bankAccount?: BankAccountInput | null;

  @Field(() => PayoutCardInput, { nullable: true, description: 'Card; required for CARD.' })
  card?: PayoutCardInput | null;

  @Field(() => CashInput, { nullable: true, description: 'Cash payout; required for CASH.' })
  cash?: CashInput | null;
}

@InputType({ description: 'A money request to create, with the rules of document 2.' })
export class CreateRequestMoneyInput {
  @Field(() => String, {
    description:
      'Reference that the partner gives the money request: exactly 8 letters or digits, never used before.',
  })
  referenceId!: string;

  @Field(() => DecimalScalar, {
    description:
      'Requested amount: over 0 and below 1,000,000,000,000, with at most the decimals of the currency.',
  })
  amount!: string;

  @Field(() => String, { description: 'Currency in which the requester is paid, ISO 4217.' })
  currency!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Life of the payer link, 1 to 43200 minutes; 10080 when absent.',
  })
  expiresInMinutes?: number | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Quote of the same amount and corridor, unused and not expired: its price is that of the payer. Without one, the price is that of the time when the payer begins to pay.',
  })
  quoteId?: string | null;

  @Field(() => RequestDataInput, { description: 'The requester and the payout.' })
  requestData!: RequestDataInput;
}

/** Turns a GraphQL input into the equal body of document 2. */
export function toBody({ amount, ...input }: CreateRequestMoneyInput): unknown {
  return { ...inputToBody(input), amount: new LosslessNumber(amount) };
}

@ObjectType({ description: 'A hint about a money request that was created.' })
class RequestMoneyWarning {
  @Field(() => String, { description: 'Stable code, such as ROUTE_NOT_OFFERABLE.' })
  code!: string;

  @Field(() => String, { description: 'The hint, for people.' })
  message!: string;
}

@ObjectType({ description: 'The created money request, or why the mutation failed.' })
export class CreateRequestMoneyPayload {
  @Field(() => RequestMoney, {
    nullable: true,
    description: 'The money request in its state when it was created; null on failure.',
  })
  requestMoney!: RequestMoney | null;

  @Field(() => Boolean, {
    description: 'Whether this is the result of an earlier call with the same idempotency key and input.',
  })
  isReplay!: boolean;

  @Field(() => [RequestMoneyWarning], { description: 'Hints about the route; empty if there are none.' })
  warnings!: RequestMoneyWarning[];

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@InputType({ description: 'A money request to cancel.' })
export class CancelRequestMoneyInput {
  @Field(() => String, { description: 'Reference that the partner gave the money request; 8 characters.' })
  referenceId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Reason, at most 200 characters. It becomes statusDetails; CancelledByPartner if it is absent or blank. Numbers of 12 and more digits are masked.',
  })
  reason?: string | null;
}

@ObjectType({ description: 'The cancelled money request, or why the mutation failed.' })
export class CancelRequestMoneyPayload extends payloadType(
  'requestMoney',
  RequestMoney,
  'The money request as it is now; null on failure.',
) {}

@ObjectType({ description: 'The money request after a status update, or why it failed.' })
@Directive('@inaccessible')
export class UpdateRequestMoneyStatusPayload extends payloadType(
  'requestMoney',
  RequestMoney,
  'The money request as it is now; null on failure.',
) {}
