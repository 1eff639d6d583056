import {
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
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
import { type ConcreteType, resolveConcreteType } from './concrete-type.ts';
import type { LeafKind } from './leaf-text.ts';
import type { DataObject } from './state.ts';

interface Position {
  /** `Type.field`, for messages. */
  readonly field: string;
  readonly isNonNull: boolean;
}

interface LeafShape extends Position {
  readonly kind: 'leaf';
  readonly leaf: LeafKind;
  /** Its type, for messages. */
  readonly typeName: string;
}

interface ListShape extends Position {
  readonly kind: 'list';
  readonly item: Shape;
}

/** An object. */
export interface ObjectShape extends Position {
  readonly kind: 'object';
  /** The selected fields of an object; `null` when its type is unknown. */
  fieldsOf(object: DataObject): readonly AnswerField[] | null;
}

/** A complete JSON value of any form: introspection. */
interface JsonShape extends Position {
  readonly kind: 'json';
}

/** The form of a value in an operation's answer. */
export type Shape = LeafShape | ListShape | ObjectShape | JsonShape;

/** A field of an object in an answer. */
export interface AnswerField {
  /** Its response key. */
  readonly key: string;
  /** The text before its value, from the comma or brace before its key. */
  readonly start: string;
  /** The key of its value in the data. */
  readonly source: string;
  /** `null` for a constant, which `start` has already. */
  readonly shape: Shape | null;
}

/** JSON that is written as it is. */
export const JSON_SHAPE: JsonShape = { kind: 'json', field: '', isNonNull: false };

/** The text before a value. */
export function startOf(key: string, index: number): string {
  return `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`;
}

/** An operation under values of the variables that its `@skip` and `@include` use. */
interface Selected {
  readonly context: OperationContext;
  readonly values: ConditionValues;
}

const SPECIFIED: Readonly<Record<string, LeafKind>> = {
  Int: 'Int',
  Float: 'Float',
  String: 'String',
  Boolean: 'Boolean',
  ID: 'ID',
};

function leafKindOf(type: GraphQLLeafType): LeafKind {
  if (isEnumType(type)) {
    return new Map(type.getValues().map(({ name }) => [name, JSON.stringify(name)]));
  }
  return (isSpecifiedScalarType(type) ? SPECIFIED[type.name] : undefined) ?? 'custom';
}

function shapeOf(selected: Selected, given: GraphQLOutputType, group: FieldGroup, field: string): Shape {
  const isNonNull = isNonNullType(given);
  const type: GraphQLNullableType & GraphQLOutputType = isNonNull ? given.ofType : given;
  if (isListType(type)) {
    return { kind: 'list', field, isNonNull, item: shapeOf(selected, type.ofType, group, field) };
  }
  if (isLeafType(type)) {
    const typeName = isEnumType(type) ? `Enum "${type.name}"` : type.name;
    return { kind: 'leaf', field, isNonNull, leaf: leafKindOf(type), typeName };
  }
  return objectShape(selected, type, subEntries(group), { field, isNonNull });
}

function answerField(selected: Selected, type: ConcreteType, group: FieldGroup, index: number): AnswerField {
  const { key, source, definition } = group;
  const start = startOf(key, index);
  if (definition === null) {
    return { key, source, start, shape: JSON_SHAPE };
  }
  if (definition.name === '__typename') {
    return isObjectType(type)
      ? { key, source, start: `${start}${JSON.stringify(type.name)}`, shape: null }
      : { key, source: '__typename', start, shape: JSON_SHAPE };
  }
  const shape = shapeOf(selected, definition.type, group, `${type.name}.${definition.name}`);
  return { key, source, start, shape };
}

/** An object's shape. Its fields are compiled when the first object of their type occurs. */
function objectShape(
  selected: Selected,
  type: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
  position: Position,
): ObjectShape {
  const { context, values } = selected;
  const compile = (concrete: ConcreteType): readonly AnswerField[] =>
    collectFields(context, concrete, entries, values).map((group, index) =>
      answerField(selected, concrete, group, index),
    );
  if (isObjectType(type)) {
    let fields: readonly AnswerField[] | undefined;
    return {
      kind: 'object',
      ...position,
      fieldsOf() {
        fields ??= compile(type);
        return fields;
      },
    };
  }
  const known = new Map<unknown, readonly AnswerField[]>();
  return {
    kind: 'object',
    ...position,
    fieldsOf({ __typename: typename }) {
      const found = known.get(typename);
      if (found !== undefined) {
        return found;
      }
      const concrete = resolveConcreteType(context, type, typename);
      // The type of an interface object is unknown when the fetch for it failed, or answered null because a field of the
      // object must not be null and is. Then there is no answer where the type decides about it.
      const isUnknown =
        isInterfaceType(concrete) &&
        typename !== undefined &&
        dependsOnType(context, concrete, entries, values);
      if (concrete === null || isUnknown) {
        return null;
      }
      const fields = compile(concrete);
      known.set(typename, fields);
      return fields;
    },
  };
}

/** The shape of an operation's answer for a request's variables. */
export type AnswerShape = (values: ConditionValues) => ObjectShape;

/** Most shapes that an operation keeps, one for each combination of the values that `@skip` and `@include` get. */
const MOST_KEPT = 8;

/** @param conditionVariables the variables that decide about selections */
export function createAnswerShape(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  conditionVariables: readonly string[],
): AnswerShape {
  const kept = new Map<string, ObjectShape>();
  return (given) => {
    const combination = conditionVariables.map((name) => (given[name] === true ? '1' : '0')).join('');
    const known = kept.get(combination);
    if (known !== undefined) {
      return known;
    }
    if (kept.size >= MOST_KEPT) {
      kept.clear();
    }
    // No other value of the request is kept.
    const values = Object.fromEntries(conditionVariables.map((name) => [name, given[name]]));
    const shape = objectShape({ context, values }, rootType, entries, { field: '', isNonNull: false });
    kept.set(combination, shape);
    return shape;
  };
}
