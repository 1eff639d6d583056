import type { GraphQLSchema } from 'graphql';
import { exceedsBounds } from '../limits/variable-limits.ts';
import type { ConditionValues } from './conditions.ts';
import type { ValidOperation } from './document.ts';
import { failRequest, type RequestFailure } from './request-error.ts';
import { checkVariables } from './variable-values.ts';
import { type DerivedCondition, deriveConditions } from './write-conditions.ts';

/** Variables of one request: what goes to subgraphs, and what decides `@skip` and `@include`. */
export interface RequestVariables {
  /** As the client sent them: enum and scalar values stay wire values. Defaults apply in the subgraph. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly conditions: ConditionValues;
}

const NONE: RequestVariables = { raw: {}, conditions: {} };

/** What else there is to know of an operation's variables. */
export interface ReadVariablesOptions {
  /** Variables that plans use besides those of the client. */
  readonly derived?: readonly DerivedCondition[];
  /** Whether depth and number of values are bounded. Default: they are. */
  readonly bounded?: boolean;
}

/** Checks the variables of a request against the operation's definitions, and adds those that plans use besides. */
export function readVariables(
  schema: GraphQLSchema,
  { operation, conditionVariables }: ValidOperation,
  inputs: Readonly<Record<string, unknown>> | null | undefined,
  { derived = [], bounded = true }: ReadVariablesOptions = {},
): RequestVariables | RequestFailure {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) {
    return NONE;
  }
  const raw = inputs ?? {};
  const exceeded = bounded ? exceedsBounds(raw) : null;
  if (exceeded !== null) {
    return failRequest('BAD_USER_INPUT', exceeded);
  }
  const checked = checkVariables(schema, definitions, raw);
  if ('errors' in checked) {
    return checked;
  }
  const { values } = checked;
  const missing = conditionVariables.find((name) => typeof values[name] !== 'boolean');
  if (missing !== undefined) {
    return failRequest(
      'BAD_USER_INPUT',
      `Variable "$${missing}" decides about selections and must be a Boolean.`,
    );
  }
  if (derived.length === 0) {
    return { raw, conditions: values };
  }
  const own = deriveConditions(derived, values);
  return { raw: { ...raw, ...own }, conditions: { ...values, ...own } };
}
