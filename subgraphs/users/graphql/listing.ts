import type { QueryFilter } from 'mongoose';
import { Field, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import type { Order } from '../../platform/graphql/paginate.ts';
import { readPhone } from '../../platform/person/phone.ts';
import type { PersonKey } from '../store/keys.ts';
import type { UserDocument } from '../store/model.ts';
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
  cipStatus?: CipStatus[] | null;

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

/** A list of users: which, and in what order. Each combination has an index (model.ts). */
export interface Listing {
  readonly filter: QueryFilter<UserDocument>;
  /** What they must be registered with. */
  readonly keys: readonly PersonKey[];
  readonly order: Order;
}

export function toListing(
  where: UserWhereInput | null | undefined,
  sortBy: UserSortInput | null | undefined,
): Listing {
  const { referenceId, cipStatus, blocked, phoneNumber, email } = where ?? {};
  const createdAt = toTimeCondition(where?.createdAt);
  return {
    filter: {
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(referenceId == null ? {} : { referenceId }),
      ...(cipStatus == null ? {} : { cipStatus: { $in: [...new Set(cipStatus)] } }),
      ...(blocked == null ? {} : { blocked }),
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
