import { Field, ID, InputType } from 'type-graphql';
import { graphqlError } from '../../graph/authorize.ts';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import { MoneyWhereInput, toMoneyFilter } from '../../graph/money-filter.ts';
import type { SortField } from '../../graph/paginate.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { stuckBefore } from '../lifecycle.ts';
import type { RemittanceListing } from '../store/remittance-repository.ts';
import { RemittanceStatus } from './remittance.type.ts';

@InputType({ description: 'Filter of remittances. A remittance must match all given conditions.' })
export class RemittanceWhereInput extends MoneyWhereInput {
  @Field(() => [RemittanceStatus], { nullable: true, description: 'Only records in one of these statuses.' })
  status?: RemittanceStatus[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Only remittances that have been in their phase for over 30 seconds, or, with false, only others.',
  })
  isStuck?: boolean | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only remittances that were accepted in this time range. Requires the order CREATED_AT.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => ID, { nullable: true, description: 'Only records of this user.' })
  userId?: string | null;
}

const MONEY_PATHS = {
  amount: 'quote.recipientAmount',
  currency: 'quote.recipientCurrency',
  sourceCountry: 'countries.sourceCountry',
  destinationCountry: 'countries.destinationCountry',
};

const RemittanceSortField = textEnum<SortField>(
  'RemittanceSortField',
  'Key by which a list of remittances is ordered.',
  {
    createdAt: 'When it was accepted.',
    updatedAt: 'When it last changed.',
  },
);

@InputType({ description: 'The order of a list of remittances.' })
export class RemittanceSortInput {
  @Field(() => RemittanceSortField, { description: 'Field to order by.' })
  field!: SortField;

  @Field(() => SortDirection, { nullable: true, description: 'Direction of the order; DESC when absent.' })
  direction?: SortDirection | null;
}

/**
 * @throws GraphQLError BAD_USER_INPUT for a range of one time with an order by the other, and for a filter over too many
 * documents: no index serves these
 */
export function toListing(
  where: RemittanceWhereInput | null | undefined,
  sortBy: RemittanceSortInput | null | undefined,
  now: Date,
): RemittanceListing {
  const createdAt = toTimeCondition(where?.createdAt);
  const field = sortBy?.field ?? 'createdAt';
  if (createdAt !== undefined && field !== 'createdAt') {
    throw graphqlError('BAD_USER_INPUT', 'where.createdAt is for lists in order of CREATED_AT.');
  }
  const { status, isStuck, userId } = where ?? {};
  const narrowing = { createdAt: where?.createdAt, selective: { userId } };
  return {
    filter: {
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(status == null ? {} : { status: { $in: [...new Set(status)] } }),
      ...(isStuck == null ? {} : stuckCondition(isStuck, now)),
      ...(userId == null ? {} : { userId }),
      ...toMoneyFilter(where, MONEY_PATHS, narrowing),
    },
    order: { field, direction: sortBy?.direction ?? SortDirection.DESC },
  };
}

/** Added beside a condition on the status; if they contradict, nothing matches. */
function stuckCondition(isStuck: boolean, now: Date): RemittanceListing['filter'] {
  const stuck = { status: 'IN_PROGRESS' as const, phaseSince: { $lt: stuckBefore(now) } };
  return isStuck ? { $and: [stuck] } : { $nor: [stuck] };
}
