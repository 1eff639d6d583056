import { Field, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import { readPhone } from '../../platform/person/phone.ts';
import type { Listing } from '../store/listing.ts';
import type { CipStatus as Status } from '../user.ts';
import { CipStatus } from './user.type.ts';

@InputType({ description: 'Which users to list; all that is given must hold.' })
export class UserWhereInput {
  @Field(() => TimeRangeInput, { nullable: true, description: 'Made in this span.' })
  createdAt?: TimeRangeInput | null;

  @Field(() => String, { nullable: true, description: "With the partner's own id: one user at most." })
  referenceId?: string | null;

  @Field(() => [CipStatus], {
    nullable: true,
    description: 'With the identity check in one of these states.',
  })
  cipStatus?: Status[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Blocked by the partner, or not.' })
  blocked?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Registered with this phone number, E.164: one user at most.',
  })
  phoneNumber?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Registered with this email, letter case aside: one user at most.',
  })
  email?: string | null;
}

export enum UserSortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(UserSortField, {
  name: 'UserSortField',
  description: 'What a list of users is ordered by.',
  valuesConfig: { CREATED_AT: { description: 'When the user was made.' } },
});

@InputType({ description: 'The order of a list of users.' })
export class UserSortInput {
  @Field(() => UserSortField, { description: 'What it is ordered by.' })
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
