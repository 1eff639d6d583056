import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLError,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { ConditionValues } from '../conditions.ts';
import {
  collectFields,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import { responseKey } from '../operation/response-keys.ts';
import { resolveConcreteType } from './concrete-type.ts';
import { type DataObject, type ExecutionState, isDataObject, type Path, type Step } from './state.ts';

interface Selected {
  readonly context: OperationContext;
  readonly values: ConditionValues;
  /** The key by which a path names a field: the client's or the plan's. */
  readonly keyOf: (group: FieldGroup) => string;
}

function find(
  { context, values, keyOf }: Selected,
  types: readonly GraphQLCompositeType[],
  entries: readonly SelectionEntry[],
  key: string,
): FieldGroup | undefined {
  for (const type of types) {
    const group = collectFields(context, type, entries, values).find((one) => keyOf(one) === key);
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
  const group = find(selected, concreteTypes(selected, type, value), entries, key);
  if (group === undefined) {
    return true;
  }
  const inner = group.definition === null ? null : getNamedType(group.definition.type);
  return (
    isCompositeType(inner) && isUnselected(selected, inner, subEntries(group), value[group.source], below)
  );
}

/** The fields with this response key, whatever their types and conditions are. `seen`: fragments searched before. */
function fieldsWithKey(
  context: OperationContext,
  { selections }: SelectionSetNode,
  key: string,
  seen: Set<string>,
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      return responseKey(selection) === key ? [selection] : [];
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fieldsWithKey(context, selection.selectionSet, key, seen);
    }
    const name = selection.name.value;
    const fragment = seen.has(name) ? undefined : context.fragments.get(name);
    seen.add(name);
    return fragment === undefined ? [] : fieldsWithKey(context, fragment.selectionSet, key, seen);
  });
}

/** Whether the operation has a path for any types and variables. */
function hasPath(context: OperationContext, entries: readonly SelectionEntry[], path: Path): boolean {
  let sets = entries.map(({ selectionSet }) => selectionSet);
  let fields: FieldNode[] = [];
  for (const key of path) {
    if (typeof key === 'string') {
      const seen = new Set<string>();
      fields = sets.flatMap((set) => fieldsWithKey(context, set, key, seen));
      sets = fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
    }
  }
  return fields.length > 0;
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
 * may be asked for one field. Errors of fields that a plan fetches for itself stay.
 */
export function tidyErrors(
  context: OperationContext,
  rootType: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
): Step {
  const isKept = (state: ExecutionState, error: GraphQLError): boolean => {
    const planPath = state.planPaths.get(error);
    const keyOf = ({ key, source }: FieldGroup): string => (planPath === undefined ? key : source);
    const selected = { context, values: state.conditions, keyOf };
    return (
      error.path === undefined ||
      !isUnselected(selected, rootType, entries, state.data, planPath ?? error.path) ||
      !hasPath(context, entries, error.path)
    );
  };
  return (state) => {
    if (state.errors.length > 0) {
      const kept = distinct(state.errors.filter((error) => isKept(state, error)));
      state.errors.splice(0, state.errors.length, ...kept);
    }
    return undefined;
  };
}
