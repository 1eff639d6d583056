import { type GraphQLObjectType, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';
import { rejectionToError } from './settle-lists.ts';

interface Reference {
  readonly __typename: string;
}

type ResolveReference = (reference: unknown, context: unknown, info: GraphQLResolveInfo) => unknown;

function referenceResolver(type: GraphQLObjectType): ResolveReference | undefined {
  // `@apollo/subgraph` puts it there, and exports no type for it.
  const apollo = type.extensions.apollo as { subgraph?: { resolveReference?: ResolveReference } } | undefined;
  return apollo?.subgraph?.resolveReference;
}

/** The entity with its `__typename`, where `_Entity` looks for it. An object that already has the name stays as it is. */
function withTypename(entity: unknown, typename: string): unknown {
  if (typeof entity !== 'object' || entity === null) {
    return entity;
  }
  if ('__typename' in entity) {
    return entity.__typename === typename ? entity : { ...entity, __typename: typename };
  }
  return Object.isExtensible(entity)
    ? Object.defineProperty(entity, '__typename', { value: typename })
    : Object.create(entity, { __typename: { value: typename } });
}

/**
 * Replaces the `_entities` resolver of a schema made by `@apollo/subgraph`. The new one makes no promise for an entity whose
 * `__resolveReference` needs none, and an entity whose resolver throws fails alone. References to interfaces go to the
 * original resolver.
 * Changes the schema; a schema without `_entities` is left alone.
 */
export function accelerateEntities(schema: GraphQLSchema): void {
  const field = schema.getQueryType()?.getFields()._entities;
  const original = field?.resolve;
  if (field === undefined || original === undefined || field.extensions.accelerated === true) {
    return;
  }
  field.extensions = { ...field.extensions, accelerated: true };
  field.resolve = (source, args, context, info) => {
    const references: readonly Reference[] = args.representations;
    if (references.some(({ __typename }) => !isObjectType(schema.getType(__typename)))) {
      return original(source, args, context, info);
    }
    return references.map((reference) => rejectionToError(() => resolveReference(reference, context, info)));
  };

  function resolveReference(reference: Reference, context: unknown, info: GraphQLResolveInfo): unknown {
    const typename = reference.__typename;
    const type = schema.getType(typename);
    const resolve = isObjectType(type) ? referenceResolver(type) : undefined;
    const entity = resolve === undefined ? reference : resolve(reference, context, info);
    return entity instanceof Promise
      ? entity.then((value) => withTypename(value, typename))
      : withTypename(entity, typename);
  }
}
