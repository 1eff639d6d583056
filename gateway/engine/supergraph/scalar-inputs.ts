import { type GraphQLScalarType, type GraphQLSchema, isScalarType } from 'graphql';

/** Parses clients' values of a custom scalar. A supergraph only names its scalars. */
export interface ScalarInput {
  /** Its `parseValue` and `parseLiteral` throw for values that cannot be read. Their result is not used. */
  readonly type: GraphQLScalarType;
  /**
   * Whether a number literal is sent to subgraphs as a string of the same digits. Without it planners may read the
   * literal as a float and round it. The subgraph must take strings.
   */
  readonly numbersAsText?: boolean;
}

/** Sets the parsers of a schema's scalars. Scalars that the schema does not have are skipped. */
export function installScalarInputs(schema: GraphQLSchema, scalars: readonly ScalarInput[]): void {
  for (const { type } of scalars) {
    const own = schema.getType(type.name);
    if (isScalarType(own)) {
      own.parseValue = (value) => type.parseValue(value);
      own.parseLiteral = (node, variables) => type.parseLiteral(node, variables);
    }
  }
}
