import type { ScalarKind } from './leaf-values.ts';

/** Thrown for data that needs the exact projection: a forbidden null, a hidden type. */
export const INVALID_DATA = Symbol('invalid data');

/** The function that compiled code calls for such data. */
export function fail(): never {
  throw INVALID_DATA;
}

/** A field of an object that is compiled. */
export interface CompiledField {
  /** Its response key. */
  readonly key: string;
  /** An expression for its value. */
  readonly value: string;
  /** An expression for a value that must be a string; `null` for other fields, for which `value` is enough. */
  readonly string: string | null;
  /** An expression for whether the answer has it; `null` when every answer has it. */
  readonly inclusion: string | null;
}

/**
 * The output of a compiled projection: objects, or JSON text at once. Its methods return JavaScript, in which `v`
 * is a value of the subgraph, neither null nor undefined, `s` an object, `a` a list and `i` an index in it, `c` the values of
 * conditions and `m` what the functions hand on: a meter, or the text so far.
 */
export interface Form {
  /** Functions that the JavaScript calls, by name. */
  readonly helpers: Readonly<Record<string, unknown>>;
  /** An expression for null. */
  readonly nothing: string;
  typename(name: string): string;
  /** @param names an expression for a map from the enum's values to their JSON */
  enumValue(names: string): string;
  scalar(kind: ScalarKind): string;
  /** @param access an expression for a value of any kind, null or undefined too, that is passed on as it is */
  unchecked(access: string): string;
  /** A function `name(a, c, m)`. @param item an expression for the item at `i` */
  list(name: string, item: string): string;
  /** A function `name(s, c, m)`. */
  object(name: string, fields: readonly CompiledField[]): string;
}

/** A form whose functions make `Made` and hand on `Handed`. */
export interface ProjectionForm<Made, Handed> extends Form {
  /** Never set: it only ties the types to the form. */
  readonly types?: (handed: Handed) => Made;
}
