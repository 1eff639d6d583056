import {
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
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
  hasStableOrder,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import type { Condition, ConditionValues } from '../operation/conditions.ts';
import { bytesOfKey, countScalar, type Meter } from './meter.ts';
import { type ProjectedType, resolveConcreteType } from './projection.ts';
import type { DataObject } from './state.ts';
import { wireValue } from './wire-value.ts';

/**
 * Projects data without errors. Throws `INVALID_DATA` for data with errors; `project` then reports them. It leaves lists for
 * which the meter has no room in the meter's `unfilled`.
 */
export type CompiledProjection = (data: DataObject, values: ConditionValues, meter: Meter) => DataObject;

/** Thrown for data that needs the exact projection: a forbidden null, a hidden type. */
export const INVALID_DATA = Symbol('invalid data');

/** Thrown while compiling an operation that can only be interpreted. */
const NOT_COMPILABLE = Symbol('not compilable');
/** Most functions of one compilation: fragments can make a short document expand without bound. */
const MAX_FUNCTIONS = 2_000;

type ProjectObject = (source: unknown, values: ConditionValues, meter: Meter) => unknown;

/** Source text of one function set; objects of abstract types are compiled when they first occur. */
interface Emission {
  readonly context: OperationContext;
  readonly functions: string[];
  /** Values that the text refers to as `k[0]`, `k[1]`, … */
  readonly constants: unknown[];
}

function fail(): never {
  throw INVALID_DATA;
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
    const values = constant(emission, new Set(type.getValues().map((value) => value.name)));
    return `(${values}.has(v) ? count(v, m) : fail())`;
  }
  if (isLeafType(type)) {
    return isSpecifiedScalarType(type) ? 'count(v, m)' : "count(typeof v === 'object' ? wire(v) : v, m)";
  }
  if (isObjectType(type)) {
    return `${emitObject(emission, type, subEntries(group))}(v, c, m)`;
  }
  return `${constant(emission, createAbstractProjection(emission.context, type, subEntries(group)))}(v, c, m)`;
}

function emitValue(emission: Emission, type: GraphQLOutputType, group: FieldGroup, access: string): string {
  const otherwise = isNonNullType(type) ? 'fail()' : 'null';
  const present = emitPresent(emission, isNonNullType(type) ? type.ofType : type, group);
  return `((v = ${access}) == null ? ${otherwise} : ${present})`;
}

function emitList(emission: Emission, type: GraphQLOutputType, group: FieldGroup): string {
  return declare(emission, 'list', (name) => {
    const item = emitValue(emission, type, group, 'a[i]');
    return `function ${name}(a, c, m) {
  if (!Array.isArray(a)) fail();
  const r = new Array(a.length);
  m.bytes += a.length + 1;
  ${name}_fill(a, r, 0, c, m);
  return r;
}
function ${name}_fill(a, r, i, c, m) {
  const n = a.length;
  let v;
  for (; i < n; i++) {
    if (m.bytes > m.pauseAt) {
      m.unfilled.push({ fill: ${name}_fill, source: a, target: r, index: i });
      return;
    }
    r[i] = ${item};
  }
}`;
  });
}

function emitField(emission: Emission, type: ProjectedType, group: FieldGroup): string {
  const access = `s[${JSON.stringify(group.source)}]`;
  if (group.definition?.name === '__typename') {
    return isObjectType(type) ? JSON.stringify(type.name) : 'fail()';
  }
  return group.definition === null
    ? `count(${access} ?? null, m)`
    : emitValue(emission, group.definition.type, group, access);
}

// A literal or assigned `__proto__` would set the prototype.
const PROTOTYPE = '__proto__';

function emitProperty(key: string, value: string): string {
  const text = JSON.stringify(key);
  return `${key === PROTOTYPE ? `[${text}]` : text}: ${value}`;
}

function emitAssignment(key: string, value: string): string {
  const text = JSON.stringify(key);
  return key === PROTOTYPE
    ? `Object.defineProperty(r, ${text}, { value: ${value}, enumerable: true, configurable: true, writable: true });`
    : `r[${text}] = ${value};`;
}

function emitObject(emission: Emission, type: ProjectedType, entries: readonly SelectionEntry[]): string {
  const groups = collectFields(emission.context, type, entries, null);
  if (!hasStableOrder(groups) || emission.functions.length >= MAX_FUNCTIONS) {
    throw NOT_COMPILABLE;
  }
  return declare(emission, 'object', (name) => {
    const literal: string[] = [];
    let bytes = 1;
    const later: string[] = [];
    for (const group of groups) {
      const inclusion = emitInclusion(group);
      const value = emitField(emission, type, group);
      if (inclusion === null && later.length === 0) {
        bytes += bytesOfKey(group.key);
        literal.push(emitProperty(group.key, value));
      } else {
        later.push(`${inclusion === null ? '' : `if (${inclusion}) `}${emitAssignment(group.key, value)}`);
      }
    }
    return `function ${name}(s, c, m) {
  if (typeof s !== 'object') fail();
  m.bytes += ${bytes};
  let v;
  const r = { ${literal.join(', ')} };
  ${later.join('\n  ')}
  return r;
}`;
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
  context: OperationContext,
  type: ProjectedType,
  entries: readonly SelectionEntry[],
): ProjectObject | null {
  const emission: Emission = { context, functions: [], constants: [] };
  const root = emitRoot(emission, type, entries);
  if (root === null) {
    return null;
  }
  // The text is made of GraphQL names of a validated document and of quoted strings only.
  const create = new Function(
    'k',
    'fail',
    'wire',
    'count',
    `"use strict";\n${emission.functions.join('\n')}\nreturn ${root};`,
  );
  // The type of the value that the text above returns.
  return create(emission.constants, fail, wireValue, countScalar) as ProjectObject;
}

function createAbstractProjection(
  context: OperationContext,
  type: GraphQLAbstractType,
  entries: readonly SelectionEntry[],
): ProjectObject {
  const byType = new Map<unknown, ProjectObject>();
  return (source, values, meter) => {
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
        // The type of this interface object could not be found, so the interface does not say what to answer.
        return fail();
      }
      projectObject = compileObject(context, concrete, entries) ?? fail;
      byType.set(typename, projectObject);
    }
    return projectObject(source, values, meter);
  };
}

/**
 * Compiles a projection to a JavaScript function.
 *
 * @returns `null` when the order of response keys depends on variables, or the operation expands too far; such
 *   operations are interpreted.
 */
export function compileProjection(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
): CompiledProjection | null {
  // The root is an object, so its projection returns one.
  return compileObject(context, rootType, entries) as CompiledProjection | null;
}
