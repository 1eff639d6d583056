import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DateTimeScalar } from '../../platform/graphql/scalars.ts';
import type { PaymentMethodRecord } from '../port.ts';

export enum MethodType {
  DEBIT_CARD = 'DebitCard',
  CREDIT_CARD = 'CreditCard',
  UBN = 'UBN',
  CASH_PICKUP = 'CashPickup',
}
registerEnumType(MethodType, {
  name: 'PaymentMethodType',
  description: 'How money is paid out.',
  valuesConfig: {
    DEBIT_CARD: { description: 'To a debit card.' },
    CREDIT_CARD: { description: 'To a credit card.' },
    UBN: { description: 'To a bank account, by its number.' },
    CASH_PICKUP: { description: 'In cash, to be picked up.' },
  },
});

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
      'Of a card a token that ends in its last four digits, of an account its number; of cash null.',
  })
  number!: string | null;

  @Field(() => CountryCodeScalar, { description: 'Country that it pays out in.' })
  country!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency that it pays out in.' })
  currency!: string;

  @Field(() => Boolean, { description: "Whether it was the user's first." })
  isPrimary!: boolean;

  @Field(() => DateTimeScalar, { description: 'When it was added.' })
  createdAt!: Date;
}

/** The GraphQL shape of a stored payout method. */
export function presentPaymentMethod({ paymentMethodId, ...method }: PaymentMethodRecord): PaymentMethod {
  return {
    id: paymentMethodId,
    type: method.type as MethodType,
    number: method.number ?? null,
    country: method.country,
    currency: method.currency,
    isPrimary: method.isPrimary,
    createdAt: method.createdAt,
  };
}

@ObjectType({ description: 'A page of payout methods.' })
export class PaymentMethodConnection extends connectionType(PaymentMethod, 'PaymentMethod') {}
