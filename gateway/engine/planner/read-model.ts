import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  parse,
  parseType,
  print,
  type SelectionSetNode,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql';
import { argumentOf, isTypeDefinition, textOf } from '../supergraph/directives.ts';
import { remember } from './remember.ts';

/** The selection of a `@key`, `@requires` or `@provides`. The same text has the same object. */
export interface FieldSet {
  readonly text: string;
  readonly selectionSet: SelectionSetNode;
}

/** A field as one subgraph has it. */
export interface Place {
  readonly subgraph: string;
  /** The type that has the field there: an object type or an interface. */
  readonly owner: string;
  /** The named type that it returns there. */
  readonly type: string;
  /** The same with its lists and non-nulls, such as `[User!]`. */
  readonly shape: string;
  /** Whether the subgraph only names the field: it resolves it where `@provides` says so. */
  readonly isExternal: boolean;
  readonly requires: FieldSet | null;
  readonly provides: FieldSet | null;
}

/** A way into a subgraph for objects of a class: a reference to `owner` by the key. */
export interface Entrance {
  readonly subgraph: string;
  readonly owner: string;
  /** `null` for a root type, which needs no reference. */
  readonly key: FieldSet | null;
}

/** A type of the supergraph, with what each subgraph has of it. */
export interface TypeModel {
  readonly kind: 'object' | 'interface' | 'union' | 'leaf';
  readonly fields: Map<string, { readonly type: string; readonly places: Map<string, Place> }>;
  readonly entrances: readonly Entrance[];
  /** Subgraphs that know it as an interface object. */
  readonly interfaceObjects: ReadonlySet<string>;
  /** Interfaces of an object type, in any subgraph. */
  readonly interfaces: ReadonlySet<string>;
  /** Of an abstract type: its object types by subgraph. */
  readonly members: Map<string, Set<string>>;
}

export const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);
const KINDS: Readonly<Partial<Record<Kind, TypeModel['kind']>>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'object',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
};
const NO_FIELDS: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] };
/** The percentage at which an `@override` with a label is on for every request. */
const EVERY_REQUEST = 100;

function nameOf(node: TypeNode): string {
  return node.kind === Kind.NAMED_TYPE ? node.name.value : nameOf(node.type);
}

function flag(directive: ConstDirectiveNode, name: string): boolean {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.BOOLEAN && value.value;
}

/** Whether the new subgraph of a progressive `@override` answers. Plans are kept, so it is all requests or none. */
function isOverrideOn(label: string): boolean {
  const percent = /^percent\((\d+(?:\.\d+)?)\)$/.exec(label)?.[1];
  return percent !== undefined && Number(percent) >= EVERY_REQUEST;
}

function directivesOf(node: { readonly directives?: readonly ConstDirectiveNode[] }, name: string) {
  return (node.directives ?? []).filter((directive) => directive.name.value === name);
}

function topFields(set: SelectionSetNode | undefined): string[] {
  return (set?.selections ?? []).flatMap((selection) =>
    selection.kind === Kind.FIELD ? [selection.name.value] : [],
  );
}

function readFieldSet(text: string): FieldSet {
  const [operation] = parse(`{${text}}`, { noLocation: true }).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) {
    throw new Error(`Not a field set: ${text}`);
  }
  return { text, selectionSet: operation.selectionSet };
}

function readSubgraphs(definitions: readonly TypeDefinitionNode[]): Map<string, string> {
  const graphs = definitions.find((node) => node.name.value === 'join__Graph');
  const values = graphs?.kind === Kind.ENUM_TYPE_DEFINITION ? (graphs.values ?? []) : [];
  return new Map(
    values.map((value) => {
      const [graph] = directivesOf(value, 'join__graph');
      const name = graph === undefined ? undefined : textOf(graph, 'name');
      return [value.name.value, name ?? value.name.value];
    }),
  );
}

class ModelReader {
  readonly types = new Map<string, TypeModel>();
  readonly names: ReadonlyMap<string, string>;
  private readonly fieldSets = new Map<string, FieldSet>();

  constructor(document: DocumentNode) {
    const definitions = document.definitions.filter(isTypeDefinition);
    this.names = readSubgraphs(definitions);
    for (const node of definitions) {
      this.types.set(node.name.value, this.readType(node));
    }
    for (const node of definitions) {
      this.readMembers(node);
    }
    for (const [name, { fields }] of this.types) {
      for (const place of [...fields.values()].flatMap(({ places }) => [...places.values()])) {
        this.markNamed(name, place.subgraph, place.requires?.selectionSet ?? NO_FIELDS);
        this.markNamed(place.type, place.subgraph, place.provides?.selectionSet ?? NO_FIELDS);
      }
    }
  }

  private subgraphOf(directive: ConstDirectiveNode): string | undefined {
    return this.names.get(textOf(directive, 'graph') ?? '');
  }

  private fieldSetOf(directive: ConstDirectiveNode, name: string): FieldSet | null {
    const text = textOf(directive, name);
    return text === undefined ? null : remember(this.fieldSets, text, () => readFieldSet(text));
  }

  private readType(node: TypeDefinitionNode): TypeModel {
    const owner = node.name.value;
    const joins = directivesOf(node, 'join__type');
    const subgraphs = [...new Set(joins.flatMap((join) => this.subgraphOf(join) ?? []))];
    const fields =
      'fields' in node && node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION ? (node.fields ?? []) : [];
    return {
      kind: KINDS[node.kind] ?? 'leaf',
      fields: new Map(
        fields.map((field) => [
          field.name.value,
          { type: nameOf(field.type), places: this.readPlaces(owner, field, subgraphs) },
        ]),
      ),
      entrances: ROOTS.has(owner)
        ? subgraphs.map((subgraph) => ({ subgraph, owner, key: null }))
        : joins.flatMap((join) => this.readEntrance(owner, join)),
      interfaceObjects: new Set(
        joins.flatMap((join) => (flag(join, 'isInterfaceObject') ? (this.subgraphOf(join) ?? []) : [])),
      ),
      interfaces: new Set(
        directivesOf(node, 'join__implements').flatMap((one) => textOf(one, 'interface') ?? []),
      ),
      members: new Map(),
    };
  }

