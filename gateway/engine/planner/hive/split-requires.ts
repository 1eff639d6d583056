import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  Kind,
  parse,
  print,
  type SelectionNode,
  type TypeDefinitionNode,
} from 'graphql';
import { argumentOf, isTypeDefinition, textOf } from '../../supergraph/directives.ts';

/** Suffix of the names of split-off subgraphs; no subgraph's name ends with it. */
export const SPLIT = ' (requires)';
const SPLIT_ID = '__REQUIRES';
const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);

const graphOf = (directive: ConstDirectiveNode): string | undefined => textOf(directive, 'graph');

function fieldsOf(node: DefinitionNode): readonly FieldDefinitionNode[] {
  return node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
    ? (node.fields ?? [])
    : [];
}

function graphsThatRequire(document: DocumentNode): Set<string> {
  const directives = document.definitions.flatMap(fieldsOf).flatMap((field) => field.directives ?? []);
  return new Set(
    directives.flatMap((directive) =>
      textOf(directive, 'requires') === undefined ? [] : (graphOf(directive) ?? []),
    ),
  );
}

function moved(directive: ConstDirectiveNode): ConstDirectiveNode {
  const move = (argument: ConstArgumentNode): ConstArgumentNode =>
    argument.name.value === 'graph' && argument.value.kind === Kind.ENUM
      ? { ...argument, value: { ...argument.value, value: argument.value.value + SPLIT_ID } }
      : argument;
  return { ...directive, arguments: (directive.arguments ?? []).map(move) };
}

interface Splitting {
  /** Ids of the graphs of which a part is split off. */
  readonly graphs: ReadonlySet<string>;
}

/** Each directive that names such a graph, and the same for the part that is split off. */
function doubled(
  { graphs }: Splitting,
  directives: readonly ConstDirectiveNode[] = [],
): ConstDirectiveNode[] {
  return directives.flatMap((directive) =>
    graphs.has(graphOf(directive) ?? '') ? [directive, moved(directive)] : [directive],
  );
}

function keyNames(directives: readonly ConstDirectiveNode[]): Set<string> {
  const keys = directives.flatMap((directive) => textOf(directive, 'key') ?? []);
  const selections = keys.flatMap((key): readonly SelectionNode[] => {
    const [operation] = parse(`{${key}}`, { noLocation: true }).definitions;
    return operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
  });
  return new Set(selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : [])));
}

function joinField(graph: string): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: 'join__field' },
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'graph' },
        value: { kind: Kind.ENUM, value: graph },
      },
    ],
  };
}

/** Of an entity only its keys and what has or serves `@requires` are split off; the rest stays where it was. */
function splitField(
  splitting: Splitting,
  field: FieldDefinitionNode,
  keys: ReadonlySet<string>,
  owners: readonly string[],
): FieldDefinitionNode {
  if (keys.size === 0 || keys.has(field.name.value)) {
    return { ...field, directives: doubled(splitting, field.directives) };
  }
  const own = field.directives ?? [];
  const isEverywhere = !own.some(({ name }) => name.value === 'join__field');
  const directives = isEverywhere ? [...own, ...owners.map(joinField)] : own;
  return {
    ...field,
    directives: directives.flatMap((directive) => {
      if (!splitting.graphs.has(graphOf(directive) ?? '')) {
        return [directive];
      }
      if (textOf(directive, 'requires') !== undefined) {
        return [moved(directive)];
      }
      const external = argumentOf(directive, 'external');
      return external?.kind === Kind.BOOLEAN && external.value ? [directive, moved(directive)] : [directive];
    }),
  };
}

function splitGraphs(splitting: Splitting, node: EnumTypeDefinitionNode): EnumTypeDefinitionNode {
  const values = (node.values ?? []).flatMap((value) => {
    if (!splitting.graphs.has(value.name.value)) {
      return [value];
    }
    const rename = (argument: ConstArgumentNode): ConstArgumentNode =>
      argument.name.value === 'name' && argument.value.kind === Kind.STRING
        ? { ...argument, value: { ...argument.value, value: argument.value.value + SPLIT } }
        : argument;
    const directives = (value.directives ?? []).map((directive) => ({
      ...directive,
      arguments: (directive.arguments ?? []).map(rename),
    }));
    return [value, { ...value, name: { ...value.name, value: value.name.value + SPLIT_ID }, directives }];
  });
  return { ...node, values };
}

function splitType(splitting: Splitting, node: TypeDefinitionNode): TypeDefinitionNode {
  if (ROOTS.has(node.name.value)) {
    return node;
  }
  const directives = doubled(splitting, node.directives);
  switch (node.kind) {
    case Kind.ENUM_TYPE_DEFINITION:
      return node.name.value === 'join__Graph'
        ? splitGraphs(splitting, node)
        : {
            ...node,
            directives,
            values: (node.values ?? []).map((value) => ({
              ...value,
              directives: doubled(splitting, value.directives),
            })),
          };
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return {
        ...node,
        directives,
        fields: (node.fields ?? []).map((field) => ({
          ...field,
          directives: doubled(splitting, field.directives),
        })),
      };
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const joins = (node.directives ?? []).filter(({ name }) => name.value === 'join__type');
      const keys = keyNames(joins.filter((join) => splitting.graphs.has(graphOf(join) ?? '')));
      const owners = [...new Set(joins.flatMap((join) => graphOf(join) ?? []))];
      return {
        ...node,
        directives,
        fields: (node.fields ?? []).map((field) => splitField(splitting, field, keys, owners)),
      };
    }
    default:
      return { ...node, directives };
  }
}

/**
 * Writes a supergraph in which fields with `@requires` are in subgraphs of their own, called like those that they are
 * from with `SPLIT` behind it. The planner finds plans for it that it does not find otherwise (Hive Router 0.0.38: for a
 * `@requires` field of an entity that was reached inside an entity of the same subgraph), though with more fetches.
 *
 * @returns `null` when nothing has `@requires`
 */
export function splitRequires(supergraphSdl: string): string | null {
  const document = parse(supergraphSdl, { noLocation: true });
  const splitting: Splitting = { graphs: graphsThatRequire(document) };
  if (splitting.graphs.size === 0) {
    return null;
  }
  const definitions = document.definitions.map((node) =>
    isTypeDefinition(node) ? splitType(splitting, node) : node,
  );
  return print({ ...document, definitions });
}
