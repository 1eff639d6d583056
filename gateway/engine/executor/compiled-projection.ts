import {
  type GraphQLAbstractType,
  GraphQLID,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Condition, ConditionValues } from '../conditions.ts';
import {
  collectFields,
  dependsOnType,
  type FieldGroup,
  hasStableOrder,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import { scalarKindOf } from './leaf-values.ts';
import { type ProjectedType, resolveConcreteType } from './projection.ts';
import { type CompiledField, type Form, fail, type ProjectionForm } from './projection-form.ts';
import type { DataObject } from './state.ts';

/** Thrown while compiling an operation that can only be interpreted. */
const NOT_COMPILABLE = Symbol('not compilable');
/** Most functions of one compilation: fragments can make a short document expand without bound. */
const MAX_FUNCTIONS = 2_000;

/** Projects an object into what the form makes, under the values of conditions. */
type ProjectObject = (source: unknown, values: ConditionValues, handed: unknown) => unknown;

/** Source text of one function set; objects of abstract types are compiled when they first occur. */
interface Emission {
  readonly context: OperationContext;
  readonly form: Form;
  readonly functions: string[];
  /** Values that the text refers to as `k[0]`, `k[1]`, … */
  readonly constants: unknown[];
}

function constant(emission: Emission, value: unknown): string {
  emission.constants.push(value);
  return `k[${emission.constants.length - 1}]`;
}

function declare(emission: Emission, prefix: string, write: (name: string) => string): string {
  const slot = emission.functions.push('') - 1;
  const name = `${prefix}${slot}`;
  emission.functions[slot] = write(name);
  return name;
}

function emitCondition(conditions: readonly Condition[]): string {
  return conditions
    .map(({ variable, equals }) => `(c[${JSON.stringify(variable)}] === true) === ${equals}`)
    .join(' && ');
}

/** `null` when the field is in every response. */
function emitInclusion(group: FieldGroup): string | null {
  const alternatives = group.nodes.map((node) => emitCondition(node.conditions));
  return alternatives.includes('') ? null : alternatives.map((text) => `(${text})`).join(' || ');
}

type NullableOutputType = ReturnType<typeof getNullableType<GraphQLOutputType>>;

/** An expression for the completed form of `v`, a variable that is neither null nor undefined. */
function emitPresent(emission: Emission, type: NullableOutputType, group: FieldGroup): string {
  if (isListType(type)) {
    return `${emitList(emission, type.ofType, group)}(v, c, m)`;
  }
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }): [string, string] => [name, JSON.stringify(name)]);
    return emission.form.enumValue(constant(emission, new Map(names)));
  }
  if (isLeafType(type)) {
    return emission.form.scalar(scalarKindOf(type));
  }
  if (isObjectType(type)) {
    return `${emitObject(emission, type, subEntries(group))}(v, c, m)`;
  }
  return `${constant(emission, createAbstractProjection(emission, type, subEntries(group)))}(v, c, m)`;
}

function emitValue(emission: Emission, type: GraphQLOutputType, group: FieldGroup, access: string): string {
  const otherwise = isNonNullType(type) ? 'fail()' : emission.form.nothing;
  const present = emitPresent(emission, isNonNullType(type) ? type.ofType : type, group);
  return `((v = ${access}) == null ? ${otherwise} : ${present})`;
}

function emitList(emission: Emission, type: GraphQLOutputType, group: FieldGroup): string {
  return declare(emission, 'list', (name) =>
    emission.form.list(name, emitValue(emission, type, group, 'a[i]')),
  );
}

/** An expression for a field's value in the data. */
function emitAccess({ source }: FieldGroup): string {
  return `s[${JSON.stringify(source)}]`;
}

