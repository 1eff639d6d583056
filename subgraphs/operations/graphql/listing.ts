import type { QueryFilter } from 'mongoose';
import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import { graphqlError } from '../../platform/graphql/authorize.ts';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import type { Order } from '../../platform/graphql/paginate.ts';
import type { OperationDocument } from '../store/model.ts';
import { OperationStatus } from './operation.type.ts';

@InputType({ description: 'Which operations to list; all that is given must hold.' })
export class OperationWhereInput {
  @Field(() => [OperationStatus], { nullable: true, description: 'In one of these statuses.' })
  status?: OperationStatus[] | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Made in this span. Only for lists in order of CREATED_AT.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => ID, { nullable: true, description: 'Of this user.' })
  userId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "With the partner's own id of the requester (recipientReferenceId).",
  })
  referenceId?: string | null;
}

export enum OperationSortField {
  CREATED_AT = 'createdAt',
  UPDATED_AT = 'updatedAt',
}
registerEnumType(OperationSortField, {
  name: 'OperationSortField',
  description: 'What a list of operations is ordered by.',
  valuesConfig: {
    CREATED_AT: { description: 'When the operation was made.' },
    UPDATED_AT: { description: 'When its status changed last.' },
  },
});

@InputType({ description: 'The order of a list of operations.' })
export class OperationSortInput {
  @Field(() => OperationSortField, { description: 'What it is ordered by.' })
  field!: OperationSortField;

  @Field(() => SortDirection, { nullable: true, description: 'Which end comes first; DESC when absent.' })
  direction?: SortDirection | null;
}

/** A list of operations: which, and in what order. Each filter has an index for each order (model.ts). */
export interface Listing {
  readonly filter: QueryFilter<OperationDocument>;
  readonly order?: Order;
}

/** @throws GraphQLError BAD_USER_INPUT for a range of one time in the order of the other, which no index serves */
export function toListing(
  where: OperationWhereInput | null | undefined,
  sortBy: OperationSortInput | null | undefined,
): Listing {
  const createdAt = toTimeCondition(where?.createdAt);
  const field = sortBy?.field ?? OperationSortField.CREATED_AT;
  if (createdAt !== undefined && field !== OperationSortField.CREATED_AT) {
    throw graphqlError('BAD_USER_INPUT', 'where.createdAt is for lists in order of CREATED_AT.');
  }
  const { status, userId, referenceId } = where ?? {};
  return {
    filter: {
      ...(status == null ? {} : { status: { $in: [...new Set(status)] } }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(userId == null ? {} : { userId }),
      ...(referenceId == null ? {} : { recipientReferenceId: referenceId }),
    },
    order: { field, direction: sortBy?.direction ?? SortDirection.DESC },
  };
}