  private readEntrance(owner: string, join: ConstDirectiveNode): Entrance[] {
    const subgraph = this.subgraphOf(join);
    const key = this.fieldSetOf(join, 'key');
    const isResolvable = argumentOf(join, 'resolvable') === undefined || flag(join, 'resolvable');
    return subgraph !== undefined && key !== null && isResolvable ? [{ subgraph, owner, key }] : [];
  }

  private readPlaces(
    owner: string,
    field: FieldDefinitionNode,
    subgraphs: readonly string[],
  ): Map<string, Place> {
    const joins = directivesOf(field, 'join__field');
    if (joins.length === 0) {
      const shape = print(field.type);
      const common = {
        owner,
        type: nameOf(field.type),
        shape,
        isExternal: false,
        requires: null,
        provides: null,
      };
      return new Map(subgraphs.map((subgraph) => [subgraph, { ...common, subgraph }]));
    }
    const overridden = new Set(
      joins.flatMap((join) =>
        isOverrideOn(textOf(join, 'overrideLabel') ?? '') ? (textOf(join, 'override') ?? []) : [],
      ),
    );
    return new Map(
      joins.flatMap((join): [string, Place][] => {
        const subgraph = this.subgraphOf(join);
        return subgraph === undefined
          ? []
          : [
              [
                subgraph,
                this.readPlace({ owner, subgraph, field, join, isOverridden: overridden.has(subgraph) }),
              ],
            ];
      }),
    );
  }

  private readPlace(given: {
    readonly owner: string;
    readonly subgraph: string;
    readonly field: FieldDefinitionNode;
    readonly join: ConstDirectiveNode;
    readonly isOverridden: boolean;
  }): Place {
    const { owner, subgraph, field, join, isOverridden } = given;
    if (argumentOf(join, 'contextArguments') !== undefined) {
      throw new Error(`${owner}.${field.name.value} uses @fromContext, which is not supported.`);
    }
    const shape = textOf(join, 'type') ?? print(field.type);
    const label = textOf(join, 'overrideLabel');
    const isOff = label !== undefined && textOf(join, 'override') !== undefined && !isOverrideOn(label);
    // With a label, the field is used there by others and overridden for some requests only.
    const isUsedOnly = flag(join, 'usedOverridden') && label === undefined;
    return {
      subgraph,
      owner,
      shape,
      type: nameOf(parseType(shape, { noLocation: true })),
      isExternal: flag(join, 'external') || isUsedOnly || isOff || isOverridden,
      requires: this.fieldSetOf(join, 'requires'),
      provides: this.fieldSetOf(join, 'provides'),
    };
  }

  /**
   * Marks fields of interface objects as external that their subgraph requires or provides elsewhere, and that another
   * subgraph resolves. Composition (@theguild/federation-composition 0.27.0) loses `@external` on a field of an interface
   * that all its subgraphs have. Where the field is `@shareable` instead, this costs a fetch.
   */
  private markNamed(type: string, subgraph: string, { selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.markNamed(selection.typeCondition?.name.value ?? type, subgraph, selection.selectionSet);
      } else if (selection.kind === Kind.FIELD) {
        const field = selection.name.value;
        this.markField(type, field, subgraph);
        const below = this.types.get(type)?.fields.get(field)?.type ?? '';
        this.markNamed(below, subgraph, selection.selectionSet ?? NO_FIELDS);
      }
    }
  }

  private markField(type: string, field: string, subgraph: string): void {
    const { entrances = [], fields, interfaceObjects } = this.types.get(type) ?? {};
    const places = fields?.get(field)?.places ?? new Map<string, Place>();
    const place = places.get(subgraph);
    const isElsewhere = [...places.values()].some((other) => other !== place && !other.isExternal);
    const keys = entrances.filter((entrance) => entrance.subgraph === subgraph);
    const isKey = keys.some(({ key }) => topFields(key?.selectionSet).includes(field));
    if (place !== undefined && isElsewhere && !isKey && interfaceObjects?.has(subgraph) === true) {
      places.set(subgraph, { ...place, isExternal: true });
    }
  }

  private readMembers(node: TypeDefinitionNode): void {
    const name = node.name.value;
    for (const join of directivesOf(node, 'join__unionMember')) {
      this.addMember(name, textOf(join, 'member') ?? '', join);
    }
    for (const join of directivesOf(node, 'join__implements')) {
      const isInterfaceObject =
        this.types.get(name)?.interfaceObjects.has(this.subgraphOf(join) ?? '') === true;
      if (node.kind === Kind.OBJECT_TYPE_DEFINITION || isInterfaceObject) {
        this.addMember(textOf(join, 'interface') ?? '', name, join);
      }
    }
  }

  private addMember(abstract: string, member: string, join: ConstDirectiveNode): void {
    const members = this.types.get(abstract)?.members;
    const subgraph = this.subgraphOf(join);
    if (members !== undefined && subgraph !== undefined) {
      remember(members, subgraph, () => new Set()).add(member);
    }
  }
}

/**
 * Reads the types of a supergraph from the directives of the `join` specification.
 *
 * @throws when the supergraph uses `@fromContext`, which is not supported.
 */
export function readTypes(document: DocumentNode): ReadonlyMap<string, TypeModel> {
  return new ModelReader(document).types;
}
