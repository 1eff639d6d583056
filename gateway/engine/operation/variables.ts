import {
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { type ConditionValues, type DerivedCondition, deriveConditions } from '../conditions.ts';
import { exceedsBounds } from '../limits/variable-limits.ts';
import { capIssues, failRequest, MOST_ISSUES, type RequestFailure } from '../request-error.ts';
import type { ValidOperation } from './document.ts';
import { type InputPath, inputIssue, inputMessages } from './input-issues.ts';

type Values = Readonly<Record<string, unknown>>;

/** The issues of one request's variables so far. */
interface Checking {
  readonly issues: GraphQLError[];
  /** Their number, including issues that are not kept. */
  count: number;
  /** Of the variable that is being checked. */
  definition: VariableDefinitionNode | undefined;
}

function report(checking: Checking, message: string, path: InputPath): void {
  checking.count += 1;
  if (checking.issues.length < MOST_ISSUES) {
    checking.issues.push(inputIssue(`Variable "$${path[0]}": ${message}`, path, checking.definition));
  }
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isReadable(type: GraphQLInputType, value: unknown): boolean {
  if (!isLeafType(type)) {
    return false;
  }
  try {
    return type.parseValue(value) !== undefined;
  } catch {
    // The scalar's own message may repeat the value.
    return false;
  }
}

function checkFields(checking: Checking, type: GraphQLInputObjectType, value: Values, path: InputPath): void {
  const fields = type.getFields();
  const names = Object.keys(value);
  for (const field of Object.values(fields)) {
    const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (own !== undefined) {
      check(checking, field.type, own, [...path, field.name]);
    } else if (isRequiredInputField(field)) {
      report(checking, inputMessages.missingField(field.name, field.type, path), path);
    }
  }
  for (const name of names) {
    if (!Object.hasOwn(fields, name)) {
      report(checking, inputMessages.unknownField(name, type, path), path);
    }
  }
  if (type.isOneOf && (names.length !== 1 || value[names[0] ?? ''] === null)) {
    report(checking, inputMessages.oneOf(type, path), path);
  }
}

function check(checking: Checking, given: GraphQLInputType, value: unknown, path: InputPath): void {
  const type = isNonNullType(given) ? given.ofType : given;
  if (value === null && type === given) {
    return;
  }
  if (isListType(type) && value !== null) {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        check(checking, type.ofType, item, [...path, index]);
      }
    } else {
      check(checking, type.ofType, value, path);
    }
  } else if (isInputObjectType(type) && isObject(value)) {
    checkFields(checking, type, value, path);
  } else if (value === null || !isReadable(type, value)) {
    report(checking, inputMessages.value(given, path), path);
  }
}

/** The values of variables: the client's values, else their defaults, else nothing. */
type CheckedVariables = { readonly values: Values } | { readonly errors: readonly GraphQLError[] };

/**
 * Checks the variables of a request as the specification coerces them. Messages name types and places, and repeat no
 * value; at most 20 issues are named.
 * Source: GraphQL specification (September 2025), section 6.1.2.
 */
function checkVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  raw: Values,
): CheckedVariables {
  const checking: Checking = { issues: [], count: 0, definition: undefined };
  const values: Record<string, unknown> = {};
  for (const definition of definitions) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) {
      throw new Error('A variable has no input type, yet the operation passed validation.');
    }
    checking.definition = definition;
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (given !== undefined) {
      check(checking, type, given, [name]);
      values[name] = given;
    } else if (definition.defaultValue !== undefined) {
      values[name] = valueFromAST(definition.defaultValue, type);
    } else if (isNonNullType(type)) {
      report(checking, inputMessages.value(type, [name]), [name]);
    }
  }
  return checking.count > 0 ? { errors: capIssues(checking.issues, checking.count) } : { values };
}

/** Variables of one request: the values for subgraphs, and the conditions of `@skip` and `@include`. */
export interface RequestVariables {
  /** As the client sent them: enum and scalar values stay wire values. Defaults apply in the subgraph. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly conditions: ConditionValues;
}

const NONE: RequestVariables = { raw: {}, conditions: {} };

interface ReadVariablesOptions {
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
  const raw = inputs ?? {};
  // Also those that the operation does not declare: hooks read them.
  const exceeded = bounded ? exceedsBounds(raw) : null;
  if (exceeded !== null) {
    return failRequest('BAD_USER_INPUT', exceeded);
  }
  if (definitions.length === 0) {
    return NONE;
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
