import type { QueryFilter } from 'mongoose';
import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import type { Order } from '../../platform/graphql/paginate.ts';
import { LINK_STATUSES, LINK_VISIBILITIES } from '../lifecycle.ts';
import type { LinkDocument } from '../store/model.ts';
import { LinkFlow, LinkStatus } from './link.type.ts';

export enum LinkVisibility {
  ACTIVE = 'active',
  EXPIRED = 'expired',
}
registerEnumType(LinkVisibility, {
  name: 'LinkVisibility',
  description: 'Whether a link still works.',
  valuesConfig: {
    ACTIVE: { description: 'Neither expired nor revoked.' },
    EXPIRED: { description: 'Its time is over, and it was not revoked.' },
  },
});

@InputType({ description: 'Which links to list; all that is given must hold.' })
export class LinkWhereInput {
  @Field(() => TimeRangeInput, { nullable: true, description: 'Made in this span.' })
  createdAt?: TimeRangeInput | null;

  @Field(() => LinkVisibility, { nullable: true, description: 'Active or expired ones; both when absent.' })
  visibility?: LinkVisibility | null;

  @Field(() => [LinkStatus], { nullable: true, description: 'In one of these states.' })
  status?: LinkStatus[] | null;

  @Field(() => String, { nullable: true, description: "Of the user with the partner's own id." })
  referenceId?: string | null;

  @Field(() => [LinkFlow], { nullable: true, description: 'Of one of these flows.' })
  flow?: LinkFlow[] | null;

  @Field(() => ID, { nullable: true, description: 'Of this user.' })
  userId?: string | null;
}

export enum LinkSortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(LinkSortField, {
  name: 'LinkSortField',
  description: 'What a list of links is ordered by.',
  valuesConfig: { CREATED_AT: { description: 'When the link was made.' } },
});

@InputType({ description: 'The order of a list of links.' })
export class LinkSortInput {
  @Field(() => LinkSortField, { description: 'What it is ordered by.' })
  field!: LinkSortField;

  @Field(() => SortDirection, { nullable: true, description: 'Which end comes first; DESC when absent.' })
  direction?: SortDirection | null;
}

/** Which links, as they are asked for. */
export interface LinkFilter {
  readonly createdAt?: { $gt?: Date; $lt?: Date } | undefined;
  readonly visibility?: LinkVisibility | null | undefined;
  readonly status?: readonly LinkStatus[] | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly flow?: readonly LinkFlow[] | null | undefined;
  readonly userId?: string | null | undefined;
}

export type StoredFilter = QueryFilter<LinkDocument>;

/** A list of links: which, and in what order. Each combination has an index (model.ts). */
export interface Listing {
  readonly filter: StoredFilter;
  readonly order: Order;
  /** Whether it goes by what the clock changes. */
  readonly isTimed: boolean;
}

export function toListing(
  where: LinkWhereInput | null | undefined,
  sortBy: LinkSortInput | null | undefined,
): Listing {
  const filter = { ...where, createdAt: toTimeCondition(where?.createdAt) };
  const direction = sortBy?.direction ?? SortDirection.DESC;
  return {
    filter: toStoredFilter(filter),
    order: { field: sortBy?.field ?? LinkSortField.CREATED_AT, direction },
    isTimed: filter.visibility != null,
  };
}

/**
 * The filter as the store is asked. Without a user it names all the fields of the index that serves it: one that was not
 * asked for may have any of its few values. The store then merges as many sorted scans and sorts nothing.
 */
export function toStoredFilter(asked: LinkFilter): StoredFilter {
  const { createdAt, visibility, referenceId, userId } = asked;
  const user = {
    ...(referenceId == null ? {} : { referenceId }),
    ...(userId == null ? {} : { userId }),
  };
  const isOfUser = Object.keys(user).length > 0;
  const flow = asked.flow == null ? undefined : [...new Set(asked.flow)];
  const status = asked.status == null ? undefined : [...new Set(asked.status)];
  const hasState = visibility != null || status !== undefined || flow !== undefined;
  const anyOf = !isOfUser && hasState;
  return {
    ...user,
    ...(flow === undefined ? {} : { flow: { $in: flow } }),
    ...within('visibility', visibility == null ? undefined : [visibility], anyOf && LINK_VISIBILITIES),
    ...within('status', status, anyOf && LINK_STATUSES),
    ...(createdAt === undefined ? {} : { createdAt }),
  } as StoredFilter;
}

function within(field: string, asked: readonly string[] | undefined, all: readonly string[] | false): object {
  const values = asked ?? (all || undefined);
  return values === undefined ? {} : { [field]: { $in: values } };
}
