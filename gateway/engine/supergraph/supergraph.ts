import {
  buildASTSchema,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type InterfaceTypeDefinitionNode,
  isAbstractType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { readLinks } from './links.ts';
import { type RequirementIndex, readRequirements } from './requirements.ts';
import { installScalarInputs, type ScalarInput } from './scalar-inputs.ts';
import { readSchemaDocuments } from './schema-documents.ts';

/** Information about types beyond the public schema, for the executor. */
export interface TypeIndex {
  /** Whether an object whose `__typename` is `typename` matches `... on condition`. */
  satisfies(typename: string, condition: string): boolean;
  isObjectType(name: string): boolean;
  isNonNullField(type: string, field: string): boolean;
  /** Key field sets by which `subgraph` resolves references to `type`; empty when there are none. */
  keys(type: string, subgraph: string): readonly SelectionSetNode[];
}

/** Field names with which a response key may collide while a plan runs; see `planner/response-keys.ts`. */
export interface FieldNameIndex {
  readonly all: ReadonlySet<string>;
  /** Names that occur in a key or in a `@requires`: plans fetch them for themselves. */
  readonly own: ReadonlySet<string>;
}

/** A parsed supergraph. */
export interface Supergraph {
  readonly document: DocumentNode;
  /** For clients: without `@inaccessible` parts and federation machinery. */
  readonly publicSchema: GraphQLSchema;
  /** For trusted documents: with `@inaccessible` parts. */
  readonly fullSchema: GraphQLSchema;
  /** Subgraph names as plans use them, with the routing URL of `@join__graph` (may be empty). */
  readonly subgraphs: readonly { readonly name: string; readonly url: string }[];
  readonly types: TypeIndex;
  readonly fieldNames: FieldNameIndex;
  /** Public interfaces and unions that may turn out to be of a type that clients must not know. */
  readonly partlyHiddenTypes: ReadonlySet<string>;
  /** The requirements of `@authenticated` and `@requiresScopes`. */
  readonly requirements: RequirementIndex;
}

type ComposedType = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

function argument(directive: ConstDirectiveNode, name: string): string | boolean | undefined {
  const value = directive.arguments?.find((node) => node.name.value === name)?.value;
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM || value?.kind === Kind.BOOLEAN
    ? value.value
    : undefined;
}

function parseFieldSet(fieldSet: string): SelectionSetNode {
  const definition = parse(`{${fieldSet}}`, { noLocation: true }).definitions[0];
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    throw new Error(`Not a field set: ${fieldSet}`);
  }
  return definition.selectionSet;
}

function composedTypes(document: DocumentNode): ComposedType[] {
  return document.definitions.filter(
    (node): node is ComposedType =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION,
  );
}

