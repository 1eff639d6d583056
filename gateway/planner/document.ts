import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import type { Fragments } from './collect-fields.ts';
import { readConditions } from './conditions.ts';
import { type Refused, refuse, refuseWith } from './request-error.ts';

/** One operation of a document that is valid against the schema. */
export interface ValidOperation {
  readonly operation: OperationDefinitionNode;
  /** Those that the operation reaches. */
  readonly fragments: Fragments;
  /** Variables that `@skip` and `@include` use; each must have a Boolean value. */
  readonly conditionVariables: readonly string[];
}

function parseDocument(text: string): DocumentNode | Refused {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) {
      return refuseWith('GRAPHQL_PARSE_FAILED', [error]);
    }
    throw error;
  }
}

function pickOperation(document: DocumentNode, name: string | null): OperationDefinitionNode | Refused {
  const operations = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (name === null) {
    const [only] = operations;
    return only !== undefined && operations.length === 1
      ? only
      : refuse(
          'OPERATION_RESOLUTION_FAILURE',
          'Must provide operation name if query contains multiple operations.',
        );
  }
  const named = operations.find((operation) => operation.name?.value === name);
  return named ?? refuse('OPERATION_RESOLUTION_FAILURE', `Unknown operation named "${name}".`);
}

function reachableFragments(operation: OperationDefinitionNode, document: DocumentNode): Fragments {
  const all = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const reached = new Map<string, FragmentDefinitionNode>();
  const follow = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      FragmentSpread(spread) {
        const fragment = all.get(spread.name.value);
        if (fragment !== undefined && !reached.has(spread.name.value)) {
          reached.set(spread.name.value, fragment);
          follow(fragment);
        }
      },
    });
  };
  follow(operation);
  return reached;
}

function conditionVariables(operation: OperationDefinitionNode, fragments: Fragments): string[] {
  const names = new Set<string>();
  for (const node of [operation, ...fragments.values()]) {
    visit(node, {
      Directive(directive) {
        for (const condition of readConditions([directive]) || []) {
          names.add(condition.variable);
        }
      },
    });
  }
  return [...names];
}

/** Parses and validates a document with graphql-js's rules, and picks the operation to run. */
export function readOperation(
  text: string,
  operationName: string | null,
  schema: GraphQLSchema,
): ValidOperation | Refused {
  const document = parseDocument(text);
  if ('errors' in document) {
    return document;
  }
  const faults = validate(schema, document);
  if (faults.length > 0) {
    return refuseWith('GRAPHQL_VALIDATION_FAILED', faults);
  }
  const operation = pickOperation(document, operationName);
  if ('errors' in operation) {
    return operation;
  }
  const variables = operation.variableDefinitions ?? [];
  if (variables.some((definition) => definition.variable.name.value === '__proto__')) {
    return refuse('GRAPHQL_VALIDATION_FAILED', 'A variable must not be named "__proto__".');
  }
  const fragments = reachableFragments(operation, document);
  return { operation, fragments, conditionVariables: conditionVariables(operation, fragments) };
}
