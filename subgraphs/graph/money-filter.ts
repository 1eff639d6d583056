import { Field, InputType } from 'type-graphql';
import { type Narrowing, requireFew } from './listing.ts';
import { LONGEST_SPAN_DAYS } from './longest-span.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DecimalScalar } from './scalars.ts';

@InputType({ description: 'A range of amounts. Either end can be left open.' })
class AmountRangeInput {
  @Field(() => DecimalScalar, { nullable: true, description: 'This amount or more.' })
  gte?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'This amount or less.' })
  lte?: string | null;
}

/** More filters of lists of money. They have no index; see {@link toMoneyFilter}. */
@InputType()
export abstract class MoneyWhereInput {
  @Field(() => AmountRangeInput, {
    nullable: true,
    description: `Only records whose recipient gets an amount in this range, in any currency. Requires \`userId\`, a filter by a reference (where there is one), or a \`createdAt\` with both ends at most ${LONGEST_SPAN_DAYS} days apart.`,
  })
  amount?: AmountRangeInput | null;

  @Field(() => CurrencyCodeScalar, {
    nullable: true,
    description: 'Only records with this currency of the recipient. Has the same requirement as `amount`.',
  })
  currency?: string | null;

  @Field(() => CountryCodeScalar, {
    nullable: true,
    description: 'Only records whose money comes from this country. Has the same requirement as `amount`.',
  })
  sourceCountry?: string | null;

  @Field(() => CountryCodeScalar, {
    nullable: true,
    description: 'Only records whose money goes to this country. Has the same requirement as `amount`.',
  })
  destinationCountry?: string | null;
}

/** The paths of the filtered fields. */
interface MoneyPaths {
  /** A decimal string. */
  readonly amount: string;
  readonly currency: string;
  readonly sourceCountry: string;
  readonly destinationCountry: string;
}

interface MoneyNarrowing extends Narrowing {
  /** More names in `where` without an index, and their values. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/**
 * The conditions of a filter by amount, currency and countries, for a query that leaves few documents without them: those of
 * at most {@link LONGEST_SPAN_DAYS} days, or those of a user.
 * @throws GraphQLError BAD_USER_INPUT where the rest of the filter leaves too many
 */
export function toMoneyFilter(
  where: MoneyWhereInput | null | undefined,
  paths: MoneyPaths,
  { more, ...narrowing }: MoneyNarrowing,
): Record<string, unknown> {
  const { amount, currency, sourceCountry, destinationCountry } = where ?? {};
  const wanted = { amount, currency, sourceCountry, destinationCountry, ...more };
  const names = Object.entries(wanted).flatMap(([name, value]) => (value == null ? [] : [name]));
  requireFew(names, narrowing);
  return {
    ...(currency == null ? {} : { [paths.currency]: currency }),
    ...(sourceCountry == null ? {} : { [paths.sourceCountry]: sourceCountry }),
    ...(destinationCountry == null ? {} : { [paths.destinationCountry]: destinationCountry }),
    ...toAmountCondition(paths.amount, amount),
  };
}

/** Amounts are stored as text, so they are compared as exact numbers. */
function toAmountCondition(
  path: string,
  range: AmountRangeInput | null | undefined,
): Record<string, unknown> {
  const stored = { $toDecimal: `$${path}` };
  const bounds = [
    ...(range?.gte == null ? [] : [{ $gte: [stored, { $toDecimal: range.gte }] }]),
    ...(range?.lte == null ? [] : [{ $lte: [stored, { $toDecimal: range.lte }] }]),
  ];
  return bounds.length === 0 ? {} : { $expr: { $and: bounds } };
}
