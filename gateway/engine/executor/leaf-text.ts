import { hasTooManyLevels } from '../levels.ts';

/** The allowed values of a leaf: those of a scalar of the GraphQL specification, any JSON, or the values of an enum. */
export type LeafKind =
  | 'Int'
  | 'Float'
  | 'String'
  | 'Boolean'
  | 'ID'
  | 'custom'
  | ReadonlyMap<unknown, string>;

/** All but quotes, backslashes, control characters and surrogates. Only those may need an escape in JSON. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

function stringText(value: string): string {
  return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/**
 * The JSON of a custom scalar. Its subgraph may run in this process and return any value: a `Date`, which JSON can express, or
 * a bigint, which it cannot.
 */
function customText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return stringText(value);
  }
  try {
    return hasTooManyLevels(value) ? undefined : JSON.stringify(value);
  } catch {
    // The answer has an error for it.
    return undefined;
  }
}

/**
 * The JSON of a leaf in a subgraph's answer; undefined when its type cannot represent the value. A subgraph has coerced its
 * results already, so nothing but a number for an ID is converted.
 * Source: GraphQL specification (October 2021), sections 3.5 and 3.9, "Result Coercion".
 *
 * @param kind for an enum, the JSON of each of its values
 */
export function leafText(kind: LeafKind, value: unknown): string | undefined {
  switch (kind) {
    case 'String':
      return typeof value === 'string' ? stringText(value) : undefined;
    case 'ID':
      if (typeof value === 'string') {
        return stringText(value);
      }
      return Number.isInteger(value) ? `"${value}"` : undefined;
    case 'Int':
      return typeof value === 'number' && (value | 0) === value ? String(value) : undefined;
    case 'Float':
      return Number.isFinite(value) ? String(value) : undefined;
    case 'Boolean':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'custom':
      return customText(value);
    default:
      return kind.get(value);
  }
}
