import {
  type GraphQLCompositeType,
  type GraphQLError,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import {
  collectFields,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import type { ConditionValues } from '../operation/conditions.ts';
import { resolveConcreteType } from './projection.ts';
import { type DataObject, type ExecutionState, isDataObject, type Path, type Step } from './state.ts';

interface Selected {
  readonly context: OperationContext;
  readonly values: ConditionValues;
}

function find(
  { context }: Selected,
  types: readonly GraphQLCompositeType[],
  entries: readonly SelectionEntry[],
  key: string,
  values: ConditionValues | null,
): FieldGroup | undefined {
  for (const type of types) {
    const group = collectFields(context, type, entries, values).find((one) => one.key === key);
    if (group !== undefined) {
      return group;
    }
  }
  return undefined;
}

function possibleTypes({ context }: Selected, type: GraphQLCompositeType): readonly GraphQLCompositeType[] {
  return isAbstractType(type) ? [type, ...context.schema.getPossibleTypes(type)] : [type];
}

function concreteTypes(
  selected: Selected,
  type: GraphQLCompositeType,
  { __typename }: DataObject,
): readonly GraphQLCompositeType[] {
  const concrete = isAbstractType(type) ? resolveConcreteType(selected.context, type, __typename) : type;
  return isObjectType(concrete) ? [concrete] : possibleTypes(selected, type);
}

/**
 * Whether the object exists and the operation selects nothing under the path's next key, given the object's type and the
 * request's variables.
 */
function isUnselected(
  selected: Selected,
  type: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
  value: unknown,
  path: Path,
): boolean {
  const [key, ...below] = path;
  if (typeof key === 'number') {
    return Array.isArray(value) && isUnselected(selected, type, entries, value[key], below);
  }
  if (key === undefined || !isDataObject(value)) {
    return false;
  }
  const group = find(selected, concreteTypes(selected, type, value), entries, key, selected.values);
  if (group === undefined) {
    return find(selected, possibleTypes(selected, type), entries, key, null) !== undefined;
  }
  const inner = group.definition === null ? null : getNamedType(group.definition.type);
  return (
    isCompositeType(inner) && isUnselected(selected, inner, subEntries(group), value[group.source], below)
  );
}

/** Keeps one of several errors that a subgraph reported with the same message for the same position. */
function distinct(errors: readonly GraphQLError[]): GraphQLError[] {
  const keyOf = ({ path, message, extensions }: GraphQLError) =>
    JSON.stringify([path, message, extensions.serviceName]);
  return [...new Map(errors.map((error) => [keyOf(error), error])).values()];
}

/**
 * The last step: it removes errors of fields that only other types or other variables select, and errors that occur twice.
 * Plans may fetch too much: the type of an interface object may be known only after its fields were fetched, and two subgraphs
 * may be asked for one field. Errors of what a plan fetches for itself stay.
 */
export function tidyErrors(
  context: OperationContext,
  rootType: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
): Step {
  const isKept = (state: ExecutionState, { path }: GraphQLError): boolean =>
    path === undefined ||
    !isUnselected({ context, values: state.conditions }, rootType, entries, state.data, path);
  return (state) => {
    if (state.errors.length > 0) {
      const kept = distinct(state.errors.filter((error) => isKept(state, error)));
      state.errors.splice(0, state.errors.length, ...kept);
    }
    return undefined;
  };
}
