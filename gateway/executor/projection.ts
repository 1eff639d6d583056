import {
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import {
  collectFields,
  dependsOnType,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../planner/collect-fields.ts';
import type { ConditionValues } from '../planner/conditions.ts';
import { DOWNSTREAM_SERVICE_ERROR } from './errors.ts';
import { type DataObject, isDataObject, type Path } from './state.ts';
import { wireValue } from './wire-value.ts';

/** A response as the client asked for it, with the errors that finding it added. */
export interface Projected {
  readonly data: DataObject | null;
  readonly errors: readonly GraphQLError[];
}

/** A type to project by: an interface only where the data does not say which object type it is. */
export type ProjectedType = GraphQLObjectType | GraphQLInterfaceType;

/** Whether a missing value at this position needs no error of its own. */
export type IsExplained = (path: Path) => boolean;

interface Projecting {
  readonly context: OperationContext;
  readonly values: ConditionValues;
  readonly isExplained: IsExplained;
  readonly errors: GraphQLError[];
}

/** Where a value stands, from the value outwards; turned into a `Path` only for an error. */
interface Position {
  readonly above: Position | null;
  readonly key: string | number;
  /** `Type.field`, for messages. */
  readonly field: string;
}

/** A position that must not be null is null: the nearest nullable position above becomes null. */
const VIOLATION = Symbol('violation');

function toPath(position: Position): Path {
  const path: (string | number)[] = [];
  for (let at: Position | null = position; at !== null; at = at.above) {
    path.push(at.key);
  }
  return path.reverse();
}

function report(projecting: Projecting, position: Position, message: string): void {
  const path = toPath(position);
  if (!projecting.isExplained(path)) {
    projecting.errors.push(
      new GraphQLError(message, { path, extensions: { code: DOWNSTREAM_SERVICE_ERROR } }),
    );
  }
}

function completeValue(
  projecting: Projecting,
  type: GraphQLOutputType,
  group: FieldGroup,
  value: unknown,
  position: Position,
): unknown {
  if (!isNonNullType(type)) {
    const completed = completeNullable(projecting, type, group, value, position);
    return completed === VIOLATION ? null : completed;
  }
  const errorsBefore = projecting.errors.length;
  const completed = completeNullable(projecting, type.ofType, group, value, position);
  if (completed === null) {
    if (projecting.errors.length === errorsBefore) {
      report(projecting, position, `Cannot return null for non-nullable field ${position.field}.`);
    }
    return VIOLATION;
  }
  return completed;
}

/** `null` for a value that is missing or wrong, `VIOLATION` when something below may not be null and is. */
function completeNullable(
  projecting: Projecting,
  type: GraphQLOutputType,
  group: FieldGroup,
  value: unknown,
  position: Position,
): unknown {
  if (value === null || value === undefined) {
    return null;
  }
  if (isListType(type)) {
    return completeList(projecting, type.ofType, group, value, position);
  }
  if (isLeafType(type)) {
    if (isEnumType(type) && type.getValue(String(value)) === undefined) {
      report(
        projecting,
        position,
        `Enum "${type.name}" cannot represent the value that ${position.field} has.`,
      );
      return null;
    }
    return isSpecifiedScalarType(type) ? value : wireValue(value);
  }
  if (!isDataObject(value)) {
    report(projecting, position, `Expected an object for ${position.field}.`);
    return null;
  }
  const entries = subEntries(group);
  const concrete = isObjectType(type)
    ? type
    : isAbstractType(type)
      ? concreteType(projecting, type, entries, value)
      : null;
  if (concrete === null) {
    report(projecting, position, `The type that ${position.field} has is not part of this schema.`);
    return null;
  }
  return completeObject(projecting, concrete, entries, value, position);
}

/**
 * The type to project an object of an abstract type by: the one that it names, or the interface itself where the
 * data names no object type (a subgraph with an interface object does not know it, and the plan did not need it).
 * `null` when this schema does not have the type.
 */
export function resolveConcreteType(
  context: OperationContext,
  type: GraphQLAbstractType,
  typename: unknown,
): ProjectedType | null {
  if (typename === undefined) {
    return isInterfaceType(type) ? type : null;
  }
  const named = typeof typename === 'string' ? context.schema.getType(typename) : undefined;
  if (named === type && isInterfaceType(type)) {
    return type;
  }
  return (isObjectType(named) || isInterfaceType(named)) && context.schema.isSubType(type, named)
    ? named
    : null;
}

/**
 * The type to project by, or `null`. An interface object whose type could not be found out has none where that matters:
 * the fetch for it failed, or answered null because a field of the object must not be null and is.
 */
function concreteType(
  { context, values }: Projecting,
  type: GraphQLAbstractType,
  entries: readonly SelectionEntry[],
  { __typename: typename }: DataObject,
): ProjectedType | null {
  const concrete = resolveConcreteType(context, type, typename);
  const isUnknown =
    isInterfaceType(concrete) && typename !== undefined && dependsOnType(context, concrete, entries, values);
  return isUnknown ? null : concrete;
}

function completeList(
  projecting: Projecting,
  type: GraphQLOutputType,
  group: FieldGroup,
  value: unknown,
  position: Position,
): unknown {
  if (!Array.isArray(value)) {
    report(projecting, position, `Expected a list for ${position.field}.`);
    return null;
  }
  const completed: unknown[] = [];
  for (const [index, item] of value.entries()) {
    const itemPosition: Position = { above: position, key: index, field: position.field };
    const result = completeValue(projecting, type, group, item, itemPosition);
    if (result === VIOLATION) {
      return VIOLATION;
    }
    completed.push(result);
  }
  return completed;
}

function setOwn(object: DataObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

function completeObject(
  projecting: Projecting,
  type: ProjectedType,
  entries: readonly SelectionEntry[],
  source: DataObject,
  above: Position | null,
): DataObject | typeof VIOLATION {
  const object: DataObject = {};
  for (const group of collectFields(projecting.context, type, entries, projecting.values)) {
    const { definition, key } = group;
    if (definition?.name === '__typename') {
      setOwn(object, key, isObjectType(type) ? type.name : (source.__typename ?? null));
      continue;
    }
    const value = source[group.source];
    if (definition === null) {
      setOwn(object, key, value ?? null);
      continue;
    }
    const position: Position = { above, key, field: `${type.name}.${definition.name}` };
    const completed = completeValue(projecting, definition.type, group, value, position);
    if (completed === VIOLATION) {
      return VIOLATION;
    }
    setOwn(object, key, completed);
  }
  return object;
}

/**
 * Selects from the data what the client asked for, as the GraphQL specification completes values (section 6.4.3)
 * and handles errors (6.4.4). It interprets the operation, and is exact in every case; `compiled-projection.ts`
 * does the same fast for data without faults.
 */
export function project(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  data: DataObject,
  values: ConditionValues,
  isExplained: IsExplained,
): Projected {
  const projecting: Projecting = { context, values, isExplained, errors: [] };
  const completed = completeObject(projecting, rootType, entries, data, null);
  return { data: completed === VIOLATION ? null : completed, errors: projecting.errors };
}
