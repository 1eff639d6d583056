import {
  type GraphQLAbstractType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { OperationContext } from '../operation/collect-fields.ts';

/** The type of an object in an answer: an interface only if the data does not name the object type. */
export type ConcreteType = GraphQLObjectType | GraphQLInterfaceType;

/**
 * The type of an object of an abstract type: the one that it names, or the interface itself where the data names no object
 * type (a subgraph with an interface object does not know it, and the plan did not need it). `null` when this schema does not
 * have the type.
 */
export function resolveConcreteType(
  context: OperationContext,
  type: GraphQLAbstractType,
  typename: unknown,
): ConcreteType | null {
  if (typename === undefined) {
    return isInterfaceType(type) ? type : null;
  }
  const named = typeof typename === 'string' ? context.schema.getType(typename) : undefined;
  if (named === type && isInterfaceType(type)) {
    return type;
  }
  return (isObjectType(named) || isInterfaceType(named)) && context.schema.isSubType(type, named)
    ? named
    : null;
}
