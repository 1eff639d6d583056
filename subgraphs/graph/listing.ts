import { Field, InputType, registerEnumType } from 'type-graphql';
import { atOrAfter } from '../kernel/database/time-bounds.ts';
import { graphqlError } from './authorize.ts';
import { LONGEST_SPAN_DAYS } from './longest-span.ts';
import { DateTimeScalar } from './scalars.ts';

const DAY_MS = 86_400_000;

@InputType({ description: 'A time range. Either end can be left open.' })
export class TimeRangeInput {
  @Field(() => DateTimeScalar, { nullable: true, description: 'At this instant or after it.' })
  gte?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Before this instant.' })
  lt?: Date | null;
}

export enum SortDirection {
  ASC = 'asc',
  DESC = 'desc',
}
registerEnumType(SortDirection, {
  name: 'SortDirection',
  description: 'Direction of an order.',
  valuesConfig: {
    ASC: { description: 'Oldest first.' },
    DESC: { description: 'Newest first.' },
  },
});

/** The conditions of a filter: those that are absent or null are left out. Its fields have the names of the stored ones. */
export function toConditions<T extends { createdAt?: TimeRangeInput | null | undefined }>({
  createdAt: range,
  ...fields
}: T) {
  const createdAt = toTimeCondition(range);
  const given = Object.entries(fields).filter(([, value]) => value != null);
  return {
    // The cast: `fromEntries` forgets the names of the fields.
    ...(Object.fromEntries(given) as { [Field in Exclude<keyof T, 'createdAt'>]?: NonNullable<T[Field]> }),
    ...(createdAt && { createdAt }),
  };
}

/** A condition on a time; undefined for a range that is open at both ends. */
export function toTimeCondition(
  range: TimeRangeInput | null | undefined,
): { $gt?: Date; $lt?: Date } | undefined {
  const condition = {
    ...(range?.gte == null ? {} : atOrAfter(range.gte)),
    ...(range?.lt == null ? {} : { $lt: range.lt }),
  };
  return Object.keys(condition).length === 0 ? undefined : condition;
}

/** The filters of a list that leave few documents. */
export interface Narrowing {
  readonly createdAt?: TimeRangeInput | null | undefined;
  /** Names in `where` that leave few documents by an index, and their values. */
  readonly selective: Readonly<Record<string, unknown>>;
}

/**
 * Lets a list have filters without an index only where others leave few documents: those of at most {@link LONGEST_SPAN_DAYS} days,
 * or those of a selective filter.
 * @param names of the given filters without an index; none is always allowed
 * @throws GraphQLError BAD_USER_INPUT where the rest of the filter leaves too many
 */
export function requireFew(names: readonly string[], { createdAt, selective }: Narrowing): void {
  const isOfFew = Object.values(selective).some((value) => value != null);
  const { gte, lt } = createdAt ?? {};
  const isShort = gte != null && lt != null && lt.getTime() - gte.getTime() <= LONGEST_SPAN_DAYS * DAY_MS;
  if (names.length > 0 && !(isOfFew || isShort)) {
    const others = Object.keys(selective).map((name) => `, or where.${name}`);
    throw graphqlError(
      'BAD_USER_INPUT',
      `where.${names.join(', where.')}: give where.createdAt with both ends, at most ${LONGEST_SPAN_DAYS} days apart${others.join('')}.`,
    );
  }
}