/** An expression for the value of a field whose value is a string and not null; `null` for other fields. */
function emitRequiredString(group: FieldGroup): string | null {
  const { definition } = group;
  if (!isNonNullType(definition?.type) || definition.name === '__typename') {
    return null;
  }
  switch (definition.type.ofType) {
    case GraphQLString:
      return emitAccess(group);
    case GraphQLID:
      return `id(${emitAccess(group)})`;
    default:
      return null;
  }
}

function emitField(emission: Emission, type: ProjectedType, group: FieldGroup): string {
  const access = emitAccess(group);
  if (group.definition?.name === '__typename') {
    return isObjectType(type) ? emission.form.typename(type.name) : 'fail()';
  }
  return group.definition === null
    ? emission.form.unchecked(access)
    : emitValue(emission, group.definition.type, group, access);
}

function emitObject(emission: Emission, type: ProjectedType, entries: readonly SelectionEntry[]): string {
  const groups = collectFields(emission.context, type, entries, null);
  if (!hasStableOrder(groups) || emission.functions.length >= MAX_FUNCTIONS) {
    throw NOT_COMPILABLE;
  }
  return declare(emission, 'object', (name) => {
    const fields = groups.map(
      (group): CompiledField => ({
        key: group.key,
        inclusion: emitInclusion(group),
        value: emitField(emission, type, group),
        string: emitRequiredString(group),
      }),
    );
    return emission.form.object(name, fields);
  });
}

function emitRoot(
  emission: Emission,
  type: ProjectedType,
  entries: readonly SelectionEntry[],
): string | null {
  try {
    return emitObject(emission, type, entries);
  } catch (error) {
    if (error === NOT_COMPILABLE) {
      return null;
    }
    throw error;
  }
}

function compileObject(
  form: Form,
  context: OperationContext,
  type: ProjectedType,
  entries: readonly SelectionEntry[],
): ProjectObject | null {
  const emission: Emission = { context, form, functions: [], constants: [] };
  const root = emitRoot(emission, type, entries);
  if (root === null) {
    return null;
  }
  // The text is made of GraphQL names of a validated document and of quoted strings only.
  const create = new Function(
    'k',
    'fail',
    ...Object.keys(form.helpers),
    `"use strict";\n${emission.functions.join('\n')}\nreturn ${root};`,
  );
  // The type of the value that the text above returns.
  return create(emission.constants, fail, ...Object.values(form.helpers)) as ProjectObject;
}

function createAbstractProjection(
  { form, context }: Emission,
  type: GraphQLAbstractType,
  entries: readonly SelectionEntry[],
): ProjectObject {
  const byType = new Map<unknown, ProjectObject>();
  return (source, values, handed) => {
    // Compiled code calls this with neither null nor undefined.
    const typename = (source as DataObject).__typename;
    let projectObject = byType.get(typename);
    if (projectObject === undefined) {
      const concrete = resolveConcreteType(context, type, typename);
      const isUnknown =
        isInterfaceType(concrete) &&
        typename !== undefined &&
        dependsOnType(context, concrete, entries, null);
      if (concrete === null || isUnknown) {
        // The type of this interface object is unknown, and the interface alone does not determine the answer.
        return fail();
      }
      projectObject = compileObject(form, context, concrete, entries) ?? fail;
      byType.set(typename, projectObject);
    }
    return projectObject(source, values, handed);
  };
}

/** Projects the data of a run under the values of conditions. Throws `INVALID_DATA` for data with errors. */
export type CompiledProjection<Made, Handed> = (
  data: DataObject,
  values: ConditionValues,
  handed: Handed,
) => Made;

/**
 * Compiles a projection to a JavaScript function.
 *
 * @returns `null` when the order of response keys depends on variables, or the operation expands too far; such
 *   operations are interpreted.
 */
export function compileProjection<Made, Handed>(
  form: ProjectionForm<Made, Handed>,
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
): CompiledProjection<Made, Handed> | null {
  // The compiled functions make the output of the form.
  return compileObject(form, context, rootType, entries) as CompiledProjection<Made, Handed> | null;
}
