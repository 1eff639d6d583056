import { Field, InputType, registerEnumType } from 'type-graphql';
import { atOrAfter } from '../kernel/database/time-bounds.ts';
import { DateTimeScalar } from './scalars.ts';

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
