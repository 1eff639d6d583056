import { Field, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import { readPhone } from '../../kernel/person/phone.ts';
import type { Listing } from '../store/listing.ts';
import type { CipStatus as Status } from '../user.ts';
import { CipStatus } from './user.type.ts';

@InputType({ description: 'Filter of users. A user must match all given conditions.' })
export class UserWhereInput {
  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only records that were created in this time range.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => String, { nullable: true, description: 'Only the user with this id from the partner.' })
  referenceId?: string | null;

  @Field(() => [CipStatus], {
    nullable: true,
    description: 'Only users whose identity check is in one of these states.',
  })
  cipStatus?: Status[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only users that the partner blocked, or, with false, did not block.',
  })
  blocked?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only the user that is registered with this phone number, in international format.',
  })
  phoneNumber?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only the user that is registered with this email, in upper or lower case.',
  })
  email?: string | null;
}

enum UserSortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(UserSortField, {
  name: 'UserSortField',
  description: 'Key by which a list of users is ordered.',
  valuesConfig: { CREATED_AT: { description: 'When the user was created.' } },
});

@InputType({ description: 'The order of a list of users.' })
export class UserSortInput {
  @Field(() => UserSortField, { description: 'Field to order by.' })
  field!: UserSortField;

  @Field(() => SortDirection, { nullable: true, description: 'Direction of the order; DESC when absent.' })
  direction?: SortDirection | null;
}

export function toListing(
  where: UserWhereInput | null | undefined,
  sortBy: UserSortInput | null | undefined,
): Listing {
  const { phoneNumber, email } = where ?? {};
  return {
    filter: {
      createdAt: toTimeCondition(where?.createdAt),
      referenceId: where?.referenceId ?? undefined,
      cipStatus: where?.cipStatus ?? undefined,
      blocked: where?.blocked ?? undefined,
    },
    keys: [
      ...(phoneNumber == null ? [] : [{ phoneNumber: readPhone(phoneNumber)?.e164 ?? phoneNumber }]),
      ...(email == null ? [] : [{ email }]),
    ],
    order: {
      field: sortBy?.field ?? UserSortField.CREATED_AT,
      direction: sortBy?.direction ?? SortDirection.DESC,
    },
  };
}
