import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import type { PaymentMethodRecord, PaymentMethodType } from '../payment-method.ts';

export const MethodType = textEnum<PaymentMethodType>('PaymentMethodType', 'How money is paid out.', {
  DebitCard: 'To a debit card.',
  CreditCard: 'To a credit card.',
  UBN: 'To a bank account, by its number.',
  CashPickup: 'In cash, to pick up.',
});
/** A payout method's type as GraphQL inputs have it: the same texts. */
export type MethodType = PaymentMethodType;

@ObjectType({ description: 'A way for a user to be paid out.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class PaymentMethod {
  @Field(() => ID, { description: 'The id of the REST surfaces.' })
  id!: string;

  @Field(() => MethodType, { description: 'How it pays out.' })
  type!: MethodType;

  @Field(() => String, {
    nullable: true,
    description:
      'For a card, a token that ends in its last four digits; for an account, its number; for cash, null.',
  })
  number!: string | null;

  @Field(() => CountryCodeScalar, { description: 'Country of the payout.' })
  country!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency of the payout.' })
  currency!: string;

  @Field(() => Boolean, { description: "Whether it is the user's first operation." })
  isPrimary!: boolean;

  @Field(() => DateTimeScalar, { description: 'When it was added.' })
  createdAt!: Date;
}

/** The GraphQL shape of a stored payout method. */
export function presentPaymentMethod({ paymentMethodId, ...method }: PaymentMethodRecord): PaymentMethod {
  return {
    id: paymentMethodId,
    type: method.type,
    number: method.number ?? null,
    country: method.country,
    currency: method.currency,
    isPrimary: method.isPrimary,
    createdAt: method.createdAt,
  };
}

@ObjectType({ description: 'A page of payout methods.' })
export class PaymentMethodConnection extends connectionType(PaymentMethod, 'PaymentMethod') {}
