import {
  type GraphQLSchema,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * Writes number literals of some scalars (`amount: 10.10`) as strings of the same digits. Hive Router 0.0.38 reads
 * literals as floats of 64 bits, and prints what is left of them.
 *
 * @param scalars names of the scalars
 */
export function withExactNumbers(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  scalars: ReadonlySet<string>,
): OperationDefinitionNode {
  if (scalars.size === 0) {
    return operation;
  }
  const types = new TypeInfo(schema);
  const asText = (node: { readonly value: string }): ValueNode | undefined =>
    scalars.has(getNamedType(types.getInputType())?.name ?? '')
      ? { kind: Kind.STRING, value: node.value }
      : undefined;
  return visit(operation, visitWithTypeInfo(types, { IntValue: asText, FloatValue: asText }));
}
