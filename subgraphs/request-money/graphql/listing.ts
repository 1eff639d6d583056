import { Field, ID, InputType } from 'type-graphql';
import { graphqlError } from '../../graph/authorize.ts';
import { FailureCause } from '../../graph/failure-cause.type.ts';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import { MoneyWhereInput, toMoneyFilter } from '../../graph/money-filter.ts';
import type { SortField } from '../../graph/paginate.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { MoneyRequestListing } from '../store/money-request-repository.ts';
import { RequestMoneyStatus } from './request-money.type.ts';

@InputType({ description: 'Filter of money requests. A money request must match all given conditions.' })
export class RequestMoneyWhereInput extends MoneyWhereInput {
  @Field(() => [RequestMoneyStatus], {
    nullable: true,
    description: 'Only records in one of these statuses.',
  })
  status?: RequestMoneyStatus[] | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only records that were created in this time range. Requires the order CREATED_AT.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only the money request with this reference.',
  })
  referenceId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only money requests whose requester has this id from the partner.',
  })
  userReferenceId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only records of this user.' })
  userId?: string | null;

  @Field(() => [FailureCause], {
    nullable: true,
    description:
      'Only money requests that were rejected with one of these causes. Has the same requirement as `amount`.',
  })
  failureCause?: FailureCause[] | null;
}

const MONEY_PATHS = {
  amount: 'amount',
  currency: 'currency',
  sourceCountry: 'resolved.sourceCountry',
  destinationCountry: 'resolved.destinationCountry',
};

const RequestMoneySortField = textEnum<SortField>(
  'RequestMoneySortField',
  'Key by which a list of money requests is ordered.',
  {
    createdAt: 'When the money request was created.',
    updatedAt: 'When it last changed.',
  },
);

@InputType({ description: 'The order of a list of money requests.' })
export class RequestMoneySortInput {
  @Field(() => RequestMoneySortField, { description: 'Field to order by.' })
  field!: SortField;

  @Field(() => SortDirection, { nullable: true, description: 'Direction of the order; DESC when absent.' })
  direction?: SortDirection | null;
}

/**
 * @throws GraphQLError BAD_USER_INPUT for a range of one time with an order by the other, and for a filter over too many
 * documents: no index serves these
 */
export function toListing(
  where: RequestMoneyWhereInput | null | undefined,
  sortBy: RequestMoneySortInput | null | undefined,
): MoneyRequestListing {
  const createdAt = toTimeCondition(where?.createdAt);
  const field = sortBy?.field ?? 'createdAt';
  if (createdAt !== undefined && field !== 'createdAt') {
    throw graphqlError('BAD_USER_INPUT', 'where.createdAt is for lists in order of CREATED_AT.');
  }
  const { status, referenceId, userReferenceId, userId, failureCause } = where ?? {};
  const selective = { referenceId, userReferenceId, userId };
  const narrowing = { createdAt: where?.createdAt, selective, more: { failureCause } };
  return {
    filter: {
      ...(status == null ? {} : { status: { $in: [...new Set(status)] } }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(referenceId == null ? {} : { referenceId }),
      ...(userReferenceId == null ? {} : { userReferenceId }),
      ...(userId == null ? {} : { userId }),
      ...(failureCause == null ? {} : { failureCause: { $in: [...new Set(failureCause)] } }),
      ...toMoneyFilter(where, MONEY_PATHS, narrowing),
    },
    order: { field, direction: sortBy?.direction ?? SortDirection.DESC },
  };
}
