import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../graph/connection.ts';
import { TimeRangeInput } from '../../../graph/listing.ts';
import { RequiresAllScopes, RequiresScopes } from '../../../graph/requires-scopes.ts';
import { CurrencyCodeScalar, DateScalar, DateTimeScalar, DecimalScalar } from '../../../graph/scalars.ts';
import { textEnum } from '../../../graph/text-enum.ts';
import { payloadType } from '../../../graph/user-error.type.ts';
import type { Discrepancy as FoundDiscrepancy } from '../discrepancies.ts';
import {
  DISCREPANCY_KINDS,
  DISCREPANCY_STATES,
  type DiscrepancyKind as Kind,
  type DiscrepancyState as State,
} from '../model.ts';

const DiscrepancyKind = textEnum('DiscrepancyKind', 'Kind of a discrepancy.', DISCREPANCY_KINDS);
const DiscrepancyState = textEnum('DiscrepancyState', 'State of a discrepancy.', DISCREPANCY_STATES);

@ObjectType({ description: 'A change of a discrepancy.' })
class DiscrepancyChange {
  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  at!: Date;

  @Field(() => String, {
    nullable: true,
    description:
      'Label of the console session, or id of the API key, that made it; null for an import that has found what was missing.',
  })
  by!: string | null;

  @Field(() => DiscrepancyState, { description: 'State after the change.' })
  state!: State;

  @Field(() => String, { nullable: true, description: 'Owner after the change; null for nobody.' })
  owner!: string | null;

  @Field(() => String, { nullable: true, description: 'Note of the change; null without one.' })
  note!: string | null;
}

@ObjectType({
  description:
    "A difference between a provider's settlement file and the partner's journal. In amounts, money that came to the provider is above 0 and a payout is below.",
})
@RequiresScopes('partner')
export class Discrepancy {
  @Field(() => ID, { description: 'Id of the discrepancy.' })
  id!: string;

  @Field(() => DiscrepancyKind, { description: 'Kind of the discrepancy.' })
  kind!: Kind;

  @Field(() => DiscrepancyState, { description: 'State of the discrepancy.' })
  state!: State;

  @Field(() => String, {
    nullable: true,
    description: 'Person or team that looks after it; null for nobody.',
  })
  owner!: string | null;

  @Field(() => String, { description: 'Name of the provider.' })
  provider!: string;

  @Field(() => String, {
    description:
      'SHA-256 of the file that has the row, in hexadecimal; for MISSING_WITH_THEM, of the file whose import opened it.',
  })
  fileId!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Line of the file on which the row ends, counted from 1; null for MISSING_WITH_THEM.',
  })
  line!: number | null;

  @Field(() => ID, {
    description: 'Id of the operation, as the file has it; for MISSING_WITH_THEM, as the journal has it.',
  })
  reference!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency of the amounts.' })
  currency!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Amount in the file; null for MISSING_WITH_THEM.',
  })
  providerAmount!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day in the file; null for MISSING_WITH_THEM.' })
  providerDay!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Amount in the journal; null for MISSING_WITH_US.',
  })
  ourAmount!: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: "Day in the journal, in the time zone of the provider's files; null for MISSING_WITH_US.",
  })
  ourDay!: string | null;

  @Field(() => Int, { description: 'Number of its changes: the `version` for resolveDiscrepancy.' })
  version!: number;

  @Field(() => [DiscrepancyChange], { description: 'Its changes, oldest first.' })
  log!: readonly DiscrepancyChange[];

  @Field(() => DateTimeScalar, { description: 'When an import opened it.' })
  createdAt!: Date;
}

export const DiscrepancyConnection = connectionType(Discrepancy, 'Discrepancy');
export type DiscrepancyConnection = InstanceType<typeof DiscrepancyConnection>;

@InputType({ description: 'Filter of discrepancies. A discrepancy must match all given conditions.' })
export class DiscrepancyWhereInput {
  @Field(() => DiscrepancyState, { nullable: true, description: 'Only discrepancies in this state.' })
  state?: State | null;

  @Field(() => DiscrepancyKind, { nullable: true, description: 'Only discrepancies of this kind.' })
  kind?: Kind | null;

  @Field(() => ID, { nullable: true, description: 'Only discrepancies with this reference.' })
  reference?: string | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only discrepancies that were opened in this time range.',
  })
  createdAt?: TimeRangeInput | null;
}

@InputType({ description: 'A decision about a discrepancy.' })
export class ResolveDiscrepancyInput {
  @Field(() => ID, { description: 'Id of the discrepancy.' })
  id!: string;

  @Field(() => Int, {
    description: 'The `version` that you have read. With another one nothing changes: DISCREPANCY_CHANGED.',
  })
  version!: number;

  @Field(() => DiscrepancyState, { description: 'The new state; it may be the same.' })
  state!: State;

  @Field(() => String, {
    nullable: true,
    description:
      'Person or team that looks after it, at most 100 characters; empty for nobody. When absent, the owner stays.',
  })
  owner?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Note for the log, at most 500 characters. Do not write personal data of users into it.',
  })
  note?: string | null;
}

@ObjectType({ description: 'The discrepancy, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_write')
export class ResolveDiscrepancyPayload extends payloadType(
  'discrepancy',
  Discrepancy,
  'The discrepancy after the change; null on failure.',
) {}

export function toDiscrepancy({ _id: id, log, ...found }: FoundDiscrepancy): Discrepancy {
  return Object.assign(new Discrepancy(), {
    ...{ line: null, providerAmount: null, providerDay: null, ourAmount: null, ourDay: null, ...found, id },
    log: log.map(({ at, ...change }) => ({ ...change, at: new Date(at) })),
  });
}
