import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { MOST_TOTALS, type PeriodUnit, type Total, type TotalsDivision } from '../kernel/database/totals.ts';
import { timeZoneNamed } from '../kernel/time-zone.ts';
import { graphqlError } from './authorize.ts';
import { Money } from './money.type.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DateScalar } from './scalars.ts';
import { textEnum } from './text-enum.ts';

type Grouping = 'status' | 'currency' | 'corridor' | PeriodUnit;

const TotalsGrouping = textEnum<Grouping>('TotalsGrouping', 'Keys by which totals are grouped.', {
  status: 'By status.',
  currency: 'By currency. Each total is always of one currency; this key also fills `currency`.',
  day: 'By the day of creation.',
  week: 'By the week of creation, from Monday.',
  month: 'By the month of creation.',
  corridor: 'By source and destination country.',
});

/** The arguments of totals besides `where`. */
@ArgsType()
export class TotalsArgs {
  @Field(() => [TotalsGrouping], {
    description:
      'Keys to group by, with at most one of DAY, WEEK and MONTH. An empty list returns one total for each currency.',
  })
  groupBy!: Grouping[];

  @Field(() => String, {
    nullable: true,
    description:
      'Time zone of days, weeks and months: an IANA name such as "America/Mexico_City"; UTC when absent.',
  })
  timeZone?: string | null;
}

interface TotalFields<Status extends string> {
  status: Status | null;
  currency: string | null;
  period: string | null;
  sourceCountry: string | null;
  destinationCountry: string | null;
  count: number;
  amount: Money;
}

/**
 * The GraphQL type of totals (decisions, section 7, "Aggregates"): a field that was not divided by is null.
 * @param what the records, such as `operations`
 * @param status the enum of their statuses
 */
export function totalType<Status extends string>(
  name: string,
  what: string,
  status: Readonly<Record<string, Status>>,
): ClassType<TotalFields<Status>> {
  @ObjectType(name, {
    description: `Number and sum of a group of ${what}. Fields by which the query does not group are null.`,
  })
  class TotalOf implements TotalFields<Status> {
    @Field(() => status, { nullable: true, description: 'Status of the group.' })
    status!: Status | null;

    @Field(() => CurrencyCodeScalar, { nullable: true, description: 'Currency of the group.' })
    currency!: string | null;

    @Field(() => DateScalar, {
      nullable: true,
      description: 'First day of the period in which the records of the group were created.',
    })
    period!: string | null;

    @Field(() => CountryCodeScalar, {
      nullable: true,
      description: 'Source country of the group.',
    })
    sourceCountry!: string | null;

    @Field(() => CountryCodeScalar, {
      nullable: true,
      description: 'Destination country of the group.',
    })
    destinationCountry!: string | null;

    @Field(() => Int, { description: `Number of ${what}.` })
    count!: number;

    @Field(() => Money, { description: 'Exact sum of the amounts that the recipients get.' })
    amount!: Money;
  }
  return TotalOf;
}

/** @throws GraphQLError BAD_USER_INPUT for two kinds of periods at once, and for an unknown time zone */
export function toDivision({ groupBy, timeZone }: TotalsArgs): TotalsDivision {
  const groupings = new Set(groupBy);
  const units = (['day', 'week', 'month'] as const).filter((unit) => groupings.has(unit));
  const [unit, another] = units;
  if (another !== undefined) {
    throw graphqlError('BAD_USER_INPUT', 'groupBy takes one of DAY, WEEK and MONTH.');
  }
  const zone = readTimeZone(timeZone ?? 'UTC');
  return {
    byStatus: groupings.has('status'),
    byCorridor: groupings.has('corridor'),
    ...(unit && { byPeriod: { unit, timeZone: zone } }),
  };
}

/** @throws GraphQLError BAD_USER_INPUT for a text that is not an IANA name */
export function readTimeZone(timeZone: string): string {
  const zone = timeZoneNamed(timeZone);
  if (zone === undefined) {
    throw graphqlError('BAD_USER_INPUT', 'timeZone is not an IANA time zone, such as "America/Mexico_City".');
  }
  return zone;
}

/** @throws GraphQLError BAD_USER_INPUT when there are too many totals to show them all */
export function toTotals<Status extends string>(
  totals: readonly Total[] | undefined,
  { groupBy }: TotalsArgs,
): TotalFields<Status>[] {
  if (totals === undefined) {
    const message = `These are more than ${MOST_TOTALS} groups. Narrow where, or group by less.`;
    throw graphqlError('BAD_USER_INPUT', message);
  }
  const namesCurrency = groupBy.includes('currency');
  return totals.map(({ amount, currency, status, ...total }) => ({
    ...total,
    // The cast: documents of a collection have the statuses of its schema.
    status: status as Status | null,
    currency: namesCurrency ? currency : null,
    amount: { amount, currency },
  }));
}
