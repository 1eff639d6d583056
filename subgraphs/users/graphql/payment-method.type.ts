import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { PaymentMethodRecord, PaymentMethodType } from '../payment-method.ts';
import type { UserService } from '../service.ts';
import { ownersOf } from './owners.ts';
import type { User } from './user.type.ts';

export const MethodType = textEnum<PaymentMethodType>('PaymentMethodType', 'How money is paid out.', {
  DebitCard: 'To a debit card.',
  CreditCard: 'To a credit card.',
  UBN: 'To a bank account, by its number.',
  CashPickup: 'In cash, to pick up.',
});
/** A payout method's type as GraphQL inputs have it: the same texts. */
export type MethodType = PaymentMethodType;

@ObjectType({ description: 'A payment method to which a user is paid out.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class PaymentMethod {
  @Field(() => ID, { description: 'The id of the REST surfaces.' })
  id!: string;

  @Field(() => MethodType, { description: 'Type of the payment method.' })
  type!: MethodType;

  @RequiresScopes('partner_contact')
  @Field(() => String, {
    nullable: true,
    description:
      'For a card, a token that ends in the last four digits; for a bank account, its number; for cash, null. Null if the user was erased.',
  })
  number!: string | null;

  @Field(() => CountryCodeScalar, { description: 'Country of the payout.' })
  country!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency of the payout.' })
  currency!: string;

  @Field(() => Boolean, {
    description: "Whether this is the user's primary payment method, which is the first one that was added.",
  })
  isPrimary!: boolean;

  @Field(() => DateTimeScalar, { description: 'When it was added.' })
  createdAt!: Date;

  /** Not a field: finds the user who has the method, together with those of the other methods in its list. */
  findOwner!: () => Promise<User>;
}

/** Makes the GraphQL shape of payout methods. When one of them selects its user, the users of all are read together. */
export function paymentMethodPresenter(
  methods: readonly PaymentMethodRecord[],
  users: Pick<UserService, 'findByIds'>,
  principal: Principal,
): (method: PaymentMethodRecord) => PaymentMethod {
  const ownerOf = ownersOf(methods, users, principal);
  return (method) => ({
    id: method.paymentMethodId,
    type: method.type,
    number: method.number ?? null,
    country: method.country,
    currency: method.currency,
    isPrimary: method.isPrimary,
    createdAt: method.createdAt,
    findOwner: () => ownerOf(method),
  });
}

@ObjectType({ description: 'A page of payout methods.' })
export class PaymentMethodConnection extends connectionType(PaymentMethod, 'PaymentMethod') {}
