import { Field, ID, InputType } from 'type-graphql';
import { graphqlError } from '../../graph/authorize.ts';
import { FailureCause } from '../../graph/failure-cause.type.ts';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import { MoneyWhereInput, toMoneyFilter } from '../../graph/money-filter.ts';
import type { SortField } from '../../graph/paginate.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { OperationListing } from '../store/operation-repository.ts';
import { OperationStatus } from './operation.type.ts';

@InputType({ description: 'Filter of operations. An operation must match all given conditions.' })
export class OperationWhereInput extends MoneyWhereInput {
  @Field(() => [OperationStatus], { nullable: true, description: 'Only records in one of these statuses.' })
  status?: OperationStatus[] | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only records that were created in this time range. Requires the order CREATED_AT.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => ID, { nullable: true, description: 'Only records of this user.' })
  userId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only operations whose requester has this id from the partner (recipientReferenceId).',
  })
  referenceId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Only operations whose payer is this contact. Requires `userId`, `referenceId`, or a `createdAt` with both ends at most 31 days apart.',
  })
  contactId?: string | null;

  @Field(() => [FailureCause], {
    nullable: true,
    description:
      'Only operations that failed or were rejected with one of these causes. Has the same requirement as `contactId`.',
  })
  failureCause?: FailureCause[] | null;
}

const MONEY_PATHS = {
  amount: 'recipientAmount',
  currency: 'recipientCurrency',
  sourceCountry: 'sourceCountry',
  destinationCountry: 'destinationCountry',
};

export const OperationSortField = textEnum<SortField>(
  'OperationSortField',
  'Key by which a list of operations is ordered.',
  {
    createdAt: 'When the operation was created.',
    updatedAt: 'When it last changed.',
  },
);

@InputType({ description: 'The order of a list of operations.' })
export class OperationSortInput {
  @Field(() => OperationSortField, { description: 'Field to order by.' })
  field!: SortField;

  @Field(() => SortDirection, { nullable: true, description: 'Direction of the order; DESC when absent.' })
  direction?: SortDirection | null;
}

/**
 * @throws GraphQLError BAD_USER_INPUT for a range of one time with an order by the other, and for a filter over too many
 * documents: no index serves these
 */
export function toListing(
  where: OperationWhereInput | null | undefined,
  sortBy: OperationSortInput | null | undefined,
): OperationListing {
  const createdAt = toTimeCondition(where?.createdAt);
  const field = sortBy?.field ?? 'createdAt';
  if (createdAt !== undefined && field !== 'createdAt') {
    throw graphqlError('BAD_USER_INPUT', 'where.createdAt is for lists in order of CREATED_AT.');
  }
  const { status, userId, referenceId, contactId, failureCause } = where ?? {};
  const narrowing = {
    createdAt: where?.createdAt,
    selective: { userId, referenceId },
    more: { contactId, failureCause },
  };
  return {
    filter: {
      ...(status == null ? {} : { status: { $in: [...new Set(status)] } }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(userId == null ? {} : { userId }),
      ...(referenceId == null ? {} : { recipientReferenceId: referenceId }),
      ...(contactId == null ? {} : { contactId }),
      ...(failureCause == null ? {} : { failureCause: { $in: [...new Set(failureCause)] } }),
      ...toMoneyFilter(where, MONEY_PATHS, narrowing),
    },
    order: { field, direction: sortBy?.direction ?? SortDirection.DESC },
  };
}
