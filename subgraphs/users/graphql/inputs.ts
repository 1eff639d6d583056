import { ArgsType, Field, Float, ID, InputType, ObjectType } from 'type-graphql';
import { NumberedPageArgs } from '../../graph/numbered-page.type.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import type { Gender as GenderText, Language as LanguageText } from '../user.ts';
import { Contact } from './contact.type.ts';
import { MethodType, PaymentMethod } from './payment-method.type.ts';
import { Gender, User } from './user.type.ts';

const Language = textEnum<LanguageText>('Language', 'A language of messages to users.', {
  en: 'English.',
  es: 'Spanish.',
});

@InputType({ description: 'A user to register, with the rules of RegisterUserParams in document 1.' })
export class RegisterUserInput {
  @Field(() => String, {
    description:
      'Mobile number in E.164 format, or in the national format of countryCode. No other user may have it.',
  })
  phoneNumber!: string;

  @Field(() => String, { description: 'Legal first names, 1 to 100 characters without digits.' })
  firstName!: string;

  @Field(() => String, { description: 'Primary legal last name, 1 to 100 characters without digits.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Second last name; recommended.' })
  lastName2?: string | null;

  @Field(() => String, { nullable: true, description: 'Middle name; recommended.' })
  middleName?: string | null;

  @Field(() => Gender, { nullable: true, description: 'Gender.' })
  gender?: GenderText | null;

  @Field(() => String, {
    nullable: true,
    description: 'Date of birth, YYYY-MM-DD or an ISO 8601 date-time; of 18 to 99 years of age. Recommended.',
  })
  dob?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Email address, which no other user may have; recommended.',
  })
  email?: string | null;

  @Field(() => String, { description: 'Street and number of the legal address.' })
  address1!: string;

  @Field(() => String, { nullable: true, description: 'Second line of the address.' })
  address2?: string | null;

  @Field(() => String, { nullable: true, description: 'Third line of the address.' })
  address3?: string | null;

  @Field(() => String, { nullable: true, description: 'Number in the street.' })
  streetNumber?: string | null;

  @Field(() => String, { nullable: true, description: 'Postal code.' })
  zipCode?: string | null;

  @Field(() => String, { description: 'Country of the address, ISO 3166-1 alpha-2.' })
  countryCode!: string;

  @Field(() => String, { description: 'City.' })
  city!: string;

  @Field(() => String, { description: 'State, as its ISO 3166-2 code or short name.' })
  state!: string;

  @Field(() => String, { nullable: true, description: 'State of birth, in the format of `state`.' })
  birthState?: string | null;

  @Field(() => Language, { nullable: true, description: 'Language of messages to the user.' })
  lang?: LanguageText | null;

  @Field(() => String, { nullable: true, description: 'Place details of a maps provider, as JSON text.' })
  placeDetail?: string | null;

  @Field(() => Float, { nullable: true, description: 'Latitude of the address.' })
  latitude?: number | null;

  @Field(() => Float, { nullable: true, description: 'Longitude of the address.' })
  longitude?: number | null;

  @Field(() => Float, { nullable: true, description: "Latitude of the user's location." })
  callLocationLatitude?: number | null;

  @Field(() => Float, { nullable: true, description: "Longitude of the user's location." })
  callLocationLongitude?: number | null;
}

@InputType({ description: 'A contact to create, or to update by its phone number.' })
export class CreateContactInput {
  @Field(() => ID, { description: 'Id of the user who has the contact.' })
  userId!: string;

  @Field(() => String, {
    description:
      "Phone number in E.164 format or in the national format of countryCode, with one of the partner's dial codes.",
  })
  phoneNumber!: string;

  @Field(() => String, { description: 'First names, 1 to 100 characters without digits.' })
  firstName!: string;

  @Field(() => String, { description: 'Last name, 1 to 100 characters without digits.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Email address; unchanged when absent.' })
  email?: string | null;

  @Field(() => String, { description: "The contact's country, ISO 3166-1 alpha-2." })
  countryCode!: string;
}

@InputType({ description: 'A card to pay out to.' })
export class AddCardInput {
  @Field(() => ID, { description: 'Id of the user who owns the card.' })
  userId!: string;

  @Field(() => MethodType, { description: 'DEBIT_CARD or CREDIT_CARD.' })
  type!: MethodType;

  @Field(() => String, {
    description: 'Card number, 12 to 19 digits that pass the Luhn check. It is not stored.',
  })
  number!: string;

  @Field(() => String, { description: 'Name on the card.' })
  nameOnCard!: string;

  @Field(() => String, { description: 'Expiration date, MMYY; not in the past.' })
  expirationDate!: string;

  @Field(() => String, { description: 'Country of the card, ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => String, { description: 'Currency of the card, ISO 4217.' })
  currency!: string;
}

@InputType({ description: 'A bank account to pay out to.' })
export class AddUbnInput {
  @Field(() => ID, { description: 'Id of the user who owns the account.' })
  userId!: string;

  @Field(() => String, { description: 'Number of the account; stored encrypted.' })
  number!: string;

  @Field(() => String, { description: 'Country of the account, ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => String, { description: 'Currency of the account, ISO 4217.' })
  currency!: string;
}

@InputType({ description: 'A user to block.' })
export class BlockUserInput {
  @Field(() => ID, { description: 'The user.' })
  userId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for the block, for audits; at most 500 characters.',
  })
  reason?: string | null;
}

@InputType({ description: 'A user to erase.' })
export class EraseUserInput {
  @Field(() => ID, { description: 'The user.' })
  id!: string;

  @Field(() => String, {
    description:
      'Reason for the erasure, for audits; 1 to 500 characters. It is kept: do not name the user in it.',
  })
  reason!: string;
}

@InputType({ description: 'A user to unblock.' })
export class UnblockUserInput {
  @Field(() => ID, { description: 'The user.' })
  userId!: string;
}

@ArgsType()
export class UserPageArgs extends NumberedPageArgs {
  @Field(() => String, { nullable: true, description: 'Id that the partner gave the user.' })
  referenceId?: string | null;

  @Field(() => String, { nullable: true, description: 'pending, verified or failed.' })
  cipStatus?: string | null;

  @Field(() => String, { nullable: true, description: 'true or false.' })
  blocked?: string | null;
}

@ObjectType({ description: 'The registered user, or why the mutation failed.' })
export class RegisterUserPayload extends payloadType('user', User, 'The user; null on failure.') {}

@ObjectType({ description: 'The blocked user, or why the mutation failed.' })
export class BlockUserPayload extends payloadType('user', User, 'The user; null on failure.') {}

@ObjectType({ description: 'The erased user, or why the mutation failed.' })
export class EraseUserPayload extends payloadType(
  'user',
  User,
  'The user; null on failure. `erasedAt` is null while records of the user are still being erased.',
) {}

@ObjectType({ description: 'The unblocked user, or why the mutation failed.' })
export class UnblockUserPayload extends payloadType('user', User, 'The user; null on failure.') {}

@ObjectType({ description: 'The saved contact, or why the mutation failed.' })
export class CreateContactPayload extends payloadType('contact', Contact, 'The contact; null on failure.') {}

@ObjectType({ description: 'The saved payout method, or why the mutation failed.' })
export class AddPaymentMethodPayload extends payloadType(
  'paymentMethod',
  PaymentMethod,
  'The payout method. If the user already has it, the existing one. Null on failure.',
) {}
