import { GraphQLError, GraphQLScalarType, type ValueNode, valueFromASTUntyped } from 'graphql';
import { isRecord } from '../kernel/objects.ts';

/** A JSON object whose shape the API does not know. */
export const JsonObjectScalar = new GraphQLScalarType<
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>
>({
  name: 'JSONObject',
  description: 'A JSON object of any shape.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  serialize: (value) => read(value),
  parseValue: (value) => read(value),
  parseLiteral: (node: ValueNode, variables) => read(valueFromASTUntyped(node, variables)),
});

function read(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) {
    throw new GraphQLError('The value is not a JSONObject.');
  }
  return value;
}
