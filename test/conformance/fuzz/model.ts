/**
 * A random graph as plain data: what its types are (`types`), and how they are divided into subgraphs (`subgraphs`).
 * `print.ts` writes the subgraphs' SDL from it, `world.ts` gives each field its values.
 */
export interface Model {
  /** Object types, interfaces and roots by name, as clients see them. */
  readonly types: Record<string, TypeModel>;
  readonly subgraphs: Record<string, Record<string, PlacedType>>;
}

export interface TypeModel {
  readonly name: string;
  /** `value`: an object without a key. `abstract`: an interface or a union. */
  readonly kind: 'entity' | 'value' | 'abstract' | 'root';
  /** Of an interface object: the object types behind it. */
  readonly implementors: string[];
  /** Of an interface: only fields that an interface object adds. */
  readonly fields: Record<string, FieldModel>;
}

export interface FieldModel {
  readonly name: string;
  /** As in SDL: `[Bee!]`. */
  readonly type: string;
  readonly args: readonly ArgumentModel[];
  /** The object types that its objects may have; empty for scalars and enums. */
  readonly members: readonly string[];
  /** Nothing goes wrong with it. Other fields depend on it, or several subgraphs answer it. */
  isSure: boolean;
  /** A value from which the object can be found again. */
  readonly identity?: 'id' | 'code' | 'ref';
  readonly requires?: { readonly subgraph: string; readonly selections: readonly Selection[] };
}

export interface ArgumentModel {
  readonly name: string;
  readonly type: string;
  /** A value; enum values as their names. */
  readonly default?: unknown;
}

/** A part of a field set. */
export type Selection =
  | { readonly on: string; readonly selections: readonly Selection[] }
  | {
      readonly name: string;
      readonly args?: Readonly<Record<string, number | string>>;
      readonly selections?: readonly Selection[];
    };

/** One subgraph's part of a type. */
export interface PlacedType {
  readonly name: string;
  readonly kind: 'type' | 'interface' | 'union';
  readonly isInterfaceObject?: boolean;
  /** Field sets. */
  readonly keys: string[];
  /** Whether references can be resolved here. */
  readonly isResolvable: boolean;
  readonly implements: string[];
  /** Of a union. */
  readonly members: string[];
  readonly fields: Record<string, Placement>;
}

/** One subgraph's definition of a field. */
export interface Placement {
  readonly isExternal?: boolean;
  readonly isShareable?: boolean;
  provides?: readonly Selection[];
  /** The subgraph that had the field before. */
  readonly override?: { readonly from: string; readonly label?: string };
  /** Another subgraph answers the field now, so that it must not be asked here. */
  isGone?: boolean;
}

/** The name inside of `[[Name!]]!`. */
export const namedType = (type: string): string => type.replaceAll(/[[\]!]/g, '');

export const isAbsent = (placement: Placement | undefined): boolean =>
  placement === undefined || placement.isExternal === true;

/** Finds a field of an object type, its own or one that an interface object adds. */
export function findField(model: Model, type: string, field: string): FieldModel {
  const found =
    model.types[type]?.fields[field] ??
    Object.values(model.types).find((other) => other.implementors.includes(type) && other.fields[field])
      ?.fields[field];
  if (found === undefined) {
    throw new Error(`The model has no field ${type}.${field}.`);
  }
  return found;
}

/** Whether an object of `typename` matches `... on condition` in this graph. */
export function matches(model: Model, typename: string, condition: string): boolean {
  return (
    typename === condition ||
    Object.values(model.subgraphs).some(
      (types) =>
        types[typename]?.implements.includes(condition) === true ||
        types[condition]?.members.includes(typename) === true,
    )
  );
}
