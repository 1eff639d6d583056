import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import {
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../planner/collect-fields.ts';
import type { ConditionValues } from '../planner/conditions.ts';
import {
  compileFunctions,
  constant,
  createTypeLookup,
  declare,
  type Emission,
  emitInclusion,
  fieldsOf,
} from './emission.ts';
import type { ProjectedType } from './projection.ts';
import type { DataObject } from './state.ts';
import { wireValue } from './wire-value.ts';

/** Projects data without faults; throws `FAULTY_DATA` when there is any, and leaves those to `project`. */
export type CompiledProjection = (data: DataObject, values: ConditionValues) => DataObject;

type ProjectObject = (source: unknown, values: ConditionValues) => unknown;

const TOOLS = { wire: wireValue };

type NullableOutputType = ReturnType<typeof getNullableType<GraphQLOutputType>>;

/** An expression for the completed form of `v`, a variable that is neither null nor undefined. */
function emitPresent(emission: Emission, type: NullableOutputType, group: FieldGroup): string {
  if (isListType(type)) {
    return `${emitList(emission, type.ofType, group)}(v, c)`;
  }
  if (isEnumType(type)) {
    const values = constant(emission, new Set(type.getValues().map((value) => value.name)));
    return `(${values}.has(v) ? v : fail())`;
  }
  if (isLeafType(type)) {
    return isSpecifiedScalarType(type) ? 'v' : "(typeof v === 'object' ? wire(v) : v)";
  }
  if (isObjectType(type)) {
    return `${emitObject(emission, type, subEntries(group))}(v, c)`;
  }
  const { context } = emission;
  const entries = subEntries(group);
  const lookup = createTypeLookup(context, type, entries, (concrete) =>
    compileFunctions<ProjectObject>(context, concrete, entries, emitObject, TOOLS),
  );
  return `${constant(emission, lookup)}(v.__typename)(v, c)`;
}

function emitValue(emission: Emission, type: GraphQLOutputType, group: FieldGroup, access: string): string {
  const otherwise = isNonNullType(type) ? 'fail()' : 'null';
  const present = emitPresent(emission, isNonNullType(type) ? type.ofType : type, group);
  return present === 'v'
    ? `(${access} ?? ${otherwise})`
    : `((v = ${access}) == null ? ${otherwise} : ${present})`;
}

function emitList(emission: Emission, type: GraphQLOutputType, group: FieldGroup): string {
  return declare(emission, 'list', (name) => {
    const item = emitValue(emission, type, group, 'a[i]');
    return `function ${name}(a, c) {
  if (!Array.isArray(a)) fail();
  const n = a.length;
  const r = new Array(n);
  let v;
  for (let i = 0; i < n; i++) r[i] = ${item};
  return r;
}`;
  });
}

function emitField(emission: Emission, type: ProjectedType, group: FieldGroup): string {
  const access = `s[${JSON.stringify(group.source)}]`;
  if (group.definition?.name === '__typename') {
    return isObjectType(type) ? JSON.stringify(type.name) : 'fail()';
  }
  return group.definition === null
    ? `(${access} ?? null)`
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
  const groups = fieldsOf(emission, type, entries);
  return declare(emission, 'object', (name) => {
    const literal: string[] = [];
    const later: string[] = [];
    for (const group of groups) {
      const inclusion = emitInclusion(group);
      const value = emitField(emission, type, group);
      if (inclusion === null && later.length === 0) {
        literal.push(emitProperty(group.key, value));
      } else {
        later.push(`${inclusion === null ? '' : `if (${inclusion}) `}${emitAssignment(group.key, value)}`);
      }
    }
    return `function ${name}(s, c) {
  if (typeof s !== 'object') fail();
  let v;
  const r = { ${literal.join(', ')} };
  ${later.join('\n  ')}
  return r;
}`;
  });
}

/** Compiles a projection to a JavaScript function; `null` for operations that are left to the interpreter. */
export function compileProjection(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
): CompiledProjection | null {
  return compileFunctions(context, rootType, entries, emitObject, TOOLS);
}
