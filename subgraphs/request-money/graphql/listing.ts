import { Field, ID, InputType } from 'type-graphql';
import { graphqlError } from '../../platform/graphql/authorize.ts';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import { MoneyWhereInput, toMoneyFilter } from '../../platform/graphql/money-filter.ts';
import type { SortField } from '../../platform/graphql/paginate.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import type { MoneyRequestListing } from '../store/money-request-repository.ts';
import { RequestMoneyStatus } from './request-money.type.ts';

@InputType({ description: 'Money requests to list; all given conditions must hold.' })
export class RequestMoneyWhereInput extends MoneyWhereInput {
  @Field(() => [RequestMoneyStatus], { nullable: true, description: 'In one of these statuses.' })
  status?: RequestMoneyStatus[] | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Created in this span. Only for lists in order of CREATED_AT.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => String, {
    nullable: true,
    description: "With the partner's reference: one money request at most.",
  })
  referenceId?: string | null;

  @Field(() => String, { nullable: true, description: "Of the requester with this id of the partner's own." })
  userReferenceId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Of this user.' })
  userId?: string | null;
}

const MONEY_PATHS = {
  amount: 'amount',
  currency: 'currency',
  sourceCountry: 'resolved.sourceCountry',
  destinationCountry: 'resolved.destinationCountry',
};

export const RequestMoneySortField = textEnum<SortField>(
  'RequestMoneySortField',
  'Key by which a list of money requests is ordered.',
  {
    createdAt: 'When the money request was created.',
    updatedAt: 'When its status last changed.',
  },
);

@InputType({ description: 'The order of a list of money requests.' })
export class RequestMoneySortInput {
  @Field(() => RequestMoneySortField, { description: 'Key of the order.' })
  field!: SortField;

  @Field(() => SortDirection, { nullable: true, description: 'Which end comes first; DESC when absent.' })
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
  const { status, referenceId, userReferenceId, userId } = where ?? {};
  const selective = { referenceId, userReferenceId, userId };
  const narrowing = { createdAt: where?.createdAt, selective };
  return {
    filter: {
      ...(status == null ? {} : { status: { $in: [...new Set(status)] } }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(referenceId == null ? {} : { referenceId }),
      ...(userReferenceId == null ? {} : { userReferenceId }),
      ...(userId == null ? {} : { userId }),
      ...toMoneyFilter(where, MONEY_PATHS, narrowing),
    },
    order: { field, direction: sortBy?.direction ?? SortDirection.DESC },
  };
}
