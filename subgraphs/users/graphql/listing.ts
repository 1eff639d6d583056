import { Field, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import { readPhone } from '../../platform/person/phone.ts';
import type { Listing } from '../store/listing.ts';
import type { CipStatus as Status } from '../user.ts';
import { CipStatus } from './user.type.ts';

@InputType({ description: 'Users to list; all given conditions must hold.' })
export class UserWhereInput {
  @Field(() => TimeRangeInput, { nullable: true, description: 'Created in this span.' })
  createdAt?: TimeRangeInput | null;

  @Field(() => String, { nullable: true, description: "With the partner's own id: one user at most." })
  referenceId?: string | null;

  @Field(() => [CipStatus], {
    nullable: true,
    description: 'With the identity check in one of these states.',
  })
  cipStatus?: Status[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the partner blocked the user.' })
  blocked?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Registered with this phone number, E.164: one user at most.',
  })
  phoneNumber?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Registered with this email, in upper or lower case: one user at most.',
  })
  email?: string | null;
}

export enum UserSortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(UserSortField, {
  name: 'UserSortField',
  description: 'Key by which a list of users is ordered.',
  valuesConfig: { CREATED_AT: { description: 'When the user was created.' } },
});

@InputType({ description: 'The order of a list of users.' })
export class UserSortInput {
  @Field(() => UserSortField, { description: 'Key of the order.' })
  field!: UserSortField;

  @Field(() => SortDirection, { nullable: true, description: 'Which end comes first; DESC when absent.' })
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
