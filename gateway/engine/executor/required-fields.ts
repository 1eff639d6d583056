import { type Condition, type ConditionValues, conditionsHold } from '../conditions.ts';
import type { RequiresFragment, RequiresSelection } from '../planner/plan.ts';
import type { TypeIndex } from '../supergraph/supergraph.ts';
import { type DataObject, isDataObject } from './state.ts';

/** A field that a reference carries. */
export interface RequiredField {
  /** Where the value is in the data. */
  readonly source: string;
  /** Its name for the subgraph. */
  readonly name: string;
  readonly conditions: readonly Condition[];
  /** For objects: their required fields. */
  readonly selections: readonly RequiresSelection[];
  /** Takes the value in the form that it has on the wire. */
  take(value: unknown, conditions: ConditionValues): unknown;
}

/** Whether a fragment of a plan applies to objects of this type. Objects of unknown types get all fields. */
export function fragmentApplies(typename: unknown, condition: string, types: TypeIndex): boolean {
  if (typeof typename !== 'string') {
    return true;
  }
  // A subgraph with an interface object knows only the name of the interface, so both directions match.
  return types.satisfies(typename, condition) || types.satisfies(condition, typename);
}

function fragmentConditions({ skipIf, includeIf }: RequiresFragment): Condition[] {
  const skip = skipIf === undefined ? [] : [{ variable: skipIf, equals: false }];
  return includeIf === undefined ? skip : [...skip, { variable: includeIf, equals: true }];
}

type Unfinished = Omit<RequiredField, 'take'>;

function addField(into: Map<string, Unfinished>, field: Unfinished): void {
  const id = JSON.stringify([field.source, field.name, field.conditions]);
  const known = into.get(id);
  into.set(
    id,
    known === undefined ? field : { ...field, selections: [...known.selections, ...field.selections] },
  );
}

function collect(
  selections: readonly RequiresSelection[],
  typename: unknown,
  types: TypeIndex,
  conditions: readonly Condition[],
  into: Map<string, Unfinished>,
): void {
  for (const selection of selections) {
    if (selection.kind === 'Field' && selection.name !== '__typename') {
      const name = selection.alias ?? selection.name;
      addField(into, { source: selection.name, name, conditions, selections: selection.selections ?? [] });
    } else if (
      selection.kind === 'InlineFragment' &&
      fragmentApplies(typename, selection.typeCondition, types)
    ) {
      collect(selection.selections, typename, types, [...conditions, ...fragmentConditions(selection)], into);
    }
  }
}

/** Whether a plan requires a field of objects of this type, if only the name of their type. */
export function requiresAnything(
  selections: readonly RequiresSelection[],
  typename: string,
  types: TypeIndex,
): boolean {
  return selections.some(
    (selection) =>
      selection.kind === 'Field' ||
      (fragmentApplies(typename, selection.typeCondition, types) &&
        requiresAnything(selection.selections, typename, types)),
  );
}

function compileObjectTake(
  selections: readonly RequiresSelection[],
  types: TypeIndex,
): RequiredField['take'] {
  const byType = new Map<unknown, RequiredField[]>();
  function takeObject(object: DataObject, conditions: ConditionValues): DataObject {
    const typename = object.__typename;
    let fields = byType.get(typename);
    if (fields === undefined) {
      fields = readRequiredFields(selections, typename, types);
      byType.set(typename, fields);
    }
    const target: DataObject = typeof typename === 'string' ? { __typename: typename } : {};
    for (const field of fields) {
      const value = object[field.source];
      if (value !== undefined && conditionsHold(field.conditions, conditions)) {
        target[field.name] = field.take(value, conditions);
      }
    }
    return target;
  }
  return function take(value, conditions): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => take(item, conditions));
    }
    return isDataObject(value) ? takeObject(value, conditions) : value;
  };
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/**
 * Converts a leaf to its JSON value. A subgraph in this process may return a JavaScript value, such as a `Date`; references to
 * entities have the form that HTTP would have carried.
 */
function wireValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.some((item) => typeof item === 'object') ? value.map(wireValue) : value;
  }
  return hasToJson(value) ? value.toJSON() : value;
}

/** The fields that a plan requires of an object of this type. */
export function readRequiredFields(
  selections: readonly RequiresSelection[],
  typename: unknown,
  types: TypeIndex,
): RequiredField[] {
  const fields = new Map<string, Unfinished>();
  collect(selections, typename, types, [], fields);
  return [...fields.values()].map((field) => ({
    ...field,
    take: field.selections.length === 0 ? wireValue : compileObjectTake(field.selections, types),
  }));
}
