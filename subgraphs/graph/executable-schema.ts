import {
  type DefinitionNode,
  type DocumentNode,
  extendSchema,
  type GraphQLInterfaceType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
} from 'graphql';

/** Resolvers by type and field; `__resolveType` for an abstract type. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Makes a subgraph's schema for a gateway in the same process: the types of the resolvers, the additions of the subgraph's
 * SDL, and `_entities` without a resolver. `@apollo/subgraph`, which makes the schema for gateways elsewhere, takes ten times
 * as long.
 * @param source made from the resolvers; it is not changed
 * @param typeDefs the subgraph's SDL
 * @param added resolvers of fields that the SDL has and `source` does not have
 */
export function createExecutableSchema(
  source: GraphQLSchema,
  typeDefs: DocumentNode,
  added: Resolvers,
): GraphQLSchema {
  const entities = entityNames(typeDefs);
  const definitions = typeDefs.definitions.flatMap((definition) => additionOf(definition, source));
  const machinery = entities.length > 0 ? entityFields(entities) : [];
  const schema = extendSchema(
    source,
    { kind: Kind.DOCUMENT, definitions: [...definitions, ...machinery] },
    // The SDL is that of a schema that composes; its federation directives are defined nowhere here.
    { assumeValidSDL: true },
  );
  addResolvers(schema, {
    ...added,
    _Entity: { __resolveType: ({ __typename }: { readonly __typename: string }) => __typename },
  });
  return schema;
}

function entityNames({ definitions }: DocumentNode): string[] {
  const named = definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION &&
    definition.directives?.some((directive) => directive.name.value === 'key')
      ? [definition.name.value]
      : [],
  );
  return named.toSorted();
}

function entityFields(entities: readonly string[]): readonly DefinitionNode[] {
  return parse(`
    scalar _Any
    union _Entity = ${entities.join(' | ')}
    extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
  `).definitions;
}

/** The part of a definition that the schema does not have. Only object types have more in the SDL than in the resolvers. */
function additionOf(definition: DefinitionNode, schema: GraphQLSchema): DefinitionNode[] {
  if (!('name' in definition) || definition.name === undefined || definition.kind.endsWith('Extension')) {
    return [];
  }
  const known = schema.getType(definition.name.value);
  if (known === undefined) {
    return definition.kind === Kind.DIRECTIVE_DEFINITION ? [] : [definition];
  }
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || !isObjectType(known)) {
    return [];
  }
  const fields = definition.fields?.filter(({ name }) => known.getFields()[name.value] === undefined) ?? [];
  return fields.length === 0 ? [] : [extensionOf(definition, fields, known.getInterfaces())];
}

function extensionOf(
  { name, interfaces = [] }: ObjectTypeDefinitionNode,
  fields: NonNullable<ObjectTypeDefinitionNode['fields']>,
  known: readonly GraphQLInterfaceType[],
): DefinitionNode {
  const names = new Set(known.map((one) => one.name));
  return {
    kind: Kind.OBJECT_TYPE_EXTENSION,
    name,
    fields,
    interfaces: interfaces.filter((one) => !names.has(one.name.value)),
  };
}

function addResolvers(schema: GraphQLSchema, resolvers: Resolvers): void {
  for (const [name, { __resolveType, ...fields }] of Object.entries(resolvers)) {
    const type = schema.getType(name);
    // The casts: resolvers are typed where they are declared, each for its own field.
    if (isAbstractType(type)) {
      type.resolveType = __resolveType as typeof type.resolveType;
    }
    if (isObjectType(type)) {
      for (const [field, resolve] of Object.entries(fields)) {
        const known = type.getFields()[field];
        if (known === undefined) {
          throw new TypeError(`There is no field ${name}.${field} to resolve`);
        }
        known.resolve = resolve as NonNullable<typeof known.resolve>;
      }
    }
  }
}
