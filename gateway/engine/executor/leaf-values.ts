import { type GraphQLLeafType, isEnumType, isSpecifiedScalarType } from 'graphql';
import { hasTooManyLevels } from '../levels.ts';
import { wireValue } from './wire-value.ts';

/** The allowed values of a leaf: those of a scalar of the GraphQL specification, or any JSON. */
export type ScalarKind = 'Int' | 'Float' | 'String' | 'Boolean' | 'ID' | 'custom';

const SPECIFIED: ReadonlySet<string> = new Set<ScalarKind>(['Int', 'Float', 'String', 'Boolean', 'ID']);

function isKind(name: string): name is ScalarKind {
  return SPECIFIED.has(name);
}

export function scalarKindOf(type: GraphQLLeafType): ScalarKind {
  return isSpecifiedScalarType(type) && isKind(type.name) ? type.name : 'custom';
}

/** The ID in a value of a subgraph, a string or a whole number; undefined for anything else. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : undefined;
}

/** A JavaScript expression that checks whether `v` is a valid value of a scalar. For an ID, `idOf` is used instead. */
export const IS_SCALAR: Readonly<Record<Exclude<ScalarKind, 'ID' | 'custom'>, string>> = {
  Int: '(v | 0) === v',
  Float: 'Number.isFinite(v)',
  String: "typeof v === 'string'",
  Boolean: "typeof v === 'boolean'",
};

function isScalar(kind: Exclude<ScalarKind, 'ID' | 'custom'>, value: unknown): boolean {
  switch (kind) {
    case 'Int':
      return typeof value === 'number' && (value | 0) === value;
    case 'Float':
      return Number.isFinite(value);
    case 'String':
    case 'Boolean':
      return typeof value === kind.toLowerCase();
  }
}

/**
 * The JSON of a leaf in a subgraph's answer; undefined when the type cannot represent the value. A subgraph has coerced its
 * results already, so nothing but a number for an ID is converted.
 * Source: GraphQL specification (October 2021), sections 3.5 and 3.9, "Result Coercion".
 */
export function leafOf(type: GraphQLLeafType, value: unknown): unknown {
  if (isEnumType(type)) {
    return typeof value === 'string' && type.getValue(value) !== undefined ? value : undefined;
  }
  const kind = scalarKindOf(type);
  if (kind === 'custom') {
    return hasTooManyLevels(value) ? undefined : wireValue(value);
  }
  if (kind === 'ID') {
    return idOf(value);
  }
  return isScalar(kind, value) ? value : undefined;
}
