import { Kind, type SelectionSetNode } from 'graphql';
import { type ConditionValues, conditionsHold } from '../conditions.ts';
import type { RequiresSelection } from '../planner/plan.ts';
import type { TypeIndex } from '../supergraph/supergraph.ts';
import {
  fragmentApplies,
  type RequiredField,
  readRequiredFields,
  requiresAnything,
} from './required-fields.ts';
import { type DataObject, isDataObject } from './state.ts';

/** Distinct references of one fetch, in the order in which they were found. */
export interface Representations {
  readonly list: DataObject[];
  /**
   * Adds the reference of an object and returns its index in `list`. Returns `NOT_REPRESENTABLE` when the subgraph cannot
   * find the object: no key is complete, or a required non-null field is missing.
   */
  add(object: DataObject): number;
}

/** Stands for an object that the subgraph cannot find. */
export const NOT_REPRESENTABLE = -1;

/** The only entry of a level for references that have no fields. */
const NAMED_ONLY = Symbol('named only');

interface KeyedField extends RequiredField {
  /**
   * Whether the field is part of a key. A null part of a key is left out, because another key may be complete; other fields
   * are sent as null.
   */
  readonly isKey: boolean;
  readonly isNonNull: boolean;
}

interface TypeRequirement {
  readonly typename: string;
  readonly fields: readonly KeyedField[];
  /** Keys of the subgraph that the fields hold. */
  readonly keys: readonly SelectionSetNode[];
  /** Whether the name of the type is a whole key. */
  readonly isNamedOnly: boolean;
}

/** References by the values of their fields: one level for each field, and the last level has indexes. */
type Level = Map<unknown, Level | number>;

function keyNames(key: SelectionSetNode): string[] {
  return key.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD && selection.name.value !== '__typename' ? [selection.name.value] : [],
  );
}

function readType(
  selections: readonly RequiresSelection[],
  typename: string,
  subgraph: string,
  types: TypeIndex,
): TypeRequirement {
  const fields = readRequiredFields(selections, typename, types);
  const names = new Set(fields.map((field) => field.name));
  const conditions = selections.flatMap((selection) =>
    selection.kind === 'InlineFragment' && fragmentApplies(typename, selection.typeCondition, types)
      ? [selection.typeCondition]
      : [],
  );
  const keys = [...new Set([typename, ...conditions])]
    .flatMap((type) => types.keys(type, subgraph))
    .filter((key) => keyNames(key).every((name) => names.has(name)));
  const keyFields = new Set(keys.flatMap(keyNames));
  return {
    typename,
    keys,
    isNamedOnly: fields.length === 0 && keys.length > 0 && requiresAnything(selections, typename, types),
    fields: fields.map((field) => ({
      ...field,
      isKey: keyFields.has(field.name),
      isNonNull: types.isNonNullField(typename, field.name),
    })),
  };
}

function isComplete(value: unknown, key: SelectionSetNode | undefined): boolean {
  if (value === null || value === undefined) {
    return false;
  }
  if (key === undefined) {
    return true;
  }
  if (Array.isArray(value)) {
    return value.every((item) => isComplete(item, key));
  }
  return key.selections.every((selection) => {
    if (selection.kind !== Kind.FIELD || selection.name.value === '__typename') {
      return true;
    }
    return isDataObject(value) && isComplete(value[selection.name.value], selection.selectionSet);
  });
}

function isRepresentable(representation: DataObject, { keys, fields }: TypeRequirement): boolean {
  if (fields.some((field) => field.isNonNull && !field.isKey && representation[field.name] === null)) {
    return false;
  }
  return keys.length === 0
    ? fields.some((field) => representation[field.name] !== undefined && representation[field.name] !== null)
    : keys.some((key) => isComplete(representation, key));
}

function build(type: TypeRequirement, values: readonly unknown[]): DataObject | null {
  const representation: DataObject = { __typename: type.typename };
  for (let position = 0; position < type.fields.length; position++) {
    // The loop ends with the list.
    const field = type.fields[position] as KeyedField;
    const value = values[position];
    if (value !== undefined && (value !== null || !field.isKey)) {
      representation[field.name] = value;
    }
  }
  return isRepresentable(representation, type) ? representation : null;
}

