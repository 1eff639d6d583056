import { Directive, Field, ObjectType } from 'type-graphql';
import { CurrencyCodeScalar, DecimalScalar } from './scalars.ts';

@ObjectType({ description: 'An amount of money in one currency.' })
@Directive('@shareable')
export class Money {
  @Field(() => DecimalScalar, { description: 'The amount, exact to its digits.' })
  amount!: string;

  @Field(() => CurrencyCodeScalar, { description: 'The currency of the amount.' })
  currency!: string;
}