interface NamedGraph {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

function readSubgraphs(document: DocumentNode): NamedGraph[] {
  const graphs = document.definitions.find(
    (node) => node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === 'join__Graph',
  );
  if (graphs?.kind !== Kind.ENUM_TYPE_DEFINITION) {
    throw new Error('Not a Federation 2 supergraph: it has no enum join__Graph.');
  }
  return (graphs.values ?? []).map((value) => {
    const directive = value.directives?.find((node) => node.name.value === 'join__graph');
    const name = directive === undefined ? undefined : argument(directive, 'name');
    const url = directive === undefined ? undefined : argument(directive, 'url');
    return { id: value.name.value, name: String(name ?? value.name.value), url: String(url ?? '') };
  });
}

function readKeys(
  types: readonly ComposedType[],
  graphs: readonly NamedGraph[],
): Map<string, SelectionSetNode[]> {
  const names = new Map(graphs.map((graph) => [graph.id, graph.name]));
  const keys = new Map<string, SelectionSetNode[]>();
  for (const type of types) {
    for (const directive of type.directives ?? []) {
      const key = directive.name.value === 'join__type' ? argument(directive, 'key') : undefined;
      if (typeof key !== 'string' || argument(directive, 'resolvable') === false) {
        continue;
      }
      const id = `${type.name.value} ${names.get(String(argument(directive, 'graph')))}`;
      keys.set(id, [...(keys.get(id) ?? []), parseFieldSet(key)]);
    }
  }
  return keys;
}

/** Field sets of keys and of `@requires`. */
function ownFieldSets(types: readonly ComposedType[]): SelectionSetNode[] {
  const fields = types.flatMap((type): readonly FieldDefinitionNode[] => type.fields ?? []);
  const directives = [...types, ...fields].flatMap((node) => node.directives ?? []);
  return directives.flatMap((directive) => {
    const fieldSet =
      directive.name.value === 'join__type' ? argument(directive, 'key') : argument(directive, 'requires');
    return typeof fieldSet === 'string' ? [parseFieldSet(fieldSet)] : [];
  });
}

function readFieldNames(types: readonly ComposedType[]): FieldNameIndex {
  const own = new Set<string>();
  for (const fieldSet of ownFieldSets(types)) {
    visit(fieldSet, { Field: ({ name }) => void own.add(name.value) });
  }
  return { all: new Set(types.flatMap((type) => (type.fields ?? []).map(({ name }) => name.value))), own };
}

function createTypeIndex(
  schema: GraphQLSchema,
  keys: ReadonlyMap<string, readonly SelectionSetNode[]>,
): TypeIndex {
  return {
    satisfies(typename, condition) {
      if (typename === condition) {
        return true;
      }
      const abstract = schema.getType(condition);
      const type = schema.getType(typename);
      return (
        isAbstractType(abstract) &&
        (isObjectType(type) || isInterfaceType(type)) &&
        schema.isSubType(abstract, type)
      );
    },
    isNonNullField(name, field) {
      const type = schema.getType(name);
      return (isObjectType(type) || isInterfaceType(type)) && isNonNullType(type.getFields()[field]?.type);
    },
    isObjectType: (name) => isObjectType(schema.getType(name)),
    keys: (type, subgraph) => keys.get(`${type} ${subgraph}`) ?? [],
  };
}

function readPartlyHiddenTypes(publicSchema: GraphQLSchema, fullSchema: GraphQLSchema): Set<string> {
  const abstract = Object.values(publicSchema.getTypeMap()).filter(isAbstractType);
  return new Set(
    abstract.flatMap(({ name }) => {
      const type = fullSchema.getType(name);
      const possible = isAbstractType(type) ? fullSchema.getPossibleTypes(type) : [];
      return possible.some((concrete) => publicSchema.getType(concrete.name) === undefined) ? [name] : [];
    }),
  );
}

/**
 * Reads a Federation 2 supergraph.
 *
 * @param scalars the parsers of its custom scalars; other scalars accept every value
 * @throws when the document does not parse, is not a supergraph, or does not build a schema.
 */
export function readSupergraph(sdl: string, scalars: readonly ScalarInput[] = []): Supergraph {
  const document = parse(sdl);
  const specs = readLinks(document);
  const { publicDocument, fullDocument } = readSchemaDocuments(document, specs);
  const publicSchema = buildASTSchema(publicDocument, { assumeValidSDL: true });
  const fullSchema = buildASTSchema(fullDocument, { assumeValidSDL: true });
  installScalarInputs(publicSchema, scalars);
  installScalarInputs(fullSchema, scalars);
  const types = composedTypes(document);
  const graphs = readSubgraphs(document);
  return {
    document,
    publicSchema,
    fullSchema,
    subgraphs: graphs.map(({ name, url }) => ({ name, url })),
    types: createTypeIndex(fullSchema, readKeys(types, graphs)),
    fieldNames: readFieldNames(types),
    partlyHiddenTypes: readPartlyHiddenTypes(publicSchema, fullSchema),
    requirements: readRequirements(document, fullSchema, specs),
  };
}