/** The value to send for a field; `undefined` when its conditions exclude it. */
function read(field: RequiredField, object: DataObject, conditions: ConditionValues): unknown {
  if (field.conditions.length > 0 && !conditionsHold(field.conditions, conditions)) {
    return undefined;
  }
  const value = object[field.source] ?? null;
  return typeof value === 'object' && value !== null ? field.take(value, conditions) : value;
}

/**
 * Compiles the `requires` of a fetch from `subgraph`; each type that occurs is looked into once.
 *
 * @param sendAs the type's name in the references; that of the object when undefined
 */
export function compileRepresentations(
  requires: readonly RequiresSelection[],
  subgraph: string,
  types: TypeIndex,
  sendAs: string | undefined,
): (conditions: ConditionValues) => Representations {
  const byType = new Map<unknown, TypeRequirement>();
  const typeOf = (typename: unknown): TypeRequirement | undefined => {
    if (typeof typename === 'string' && !byType.has(typename)) {
      const type = readType(requires, typename, subgraph, types);
      byType.set(typename, { ...type, typename: sendAs ?? typename });
    }
    return byType.get(typename);
  };
  return (conditions) => {
    const list: DataObject[] = [];
    const roots = new Map<unknown, Level>();
    const containers = new Map<string, object>();
    const values: unknown[] = [];

    // Scalars are their own keys, so most references need no string.
    const levelKey = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) {
        return value;
      }
      const key = valueKey(value);
      const known = containers.get(key);
      if (known !== undefined) {
        return known;
      }
      containers.set(key, value);
      return value;
    };

    const create = (type: TypeRequirement): number => {
      const representation = build(type, values);
      if (representation === null) {
        return NOT_REPRESENTABLE;
      }
      return list.push(representation) - 1;
    };

    const find = (root: Level, type: TypeRequirement, object: DataObject): number => {
      const last = type.fields.length - 1;
      if (last < 0) {
        const first = root.get(NAMED_ONLY) as number | undefined;
        const only = first ?? create(type);
        root.set(NAMED_ONLY, only);
        return only;
      }
      // The casts: inner levels hold levels, the last one indexes; `add` has checked that there are fields.
      let level = root;
      for (let position = 0; position < last; position++) {
        const field = type.fields[position] as KeyedField;
        values[position] = read(field, object, conditions);
        const key = levelKey(values[position]);
        const next = (level.get(key) as Level | undefined) ?? new Map();
        level.set(key, next);
        level = next;
      }
      values[last] = read(type.fields[last] as KeyedField, object, conditions);
      const key = levelKey(values[last]);
      const known = level.get(key) as number | undefined;
      if (known !== undefined) {
        return known;
      }
      const index = create(type);
      level.set(key, index);
      return index;
    };

    return {
      list,
      add(object) {
        const typename = object.__typename;
        const type = typeOf(typename);
        if (type === undefined || (type.fields.length === 0 && !type.isNamedOnly)) {
          return NOT_REPRESENTABLE;
        }
        let root = roots.get(typename);
        if (root === undefined) {
          root = new Map();
          roots.set(typename, root);
        }
        return find(root, type, object);
      },
    };
  };
}

/**
 * Makes the same string for two JSON values exactly when they are equal with keys in the same order. Cheaper than
 * `JSON.stringify`: it does not escape text, but writes the length of each text.
 */
function valueKey(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `"${value.length}:${value}`;
    case 'number':
    case 'boolean':
    case 'bigint':
      return `${typeof value === 'boolean' ? '?' : '#'}${value};`;
    case 'object':
      return value === null ? '~' : containerKey(value);
    default:
      return '~';
  }
}

function containerKey(value: object): string {
  if (Array.isArray(value)) {
    let key = `[${value.length}:`;
    for (const item of value) {
      key += valueKey(item);
    }
    return key;
  }
  let key = '{';
  for (const [name, item] of Object.entries(value)) {
    key += `${name.length}:${name}${valueKey(item)}`;
  }
  return `${key}}`;
}
