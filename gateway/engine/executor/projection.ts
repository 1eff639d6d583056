import {
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLInterfaceType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { ConditionValues } from '../conditions.ts';
import {
  collectFields,
  dependsOnType,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import { DOWNSTREAM_SERVICE_ERROR } from './errors.ts';
import { leafOf } from './leaf-values.ts';
import { bytesOfKey, countScalar, type Meter } from './meter.ts';
import { type DataObject, type ExecutionState, isDataObject, MOST_ERRORS, type Path } from './state.ts';

/** A response in the client's shape, with the errors that making it added. */
export interface Projected {
  readonly data: DataObject | null;
  /** At most `MOST_ERRORS`. */
  readonly errors: readonly GraphQLError[];
  /** The number of errors beyond those. */
  readonly omitted: number;
}

/** The type of a projected object: an interface only if the data does not name the object type. */
export type ProjectedType = GraphQLObjectType | GraphQLInterfaceType;

/** Whether an error was reported already for a missing value at this position. */
export type IsReportedNull = (path: Path) => boolean;

interface Projecting {
  readonly context: OperationContext;
  readonly values: ConditionValues;
  readonly isReportedNull: IsReportedNull;
  readonly meter: Meter;
  readonly errors: GraphQLError[];
  /** The number of errors that were found and not kept. */
  found: number;
}

/** The position of a value, from the value outwards. It becomes a `Path` only for an error. */
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
  if (projecting.isReportedNull(path)) {
    return;
  }
  projecting.found += 1;
  if (projecting.errors.length < MOST_ERRORS) {
    projecting.errors.push(
      new GraphQLError(message, { path, extensions: { code: DOWNSTREAM_SERVICE_ERROR } }),
    );
  }
}

/**
 * Checks a completed value: null is a violation where the type is non-null. It reports an error unless there is one already.
 */
function settle(
  projecting: Projecting,
  isNonNull: boolean,
  completed: unknown,
  foundBefore: number,
  position: Position,
): unknown {
  if (!isNonNull) {
    return completed === VIOLATION ? null : completed;
  }
  if (completed === null) {
    if (projecting.found === foundBefore) {
      report(projecting, position, `Cannot return null for non-nullable field ${position.field}.`);
    }
    return VIOLATION;
  }
  return completed;
}

/** Returns `VIOLATION` for a forbidden null. Scalars need no generator. */
function* completeValue(
  projecting: Projecting,
  given: GraphQLOutputType,
  group: FieldGroup,
  value: unknown,
  position: Position,
): Generator<void, unknown> {
  const type = isNonNullType(given) ? given.ofType : given;
  const foundBefore = projecting.found;
  const completed =
    value === null || value === undefined
      ? null
      : isLeafType(type)
        ? completeLeaf(projecting, type, value, position)
        : yield* completeContainer(projecting, type, group, value, position);
  return settle(projecting, type !== given, completed, foundBefore, position);
}

function completeLeaf(
  projecting: Projecting,
  type: GraphQLLeafType,
  value: unknown,
  position: Position,
): unknown {
  const leaf = leafOf(type, value);
  if (leaf === undefined) {
    const kind = isEnumType(type) ? `Enum "${type.name}"` : type.name;
    report(projecting, position, `${kind} cannot represent the value that ${position.field} has.`);
    return null;
  }
  return countScalar(leaf, projecting.meter);
}

/** Returns `null` for a wrong value, `VIOLATION` for a forbidden null below it. */
function* completeContainer(
  projecting: Projecting,
  type: GraphQLList<GraphQLOutputType> | GraphQLCompositeType,
  group: FieldGroup,
  value: unknown,
  position: Position,
): Generator<void, unknown> {
  if (isListType(type)) {
    return yield* completeList(projecting, type.ofType, group, value, position);
  }
  if (!isDataObject(value)) {
    report(projecting, position, `Expected an object for ${position.field}.`);
    return null;
  }
  const entries = subEntries(group);
  const concrete = isObjectType(type) ? type : concreteType(projecting, type, entries, value);
  if (concrete === null) {
    report(projecting, position, `The type that ${position.field} has is not part of this schema.`);
    return null;
  }
  return yield* completeObject(projecting, concrete, entries, value, position);
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

function* completeList(
  projecting: Projecting,
  type: GraphQLOutputType,
  group: FieldGroup,
  value: unknown,
  position: Position,
): Generator<void, unknown> {
  if (!Array.isArray(value)) {
    report(projecting, position, `Expected a list for ${position.field}.`);
    return null;
  }
  const { meter } = projecting;
  meter.bytes += value.length + 1;
  const completed: unknown[] = [];
  for (const [index, item] of value.entries()) {
    if (meter.bytes > meter.pauseAt) {
      yield;
    }
    const itemPosition: Position = { above: position, key: index, field: position.field };
    const result = yield* completeValue(projecting, type, group, item, itemPosition);
    if (result === VIOLATION) {
      return VIOLATION;
    }
    completed.push(result);
  }
  return completed;
}

/** Sets a property, whatever its name is. */
export function setOwn(object: DataObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

function* completeObject(
  projecting: Projecting,
  type: ProjectedType,
  entries: readonly SelectionEntry[],
  source: DataObject,
  above: Position | null,
): Generator<void, DataObject | typeof VIOLATION> {
  const { meter } = projecting;
  const object: DataObject = {};
  meter.bytes += 1;
  for (const group of collectFields(projecting.context, type, entries, projecting.values)) {
    const { definition, key } = group;
    meter.bytes += bytesOfKey(key);
    if (definition?.name === '__typename') {
      setOwn(object, key, isObjectType(type) ? type.name : (source.__typename ?? null));
      continue;
    }
    const value = source[group.source];
    if (definition === null) {
      setOwn(object, key, countScalar(value ?? null, meter));
      continue;
    }
    const position: Position = { above, key, field: `${type.name}.${definition.name}` };
    const completed = yield* completeValue(projecting, definition.type, group, value, position);
    if (completed === VIOLATION) {
      return VIOLATION;
    }
    setOwn(object, key, completed);
  }
  return object;
}

/**
 * Selects the client's fields from the data, with the rules of the GraphQL specification for completing values
 * (section 6.4.3) and handling errors (6.4.4). It interprets the operation and is exact in every case;
 * `compiled-projection.ts` is a faster version for data without errors. It makes a break whenever the meter requires
 * one.
 */
export function* project(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  { data, conditions: values }: Pick<ExecutionState, 'data' | 'conditions'>,
  isReportedNull: IsReportedNull,
  meter: Meter,
): Generator<void, Projected> {
  const projecting: Projecting = { context, values, isReportedNull, meter, errors: [], found: 0 };
  const completed = yield* completeObject(projecting, rootType, entries, data, null);
  const { errors, found } = projecting;
  return { data: completed === VIOLATION ? null : completed, errors, omitted: found - errors.length };
}
