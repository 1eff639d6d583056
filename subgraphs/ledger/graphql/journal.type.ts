import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { TimeRangeInput } from '../../graph/listing.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CurrencyCodeScalar, DateTimeScalar, DecimalScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { CHART, ENTRY_KINDS, type EntryKind, type LedgerAccount } from '../chart.ts';
import type { EntryDocument, HeadDocument } from '../store/model.ts';

export const LedgerAccountEnum = textEnum('LedgerAccount', 'Account of the chart of accounts.', CHART);
export const JournalEntryKind = textEnum(
  'JournalEntryKind',
  'Event that a journal entry records.',
  ENTRY_KINDS,
);

@ObjectType({ description: 'An amount in a ledger account and a currency.' })
class JournalLine {
  @Field(() => LedgerAccountEnum, { description: 'The ledger account.' })
  account!: LedgerAccount;

  @Field(() => CurrencyCodeScalar, { description: 'The currency of the amount.' })
  currency!: string;

  @Field(() => DecimalScalar, { description: 'The amount: a debit is above 0, a credit below.' })
  amount!: string;
}

@ObjectType({
  description:
    'An entry of the journal: the amounts that one status change of an operation moved. In each currency they add up to 0. An entry never changes.',
})
@RequiresScopes('partner')
export class JournalEntry {
  @Field(() => ID, { description: 'Id of the entry.' })
  id!: string;

  @Field(() => JournalEntryKind, { description: 'Event that the entry records.' })
  kind!: EntryKind;

  @Field(() => ID, { description: 'Id of the operation.' })
  operationId!: string;

  @Field(() => Int, {
    description:
      "Version of the operation after the change, counted from 1: the change's place in its history.",
  })
  operationVersion!: number;

  @Field(() => [JournalLine], { description: 'Amounts of the entry.' })
  lines!: readonly JournalLine[];

  @Field(() => DateTimeScalar, { description: 'When the operation changed.' })
  createdAt!: Date;

  @Field(() => Int, {
    nullable: true,
    description:
      "Place of the entry in the partner's journal, counted from 1; null until the entry is sealed.",
  })
  number!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the entry counts: `createdAt`, or if that is later the `bookedAt` of the entry before it or the end of a day whose statement was issued; null until the entry is sealed.',
  })
  bookedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the entry and the hash before it, in hexadecimal; null until the entry is sealed.',
  })
  hash!: string | null;
}

export const JournalEntryConnection = connectionType(JournalEntry, 'JournalEntry');
export type JournalEntryConnection = InstanceType<typeof JournalEntryConnection>;

@InputType({ description: 'Filter of journal entries. An entry must match all given conditions.' })
export class JournalWhereInput {
  @Field(() => ID, { nullable: true, description: 'Only entries of this operation.' })
  operationId?: string | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only entries whose operation changed in this time range.',
  })
  createdAt?: TimeRangeInput | null;
}

@ObjectType({ description: 'Balances of the ledger accounts.' })
@RequiresScopes('partner')
export class LedgerBalances {
  @Field(() => Int, {
    description: 'Number of entries that are sealed: the balances are those after the last one.',
  })
  entries!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The `bookedAt` of the last sealed entry, or the end of the last day with a statement if that is later; null without any entry.',
  })
  asOf!: Date | null;

  @Field(() => [JournalLine], {
    description: 'Balance of each ledger account in each currency; balances of 0 are left out.',
  })
  balances!: readonly JournalLine[];
}

export function toJournalEntry(entry: EntryDocument): JournalEntry {
  const { _id: id, kind, entityId: operationId, version: operationVersion, lines, createdAt } = entry;
  const { number = null, bookedAt = null, hash = null } = entry;
  return Object.assign(new JournalEntry(), {
    ...{ id, kind, operationId, operationVersion, lines, createdAt, number, bookedAt, hash },
  });
}

/** @param end of the account's chain; null before its first entry is sealed */
export function toLedgerBalances(end: HeadDocument | null): LedgerBalances {
  return {
    entries: end?.number ?? 0,
    asOf: end && end.number > 0 ? end.bookedAt : null,
    balances: end?.balances ?? [],
  };
}
