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
import { full, place, writeJson } from './json-bytes.ts';
import type { ProjectedType } from './projection.ts';
import type { DataObject } from './state.ts';
import { wireValue } from './wire-value.ts';

/**
 * Writes data without faults to `place`, from a position on, as the JSON text of what `CompiledProjection` makes of it;
 * returns the position behind it. Throws `FAULTY_DATA` as that does.
 */
export type CompiledWriter = (data: DataObject, values: ConditionValues, position: number) => number;

type WriteObject = (source: unknown, values: ConditionValues, position: number) => number;

type NullableOutputType = ReturnType<typeof getNullableType<GraphQLOutputType>>;

const TOOLS = { wire: wireValue, json: writeJson, full, place };
const encoder = new TextEncoder();

/** Statements that write text which is the same in every response; `d` are the bytes and `p` is the position. */
function emitText(text: string): string {
  const bytes = [...encoder.encode(text)];
  const stores = bytes.map((byte, index) => `d[p + ${index}] = ${byte};`).join(' ');
  return `if (p + ${bytes.length} > d.length) full(); ${stores} p += ${bytes.length};`;
}

const NULL = emitText('null');

/** A statement that writes `v`, a variable that is neither null nor undefined. */
function emitPresent(emission: Emission, type: NullableOutputType, group: FieldGroup): string {
  if (isListType(type)) {
    return `p = ${emitList(emission, type.ofType, group)}(v, c, p);`;
  }
  if (isEnumType(type)) {
    const values = constant(emission, new Set(type.getValues().map((value) => value.name)));
    return `if (!${values}.has(v)) fail(); p = json(v, p);`;
  }
  if (isLeafType(type)) {
    return isSpecifiedScalarType(type)
      ? 'p = json(v, p);'
      : "p = json(typeof v === 'object' ? wire(v) : v, p);";
  }
  if (isObjectType(type)) {
    return `p = ${emitObject(emission, type, subEntries(group))}(v, c, p);`;
  }
  const { context } = emission;
  const entries = subEntries(group);
  const lookup = createTypeLookup(context, type, entries, (concrete) =>
    compileFunctions<WriteObject>(context, concrete, entries, emitObject, TOOLS),
  );
  return `p = ${constant(emission, lookup)}(v.__typename)(v, c, p);`;
}

function emitValue(emission: Emission, type: GraphQLOutputType, group: FieldGroup, access: string): string {
  const otherwise = isNonNullType(type) ? 'fail();' : NULL;
  const present = emitPresent(emission, isNonNullType(type) ? type.ofType : type, group);
  return `if ((v = ${access}) == null) { ${otherwise} } else { ${present} }`;
}

function emitList(emission: Emission, type: GraphQLOutputType, group: FieldGroup): string {
  return declare(emission, 'list', (name) => {
    const item = emitValue(emission, type, group, 'a[i]');
    return `function ${name}(a, c, p) {
  if (!Array.isArray(a)) fail();
  const d = place.bytes;
  const n = a.length;
  let v;
  if (n === 0) { ${emitText('[]')} return p; }
  for (let i = 0; i < n; i++) {
    if (p === d.length) full();
    d[p++] = i === 0 ? 91 : 44;
    ${item}
  }
  if (p === d.length) full();
  d[p] = 93;
  return p + 1;
}`;
  });
}

function emitField(emission: Emission, type: ProjectedType, group: FieldGroup): string {
  const access = `s[${JSON.stringify(group.source)}]`;
  if (group.definition?.name === '__typename') {
    return isObjectType(type) ? emitText(JSON.stringify(type.name)) : 'fail();';
  }
  return group.definition === null
    ? `p = json(${access} ?? null, p);`
    : emitValue(emission, group.definition.type, group, access);
}

function emitObject(emission: Emission, type: ProjectedType, entries: readonly SelectionEntry[]): string {
  const groups = fieldsOf(emission, type, entries);
  return declare(emission, 'object', (name) => {
    const fields: string[] = [];
    // Whether some field is certainly written by then, so that a comma is due.
    let certain = false;
    for (const group of groups) {
      const inclusion = emitInclusion(group);
      const key = `${JSON.stringify(group.key)}:`;
      const comma = certain || fields.length === 0 ? '' : `if (p > start) { ${emitText(',')} }`;
      const value = emitField(emission, type, group);
      const field = `{ ${comma} ${emitText(certain ? `,${key}` : key)} ${value} }`;
      fields.push(inclusion === null ? field : `if (${inclusion}) ${field}`);
      certain ||= inclusion === null;
    }
    return `function ${name}(s, c, p) {
  if (typeof s !== 'object') fail();
  const d = place.bytes;
  let v;
  ${emitText('{')}
  const start = p;
  ${fields.join('\n  ')}
  ${emitText('}')}
  return p;
}`;
  });
}

/** Compiles a writer to a JavaScript function; `null` for operations that are left to the interpreter. */
export function compileWriter(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
): CompiledWriter | null {
  return compileFunctions(context, rootType, entries, emitObject, TOOLS);
}
