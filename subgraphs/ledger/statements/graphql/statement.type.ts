import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../graph/connection.ts';
import { TimeRangeInput } from '../../../graph/listing.ts';
import { RequiresScopes } from '../../../graph/requires-scopes.ts';
import { CurrencyCodeScalar, DateTimeScalar, DecimalScalar } from '../../../graph/scalars.ts';
import { textEnum } from '../../../graph/text-enum.ts';
import { omit } from '../../../kernel/objects.ts';
import type { EntryKind, LedgerAccount } from '../../chart.ts';
import { JournalEntryKind, LedgerAccountEnum } from '../../graphql/journal.type.ts';
import type { StatementDocument, StatementPeriod } from '../model.ts';

const StatementPeriodEnum = textEnum<StatementPeriod>(
  'StatementPeriod',
  'Length of the period of a statement.',
  {
    day: 'A day in the time zone of the partner.',
    month: 'A calendar month in the time zone of the partner.',
  },
);

@ObjectType({ description: 'An amount in a ledger account, in the currency of its statement.' })
class StatementAmount {
  @Field(() => LedgerAccountEnum, { description: 'The ledger account.' })
  account!: LedgerAccount;

  @Field(() => DecimalScalar, { description: 'The amount: a debit is above 0, a credit below.' })
  amount!: string;
}

@ObjectType({ description: 'The journal entries of one kind in the period of a statement.' })
class StatementMovement {
  @Field(() => JournalEntryKind, { description: 'Event that the entries record.' })
  kind!: EntryKind;

  @Field(() => Int, { description: 'Number of the entries that have the currency.' })
  entries!: number;

  @Field(() => [StatementAmount], {
    description: 'Sum of the entries in each ledger account; sums of 0 are left out.',
  })
  amounts!: readonly StatementAmount[];
}

@ObjectType({
  description:
    'A statement: the balances of the ledger accounts in a currency before and after a day or a month, and what changed them. An issued statement never changes. The closing balances of one are the opening balances of the next.',
})
@RequiresScopes('partner')
export class Statement {
  @Field(() => ID, { description: 'Id of the statement, such as `2026-11-20-USD`.' })
  id!: string;

  @Field(() => StatementPeriodEnum, { description: 'Length of the period.' })
  period!: StatementPeriod;

  @Field(() => String, { description: 'The day, `YYYY-MM-DD`, or the month, `YYYY-MM`.' })
  name!: string;

  @Field(() => CurrencyCodeScalar, { description: 'The currency of all amounts.' })
  currency!: string;

  @Field(() => String, { description: 'IANA name of the time zone in which the period ends.' })
  timeZone!: string;

  @Field(() => DateTimeScalar, {
    description: 'When the period began: the end of the one before it.',
  })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'The first instant after the period.' })
  to!: Date;

  @Field(() => [StatementAmount], {
    description: 'Balances when the period began; balances of 0 are left out.',
  })
  opening!: readonly StatementAmount[];

  @Field(() => [StatementMovement], { description: 'Changes of the balances by kind of entry.' })
  movements!: readonly StatementMovement[];

  @Field(() => DecimalScalar, {
    description: 'Fees of the period: the increase of the credit of `FEE_INCOME`.',
  })
  fees!: string;

  @Field(() => DecimalScalar, {
    description: 'Change of `FX_POSITION`: above 0, the currency was bought, below 0 it was sold.',
  })
  fx!: string;

  @Field(() => [StatementAmount], {
    description: 'Balances when the period ended; balances of 0 are left out.',
  })
  closing!: readonly StatementAmount[];

  @Field(() => Int, {
    description: 'Number of the last journal entry before the period; 0 if there is none.',
  })
  entriesAfter!: number;

  @Field(() => Int, {
    description: 'Number of the last journal entry in the period; `entriesAfter` if it has no entries.',
  })
  lastEntry!: number;

  @Field(() => String, {
    description: 'Hash of the journal entry with the number `entriesAfter`; zeros if there is none.',
  })
  hashBefore!: string;

  @Field(() => String, { description: 'Hash of the journal entry with the number `lastEntry`.' })
  hash!: string;

  @Field(() => DateTimeScalar, { description: 'When the statement was issued.' })
  createdAt!: Date;
}

export const StatementConnection = connectionType(Statement, 'Statement');
export type StatementConnection = InstanceType<typeof StatementConnection>;

@InputType({ description: 'Filter of statements. A statement must match all given conditions.' })
export class StatementWhereInput {
  @Field(() => StatementPeriodEnum, { nullable: true, description: 'Only statements of this length.' })
  period?: StatementPeriod | null;

  @Field(() => CurrencyCodeScalar, { nullable: true, description: 'Only statements in this currency.' })
  currency?: string | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only statements that were issued in this time range.',
  })
  createdAt?: TimeRangeInput | null;
}

export function toStatement(statement: StatementDocument): Statement {
  return Object.assign(new Statement(), omit(statement, ['_id', 'accountId']));
}
