import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
  parse,
} from 'graphql';

/** An entity that becomes a node. */
export interface NodeType {
  readonly name: string;
  /** The field that is its key: the raw id. */
  readonly key: string;
  /** Type of that field; default ID. */
  readonly keyType?: 'ID' | 'String';
}

type ObjectType = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;

const NODE = parse(`
  """Any record with an id that is unique in the whole graph."""
  interface Node { ${nodeIdField()} }
`);
const QUERY = typeOf(`
  type Query {
    """The partner's record with this nodeId; null if there is none."""
    node("""The nodeId of any type.""" id: ID!): Node @requiresScopes(scopes: [["partner"]])
  }
`);

/**
 * Adds the interface `Node`, the field `Query.node`, and `nodeId` to each of the types. A type that the document
 * does not have is added with its key alone: the subgraph lends `nodeId` to another one's type.
 */
export function withNodes(document: DocumentNode, types: readonly NodeType[]): DocumentNode {
  const byName = new Map(types.map((type) => [type.name, type]));
  const known = new Set<string>();
  const definitions = document.definitions.map((definition) => {
    if (!isObjectType(definition)) {
      return definition;
    }
    const { value: name } = definition.name;
    const type = byName.get(name);
    if (type && !known.has(name)) {
      known.add(name);
      return mergeTypes(definition, lent(type));
    }
    return name === 'Query' ? mergeTypes(definition, QUERY) : definition;
  });
  const added = types.filter(({ name }) => !known.has(name)).map(stub);
  return { ...document, definitions: [...definitions, ...NODE.definitions, ...added] };
}

function isObjectType(definition: DefinitionNode): definition is ObjectType {
  return definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION;
}

/** The fields of every node, as a type with its key. */
function lent({ name, key }: NodeType): ObjectTypeDefinitionNode {
  return typeOf(`type ${name} implements Node @key(fields: "${key}") { ${nodeIdField()} }`);
}

function stub({ name, key, keyType = 'ID' }: NodeType): ObjectTypeDefinitionNode {
  return typeOf(
    `type ${name} implements Node @key(fields: "${key}") { ${key}: ${keyType}! ${nodeIdField()} }`,
  );
}

/** Parses the object type of a text. */
export function typeOf(sdl: string): ObjectTypeDefinitionNode {
  const type = parse(sdl).definitions.find((one) => one.kind === Kind.OBJECT_TYPE_DEFINITION);
  if (!type) {
    throw new TypeError('The text has no object type');
  }
  return type;
}

function nodeIdField(): string {
  return '"""Id that is unique in the whole graph, for `node`.""" nodeId: ID!';
}

/** Adds to a type the interfaces and fields of another one, and the directives that it does not have yet. */
export function mergeTypes(
  type: ObjectType,
  { interfaces = [], fields = [], directives = [] }: ObjectType,
): ObjectType {
  const own = new Set(type.directives?.map(directiveText));
  return {
    ...type,
    interfaces: [...(type.interfaces ?? []), ...interfaces],
    fields: [...(type.fields ?? []), ...fields],
    directives: [...(type.directives ?? []), ...directives.filter((one) => !own.has(directiveText(one)))],
  };
}

function directiveText({ name, arguments: given = [] }: ConstDirectiveNode): string {
  return JSON.stringify([
    name.value,
    given.map((one) => [one.name.value, 'value' in one.value && one.value.value]),
  ]);
}
