import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import type { ListedVisibility, LinkStatus as Status } from '../lifecycle.ts';
import type { LinkFlow as Flow } from '../link.ts';
import type { Listing } from '../store/listing.ts';
import { LinkFlow, LinkStatus } from './link.type.ts';

const LinkVisibility = textEnum<ListedVisibility>('LinkVisibility', 'Whether a link still works.', {
  active: 'Neither expired nor revoked.',
  expired: 'It expired, and was not revoked.',
});

@InputType({ description: 'Links to list; all given conditions must hold.' })
export class LinkWhereInput {
  @Field(() => TimeRangeInput, { nullable: true, description: 'Created in this span.' })
  createdAt?: TimeRangeInput | null;

  @Field(() => LinkVisibility, { nullable: true, description: 'Active or expired ones; both when absent.' })
  visibility?: ListedVisibility | null;

  @Field(() => [LinkStatus], { nullable: true, description: 'In one of these states.' })
  status?: Status[] | null;

  @Field(() => String, { nullable: true, description: "Of the user with the partner's own id." })
  referenceId?: string | null;

  @Field(() => [LinkFlow], { nullable: true, description: 'Of one of these flows.' })
  flow?: Flow[] | null;

  @Field(() => ID, { nullable: true, description: 'Of this user.' })
  userId?: string | null;
}

export enum LinkSortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(LinkSortField, {
  name: 'LinkSortField',
  description: 'Key by which a list of links is ordered.',
  valuesConfig: { CREATED_AT: { description: 'When the link was created.' } },
});

@InputType({ description: 'The order of a list of links.' })
export class LinkSortInput {
  @Field(() => LinkSortField, { description: 'Key of the order.' })
  field!: LinkSortField;

  @Field(() => SortDirection, { nullable: true, description: 'Which end comes first; DESC when absent.' })
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
