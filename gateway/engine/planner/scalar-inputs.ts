import { type GraphQLScalarType, type GraphQLSchema, isScalarType } from 'graphql';

/** How values of a custom scalar that clients write are read. A supergraph's SDL names its scalars, and says no more. */
export interface ScalarInput {
  /** Its `parseValue` and `parseLiteral` throw for what cannot be read. What they return is not used. */
  readonly type: GraphQLScalarType;
  /**
   * Whether a number literal is sent to subgraphs as a string of the same digits. Without it planners may read the
   * literal as a float and round it. The subgraph must take strings.
   */
  readonly numbersAsText?: boolean;
}

/** Has the scalars of a schema read what clients write; a scalar that the schema does not have is passed over. */
export function installScalarInputs(schema: GraphQLSchema, scalars: readonly ScalarInput[]): void {
  for (const { type } of scalars) {
    const own = schema.getType(type.name);
    if (isScalarType(own)) {
      own.parseValue = (value) => type.parseValue(value);
      own.parseLiteral = (node, variables) => type.parseLiteral(node, variables);
    }
  }
}
