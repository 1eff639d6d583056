import {
  type ArgumentNode,
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  Kind,
  print,
  type ValueNode,
} from 'graphql';

/** Writes values as subgraphs get them. */
export interface ExactNumbers {
  /** Arguments as text, in one order; '' when there are none. */
  write(args: readonly ArgumentNode[], definitions: readonly GraphQLArgument[]): string;
  value(node: ValueNode, type: GraphQLInputType | undefined): ValueNode;
}

/**
 * Writes number literals of some scalars (`amount: 10.10`) as strings of the same digits: subgraphs, and proxies before
 * them, may read literals as floats of 64 bits and round them.
 *
 * @param scalars names of the scalars
 */
export function createExactNumbers(scalars: ReadonlySet<string>): ExactNumbers {
  function value(node: ValueNode, type: GraphQLInputType | undefined): ValueNode {
    const named = getNamedType(type);
    switch (node.kind) {
      case Kind.INT:
      case Kind.FLOAT:
        return scalars.has(named?.name ?? '') ? { kind: Kind.STRING, value: node.value } : node;
      case Kind.LIST:
        return { ...node, values: node.values.map((item) => value(item, type)) };
      case Kind.OBJECT: {
        const fields = isInputObjectType(named) ? named.getFields() : {};
        return {
          ...node,
          fields: node.fields.map((field) => ({
            ...field,
            value: value(field.value, fields[field.name.value]?.type),
          })),
        };
      }
      default:
        return node;
    }
  }
  return {
    value,
    write: (args, definitions) =>
      args
        .map((argument) => {
          const type = definitions.find(({ name }) => name === argument.name.value)?.type;
          return `${argument.name.value}: ${print(value(argument.value, type))}`;
        })
        .sort()
        .join(', '),
  };
}
