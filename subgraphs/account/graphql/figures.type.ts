import { ArgsType, Field, Float, Int, ObjectType } from 'type-graphql';
import { FailureCause } from '../../graph/failure-cause.type.ts';
import { Money } from '../../graph/money.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CountryCodeScalar, CurrencyCodeScalar, DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { FigureEntity } from '../../runtime/events/index.ts';
import type { PeriodLength } from '../use-cases/figure-periods.ts';
import { MOST_FIGURE_DAYS, MOST_PERIODS, type FigureReport as Report } from '../use-cases/read-figures.ts';
import { MOST_CORRIDORS } from '../use-cases/sum-figures.ts';

const FigureSubject = textEnum<FigureEntity>('FigureSubject', 'Kind of record that figures count.', {
  operation: 'Operations.',
  requestMoney: 'Money requests.',
  webhookDelivery: 'Webhooks.',
});

const FigurePeriod = textEnum<PeriodLength>('FigurePeriod', 'Length of the periods of a series.', {
  hour: 'Hours.',
  day: 'Days of a time zone.',
});

/** The arguments of figures. */
@ArgsType()
export class FiguresArgs {
  @Field(() => FigureSubject, { description: 'The records to count.' })
  of!: FigureEntity;

  @Field(() => DateTimeScalar, {
    description:
      'Start of the time range in which the records were created. It is rounded down to a whole hour in UTC.',
  })
  from!: Date;

  @Field(() => DateTimeScalar, {
    description: `End of the time range, which is not part of it. It is rounded up to a whole hour in UTC. A range has at most ${MOST_FIGURE_DAYS} days.`,
  })
  to!: Date;
}

@ObjectType({ description: 'Number of records in one status.' })
@RequiresScopes('partner')
class FigureStatus {
  @Field(() => String, {
    description:
      'The status, by its name in OperationStatus, RequestMoneyStatus or WebhookDeliveryStatus. A webhook of a paused endpoint counts as PENDING.',
  })
  status!: string;

  @Field(() => Int, { description: 'Number of records.' })
  count!: number;
}

@ObjectType({ description: 'Sums of the amounts that the recipients get, in one currency.' })
@RequiresScopes('partner')
class FigureVolume {
  @Field(() => CurrencyCodeScalar, { description: 'The currency.' })
  currency!: string;

  @Field(() => Money, { description: 'Exact sum of all records.' })
  created!: Money;

  @Field(() => Money, { description: 'Exact sum of the completed records.' })
  completed!: Money;
}

@ObjectType({ description: 'Records from one country to another.' })
@RequiresScopes('partner')
class FigureCorridor {
  @Field(() => CountryCodeScalar, { description: 'Country from which the money comes.' })
  sourceCountry!: string;

  @Field(() => CountryCodeScalar, { description: 'Country to which the money goes.' })
  destinationCountry!: string;

  @Field(() => Int, { description: 'Number of all records.' })
  created!: number;

  @Field(() => Int, { description: 'Number of completed records.' })
  completed!: number;

  @Field(() => Int, { description: 'Number of failed or rejected records.' })
  failed!: number;

  @Field(() => Int, { description: 'Number of cancelled records.' })
  cancelled!: number;
}

@ObjectType({ description: 'Number of failed or rejected records with one cause.' })
@RequiresScopes('partner')
class FigureCause {
  @Field(() => FailureCause, {
    description: 'Cause of the failure, as `failureCause` of the record has it.',
  })
  cause!: FailureCause;

  @Field(() => Int, { description: 'Number of records.' })
  count!: number;
}

@ObjectType({
  description:
    'Figures of the records that were created in a time range, as these records are now. A list with the same `createdAt` has the same records, except those that were deleted since, such as webhooks after their retention.',
})
@RequiresScopes('partner')
export class Figures {
  @Field(() => DateTimeScalar, { description: 'Start of the time range.' })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'End of the time range, which is not part of it.' })
  to!: Date;

  @Field(() => Int, { description: 'Number of all records.' })
  created!: number;

  @Field(() => Int, { description: 'Number of completed records; of webhooks, those DELIVERED.' })
  completed!: number;

  @Field(() => Int, {
    description: 'Number of failed or rejected records; of webhooks, those DEAD_LETTERED.',
  })
  failed!: number;

  @Field(() => Int, { description: 'Number of cancelled records; 0 of webhooks.' })
  cancelled!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'Share of the completed records among those that are completed, failed, rejected or cancelled, 0 to 1; null if there are none.',
  })
  successRate!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Median time from creation to completion, in milliseconds; of webhooks, from creation to the first delivery, without those that were sent again before it. It comes from a histogram, and differs from the exact median by at most 9 %. Null if no record is completed.',
  })
  medianMs!: number | null;

  @Field(() => [FigureStatus], { description: 'Records by status, the most frequent status first.' })
  statuses!: FigureStatus[];

  @Field(() => [FigureVolume], { description: 'Sums by currency; empty for webhooks.' })
  volume!: FigureVolume[];

  @Field(() => [FigureCorridor], {
    description: `The ${MOST_CORRIDORS} corridors with most records, the most frequent first; empty for webhooks.`,
  })
  corridors!: FigureCorridor[];

  @Field(() => [FigureCause], {
    description: 'Failed and rejected records by cause, the most frequent first; empty for webhooks.',
  })
  causes!: FigureCause[];
}

/** The arguments of a series of figures. */
@ArgsType()
export class FigureSeriesArgs {
  @Field(() => FigurePeriod, {
    description: `Length of the periods. A series has at most ${MOST_PERIODS} periods.`,
  })
  by!: PeriodLength;

  @Field(() => String, {
    nullable: true,
    description:
      'Time zone of days: an IANA name such as "America/Mexico_City"; UTC when absent. Where its offset is not a whole hour, a day begins with the first whole hour in UTC after midnight.',
  })
  timeZone?: string | null;
}

@ObjectType({ description: 'Figures of a time range.' })
@RequiresScopes('partner')
export class FigureReport {
  @Field(() => Figures, { description: 'Figures of the whole range.' })
  total!: Figures;

  /** Not a field: the figures that were read. */
  report!: Report;
}
