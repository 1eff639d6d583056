import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped, visit } from 'graphql';
import { isSafeNumber } from 'lossless-json';
import { isRecord } from '../kernel/objects.ts';
import { DIGITS_OF_A_DOUBLE } from './scalars.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON object whose shape the API does not know. As in a REST body, no number in it loses digits: such an object is refused. */
export const JsonObjectScalar = new GraphQLScalarType<JsonObject, JsonObject>({
  name: 'JSONObject',
  description:
    'A JSON object of any shape. An input with a number of more digits than a JSON number carries exactly is rejected: send such a number as a string.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  serialize: (value) => read(value),
  parseValue: (value) => refuseInexact(read(value), hasInexact),
  parseLiteral: (node: ValueNode, variables) => {
    refuseInexact(node, hasInexactLiteral);
    // Values of variables within it come as doubles, too.
    return refuseInexact(read(valueFromASTUntyped(node, variables)), hasInexact);
  },
});

function read(value: unknown): JsonObject {
  if (!isRecord(value)) {
    // The value is not repeated: it may be personal, and messages get into logs.
    throw new GraphQLError('The value is not a JSONObject.');
  }
  return value;
}

function refuseInexact<Value>(value: Value, isInexact: (value: Value) => boolean): Value {
  if (isInexact(value)) {
    throw new GraphQLError('A number in the JSONObject has too many digits: send it as a string.');
  }
  return value;
}

/**
 * Whether a number within a variable, which reached us as a double, may have lost digits of an integer, such as those of an id, or is
 * beyond all doubles. Digits that a fraction may have lost are too small to have a meaning.
 */
function hasInexact(value: unknown): boolean {
  if (typeof value === 'number') {
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return !Number.isFinite(value) || (!isExact && digitsOf(value) > DIGITS_OF_A_DOUBLE);
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexact);
}

/** Significant digits of an integer. */
function digitsOf(value: number): number {
  const [digits = ''] = value.toExponential().split('e');
  return digits.replace(/\D/g, '').length;
}

function hasInexactLiteral(node: ValueNode): boolean {
  let isInexact = false;
  const look = ({ value }: { readonly value: string }) => {
    isInexact ||= !isSafeNumber(value);
  };
  visit(node, { [Kind.INT]: look, [Kind.FLOAT]: look });
  return isInexact;
}
