import { type GraphQLAbstractType, type GraphQLObjectType, isInterfaceType } from 'graphql';
import {
  collectFields,
  dependsOnType,
  type FieldGroup,
  hasStableOrder,
  type OperationContext,
  type SelectionEntry,
} from '../planner/collect-fields.ts';
import type { Condition } from '../planner/conditions.ts';
import { type ProjectedType, resolveConcreteType } from './projection.ts';

/** Thrown instead of a result for data that needs the exact projection: a null that must not be, a hidden type. */
export const FAULTY_DATA = Symbol('faulty data');

/** Thrown while compiling what is left to the interpreter. */
const NOT_COMPILABLE = Symbol('not compilable');
/** Functions per compilation; fragments can make a short document expand without bound. */
const MAX_FUNCTIONS = 2_000;

/** Source text of one function set; objects of abstract types are compiled when they first occur. */
export interface Emission {
  readonly context: OperationContext;
  readonly functions: string[];
  /** Values that the text refers to as `k[0]`, `k[1]`, … */
  readonly constants: unknown[];
}

/** Writes the function for the objects of one type, and returns its name. */
export type EmitObject = (
  emission: Emission,
  type: ProjectedType,
  entries: readonly SelectionEntry[],
) => string;

/** Gives up compiled work on data with faults. */
export function fail(): never {
  throw FAULTY_DATA;
}

/** Makes a value known to the text; returns the expression for it. */
export function constant(emission: Emission, value: unknown): string {
  emission.constants.push(value);
  return `k[${emission.constants.length - 1}]`;
}

/** Adds a function, which may be recursive through others; returns its name. */
export function declare(emission: Emission, prefix: string, write: (name: string) => string): string {
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

/** The condition, in `c`, under which a field is in the response; `null` when it is in every response. */
export function emitInclusion(group: FieldGroup): string | null {
  const alternatives = group.nodes.map((node) => emitCondition(node.conditions));
  return alternatives.includes('') ? null : alternatives.map((text) => `(${text})`).join(' || ');
}

/** The fields of an object, in the order of the response. */
export function fieldsOf(
  emission: Emission,
  type: ProjectedType,
  entries: readonly SelectionEntry[],
): readonly FieldGroup[] {
  const groups = collectFields(emission.context, type, entries, null);
  if (!hasStableOrder(groups) || emission.functions.length >= MAX_FUNCTIONS) {
    throw NOT_COMPILABLE;
  }
  return groups;
}

/**
 * Compiles the function for the objects of one type. Its text may use `fail` and, by their names, the `tools`.
 *
 * @returns `null` when the order of response keys depends on variables, or the operation expands too far; such
 *   operations are interpreted.
 */
export function compileFunctions<T>(
  context: OperationContext,
  type: ProjectedType | GraphQLObjectType,
  entries: readonly SelectionEntry[],
  emit: EmitObject,
  tools: Readonly<Record<string, unknown>>,
): T | null {
  const emission: Emission = { context, functions: [], constants: [] };
  let root: string;
  try {
    root = emit(emission, type, entries);
  } catch (error) {
    if (error === NOT_COMPILABLE) {
      return null;
    }
    throw error;
  }
  // The text is made of GraphQL names of a validated document and of quoted strings only.
  const text = `"use strict";\n${emission.functions.join('\n')}\nreturn ${root};`;
  const create = new Function('k', 'fail', ...Object.keys(tools), text);
  return create(emission.constants, fail, ...Object.values(tools)) as T;
}

/**
 * A lookup, by `__typename`, of the function for an object of an abstract type; compiled when a type first occurs. An
 * interface object whose type could not be found out, where that matters, counts as faulty.
 */
export function createTypeLookup<T>(
  context: OperationContext,
  type: GraphQLAbstractType,
  entries: readonly SelectionEntry[],
  compile: (concrete: ProjectedType) => T | null,
): (typename: unknown) => T {
  const byType = new Map<unknown, T>();
  return (typename) => {
    let known = byType.get(typename);
    if (known === undefined) {
      const concrete = resolveConcreteType(context, type, typename);
      const isUnknown =
        isInterfaceType(concrete) &&
        typename !== undefined &&
        dependsOnType(context, concrete, entries, null);
      known = (concrete === null || isUnknown ? null : compile(concrete)) ?? fail();
      byType.set(typename, known);
    }
    return known;
  };
}
