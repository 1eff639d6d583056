import type { QueryFilter } from 'mongoose';
import { Field, InputType, registerEnumType } from 'type-graphql';
import { graphqlError } from '../../platform/graphql/authorize.ts';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import type { Order } from '../../platform/graphql/paginate.ts';
import type { MoneyRequestDocument } from '../store/model.ts';
import { RequestMoneyStatus } from './request-money.type.ts';

@InputType({ description: 'Which asks to list; all that is given must hold.' })
export class RequestMoneyWhereInput {
  @Field(() => [RequestMoneyStatus], { nullable: true, description: 'In one of these statuses.' })
  status?: RequestMoneyStatus[] | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Made in this span. Only for lists in order of CREATED_AT.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => String, { nullable: true, description: "With the partner's reference: one ask at most." })
  referenceId?: string | null;

  @Field(() => String, { nullable: true, description: "Of the requester with the partner's own id." })
  userReferenceId?: string | null;
}

export enum RequestMoneySortField {
  CREATED_AT = 'createdAt',
  UPDATED_AT = 'updatedAt',
}
registerEnumType(RequestMoneySortField, {
  name: 'RequestMoneySortField',
  description: 'What a list of asks is ordered by.',
  valuesConfig: {
    CREATED_AT: { description: 'When the ask was made.' },
    UPDATED_AT: { description: 'When its status changed last.' },
  },
});

@InputType({ description: 'The order of a list of asks.' })
export class RequestMoneySortInput {
  @Field(() => RequestMoneySortField, { description: 'What it is ordered by.' })
  field!: RequestMoneySortField;

  @Field(() => SortDirection, { nullable: true, description: 'Which end comes first; DESC when absent.' })
  direction?: SortDirection | null;
}

/** A list of asks: which, and in what order. Each combination has an index (model.ts). */
export interface Listing {
  readonly filter: QueryFilter<MoneyRequestDocument>;
  readonly order: Order;
}

/** @throws GraphQLError BAD_USER_INPUT for a range of one time in the order of the other, which no index serves */
export function toListing(
  where: RequestMoneyWhereInput | null | undefined,
  sortBy: RequestMoneySortInput | null | undefined,
): Listing {
  const createdAt = toTimeCondition(where?.createdAt);
  const field = sortBy?.field ?? RequestMoneySortField.CREATED_AT;
  if (createdAt !== undefined && field !== RequestMoneySortField.CREATED_AT) {
    throw graphqlError('BAD_USER_INPUT', 'where.createdAt is for lists in order of CREATED_AT.');
  }
  const { status, referenceId, userReferenceId } = where ?? {};
  return {
    filter: {
      ...(status == null ? {} : { status: { $in: [...new Set(status)] } }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(referenceId == null ? {} : { referenceId }),
      ...(userReferenceId == null ? {} : { userReferenceId }),
    },
    order: { field, direction: sortBy?.direction ?? SortDirection.DESC },
  };
}
