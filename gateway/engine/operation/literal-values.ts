import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLList,
  getNamedType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type ObjectValueNode,
  typeFromAST,
  type ValidationContext,
  type ValueNode,
} from 'graphql';
import { type InputPath, inputIssue, inputMessages } from './input-issues.ts';

const INVALID = 'GRAPHQL_VALIDATION_FAILED';

type Check = (type: GraphQLInputType, node: ValueNode, path: InputPath) => void;

function isReadable(type: GraphQLInputType, node: ValueNode): boolean {
  if (!isLeafType(type)) {
    return false;
  }
  try {
    return type.parseLiteral(node, undefined) !== undefined;
  } catch {
    // The scalar's own message may repeat the value.
    return false;
  }
}

function checkFields(
  context: ValidationContext,
  check: Check,
  type: GraphQLInputObjectType,
  node: ObjectValueNode,
  path: InputPath,
): void {
  const fields = type.getFields();
  const given = new Map(node.fields.map((field) => [field.name.value, field]));
  for (const field of Object.values(fields)) {
    if (!given.has(field.name) && isRequiredInputField(field)) {
      const message = inputMessages.missingField(field.name, field.type, path);
      context.reportError(inputIssue(message, path, node, INVALID));
    }
  }
  for (const field of node.fields) {
    const name = field.name.value;
    const definition = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (definition === undefined) {
      const message = inputMessages.unknownField(name, type, path);
      context.reportError(inputIssue(message, path, field, INVALID));
    } else {
      check(definition.type, field.value, [...path, name]);
    }
  }
  const [first] = node.fields;
  if (type.isOneOf && (given.size !== 1 || first?.value.kind === Kind.NULL)) {
    context.reportError(inputIssue(inputMessages.oneOf(type, path), path, node, INVALID));
  }
}

function checkItems(
  check: Check,
  type: GraphQLList<GraphQLInputType>,
  node: ValueNode,
  path: InputPath,
): void {
  if (node.kind !== Kind.LIST) {
    check(type.ofType, node, path);
    return;
  }
  for (const [index, item] of node.values.entries()) {
    check(type.ofType, item, [...path, index]);
  }
}

function createCheck(context: ValidationContext): Check {
  const check: Check = (given, node, path) => {
    const type = isNonNullType(given) ? given.ofType : given;
    const isNull = node.kind === Kind.NULL;
    if (node.kind === Kind.VARIABLE || (isNull && type === given)) {
      return;
    }
    if (isListType(type) && !isNull) {
      checkItems(check, type, node, path);
    } else if (isInputObjectType(type) && node.kind === Kind.OBJECT) {
      checkFields(context, check, type, node, path);
    } else if (isNull || !isReadable(type, node)) {
      context.reportError(inputIssue(inputMessages.value(given, path), path, node));
    }
  };
  return check;
}

/**
 * A validation rule that replaces graphql-js's `ValuesOfCorrectTypeRule`. It finds the same issues, with messages that do
 * not repeat values. A value that its type cannot read has the code `BAD_USER_INPUT`, as the value of a variable has.
 * Source: GraphQL specification (September 2025), sections 5.6.1 to 5.6.5.
 */
export function literalValuesRule(context: ValidationContext): ASTVisitor {
  const check = createCheck(context);
  return {
    Argument(node) {
      const definition = context.getArgument();
      if (definition) {
        check(definition.type, node.value, [node.name.value]);
      }
    },
    VariableDefinition({ type: named, variable, defaultValue }) {
      const type = typeFromAST(context.getSchema(), named);
      if (defaultValue !== undefined && isInputType(type)) {
        check(type, defaultValue, [`$${variable.name.value}`]);
      }
    },
  };
}

/**
 * A validation rule that rejects variables that may be null in a field of a `@oneOf` input. graphql-js's own
 * `VariablesInAllowedPositionRule` (16.15) overlooks them where the input is expected as non-null or in a list.
 * Source: GraphQL specification (September 2025), section 5.8.5.
 */
export function oneOfVariablesRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      const nullable = new Set(
        (operation.variableDefinitions ?? []).flatMap(({ variable, type }) =>
          type.kind === Kind.NON_NULL_TYPE ? [] : variable.name.value,
        ),
      );
      for (const { node, parentType } of context.getRecursiveVariableUsages(operation)) {
        const type = getNamedType(parentType);
        const isOverlooked = type !== parentType && isInputObjectType(type) && type.isOneOf;
        if (isOverlooked && nullable.has(node.name.value)) {
          const message = `The variable "$${node.name.value}" must be non-null in a field of the type "${type}".`;
          context.reportError(new GraphQLError(message, { nodes: node, extensions: { code: INVALID } }));
        }
      }
    },
  };
}
