import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { ListedVisibility, LinkStatus as Status } from '../lifecycle.ts';
import type { LinkFlow as Flow } from '../link.ts';
import type { Listing } from '../store/listing.ts';
import { LinkFlow, LinkStatus } from './link.type.ts';

const LinkVisibility = textEnum<ListedVisibility>('LinkVisibility', 'Visibility of a link in lists.', {
  active: 'Neither expired nor revoked.',
  expired: 'It expired, and was not revoked.',
});

@InputType({ description: 'Filter of links. A link must match all given conditions.' })
export class LinkWhereInput {
  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only records that were created in this time range.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => LinkVisibility, {
    nullable: true,
    description: 'Only active or only expired links. When absent, all links, including revoked ones.',
  })
  visibility?: ListedVisibility | null;

  @Field(() => [LinkStatus], { nullable: true, description: 'Only links in one of these states.' })
  status?: Status[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only links of the user to whom the partner gave this id.',
  })
  referenceId?: string | null;

  @Field(() => [LinkFlow], { nullable: true, description: 'Only links of one of these flows.' })
  flow?: Flow[] | null;

  @Field(() => ID, { nullable: true, description: 'Only records of this user.' })
  userId?: string | null;
}

enum LinkSortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(LinkSortField, {
  name: 'LinkSortField',
  description: 'Key by which a list of links is ordered.',
  valuesConfig: { CREATED_AT: { description: 'When the link was created.' } },
});

@InputType({ description: 'The order of a list of links.' })
export class LinkSortInput {
  @Field(() => LinkSortField, { description: 'Field to order by.' })
  field!: LinkSortField;

  @Field(() => SortDirection, { nullable: true, description: 'Direction of the order; DESC when absent.' })
  direction?: SortDirection | null;
}

export function toListing(
  where: LinkWhereInput | null | undefined,
  sortBy: LinkSortInput | null | undefined,
): Listing {
  return {
    filter: {
      createdAt: toTimeCondition(where?.createdAt),
      visibility: where?.visibility ?? undefined,
      status: where?.status ?? undefined,
      referenceId: where?.referenceId ?? undefined,
      flow: where?.flow ?? undefined,
      userId: where?.userId ?? undefined,
    },
    order: {
      field: sortBy?.field ?? LinkSortField.CREATED_AT,
      direction: sortBy?.direction ?? SortDirection.DESC,
    },
  };
}
