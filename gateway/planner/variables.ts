import { GraphQLError, type GraphQLSchema, getVariableValues, type VariableDefinitionNode } from 'graphql';
import type { ConditionValues } from './conditions.ts';
import type { ValidOperation } from './document.ts';
import { type Refused, refuse, refuseWith } from './request-error.ts';
import { type DerivedCondition, deriveConditions } from './write-conditions.ts';

/** Variables of one request: what goes to subgraphs, and what decides `@skip` and `@include`. */
export interface RequestVariables {
  /** As the client sent them: enum and scalar values stay wire values. Defaults apply in the subgraph. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly conditions: ConditionValues;
}

const NONE: RequestVariables = { raw: {}, conditions: {} };

/** Most errors about variables that one request is told. */
const MAX_ERRORS = 50;

/** Checks the variables of a request against the operation's definitions, and adds those that plans use besides. */
export function readVariables(
  schema: GraphQLSchema,
  { operation, conditionVariables }: ValidOperation,
  inputs: Readonly<Record<string, unknown>> | null | undefined,
  derived: readonly DerivedCondition[] = [],
): RequestVariables | Refused {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) {
    return NONE;
  }
  const raw = inputs ?? {};
  const result = coerce(schema, definitions, raw);
  if (result.errors !== undefined) {
    return refuseWith('BAD_USER_INPUT', result.errors);
  }
  const missing = conditionVariables.find((name) => typeof result.coerced[name] !== 'boolean');
  if (missing !== undefined) {
    return refuse('BAD_USER_INPUT', `Variable "$${missing}" decides about selections and must be a Boolean.`);
  }
  if (derived.length === 0) {
    return { raw, conditions: result.coerced };
  }
  const own = deriveConditions(derived, result.coerced);
  return { raw: { ...raw, ...own }, conditions: { ...result.coerced, ...own } };
}

/** graphql-js walks values by recursion: what no stack holds is the client's fault, not ours. */
function coerce(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  raw: Readonly<Record<string, unknown>>,
): ReturnType<typeof getVariableValues> {
  try {
    return getVariableValues(schema, definitions, raw, { maxErrors: MAX_ERRORS });
  } catch (error) {
    if (error instanceof RangeError) {
      return { errors: [new GraphQLError('The variables are nested too deeply.')] };
    }
    throw error;
  }
}
