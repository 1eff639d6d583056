import {
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * Runs `make`. A failure becomes a returned (or resolved) `Error`: both graphql-js and graphql-jit report it as the error of
 * this list item only.
 */
export function rejectionToError(make: () => unknown): unknown {
  try {
    const value = make();
    return value instanceof Promise ? value.then(undefined, toError) : value;
  } catch (reason) {
    return toError(reason);
  }
}

function settleItems(value: unknown): unknown {
  if (!Array.isArray(value)) {
    return value;
  }
  const needed = value.some((item) => item instanceof Promise || Array.isArray(item));
  return needed
    ? value.map((item) => (Array.isArray(item) ? settleItems(item) : rejectionToError(() => item)))
    : value;
}

function withSettledItems(
  resolve: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => {
    const value = resolve(source, args, context, info);
    return value instanceof Promise ? value.then(settleItems) : settleItems(value);
  };
}

const SETTLED = 'listItemsSettled';

/**
 * Makes list resolvers give an `Error` for an item whose promise rejects: graphql-jit 0.8.9 puts the null of such an
 * item at the end of the list instead of in its place. Changes the schema, once.
 */
export function settleLists(schema: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__'),
  );
  for (const field of types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()))) {
    const { resolve } = field;
    if (
      resolve !== undefined &&
      isListType(getNullableType(field.type)) &&
      field.extensions[SETTLED] !== true
    ) {
      field.resolve = withSettledItems(resolve);
      field.extensions = { ...field.extensions, [SETTLED]: true };
    }
  }
}
