import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  Location,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  Token,
  TokenKind,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
  visit,
} from 'graphql';
import { readConditions } from '../conditions.ts';
import { checkDepth, checkDocument, type DocumentLimits } from '../limits/document-limits.ts';
import { exceedsLiteralBounds } from '../limits/literal-limits.ts';
import { failRequest, failRequestWith, type RequestFailure } from '../request-error.ts';
import type { Fragments } from './collect-fields.ts';
import { literalValuesRule, oneOfVariablesRule } from './literal-values.ts';
import { subscriptionRootRule } from './subscription-root.ts';

/** One operation of a document that is valid against the schema. */
export interface ValidOperation {
  readonly operation: OperationDefinitionNode;
  /** The fragments that the operation reaches. */
  readonly fragments: Fragments;
  /** Variables that `@skip` and `@include` use; each must have a Boolean value. */
  readonly conditionVariables: readonly string[];
}

/** The same location, without the document's tokens. */
function locationOnly({ start, end, source }: Location): Location {
  const at = (offset: number) => new Token(TokenKind.NAME, offset, offset, 0, 0);
  return new Location(at(start), at(end), source);
}

/**
 * Removes the locations of a document's nodes. They hold all of its tokens, which would be most of the memory of a cached
 * operation. The locations of variable definitions stay: issues of variables name them.
 */
function removeLocations(document: DocumentNode): void {
  visit(document, {
    enter(node) {
      const kept = node.kind === Kind.VARIABLE_DEFINITION && node.loc ? locationOnly(node.loc) : undefined;
      Object.assign(node, { loc: kept });
    },
  });
}

function parseDocument(text: string, maxTokens: number | undefined): DocumentNode | RequestFailure {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) {
      // In graphql-js only the message distinguishes this from a syntax error.
      const tooMany = error.message.includes(`more that ${maxTokens} tokens`);
      return failRequestWith(tooMany ? 'TOKEN_LIMIT_EXCEEDED' : 'GRAPHQL_PARSE_FAILED', [error]);
    }
    throw error;
  }
}

function pickOperation(
  document: DocumentNode,
  name: string | null,
): OperationDefinitionNode | RequestFailure {
  const operations = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (name === null) {
    const [only] = operations;
    return only !== undefined && operations.length === 1
      ? only
      : failRequest(
          'OPERATION_RESOLUTION_FAILURE',
          'Must provide operation name if query contains multiple operations.',
        );
  }
  const named = operations.find((operation) => operation.name?.value === name);
  return named ?? failRequest('OPERATION_RESOLUTION_FAILURE', `Unknown operation named "${name}".`);
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

/**
 * Most selections of an operation, with its fragments written out wherever they are spread. Fragments that spread
 * each other several times double with every level, and processing such an operation would never end.
 */
const MOST_SELECTIONS = 20_000;

/**
 * Counts the selections without writing anything out: each fragment is counted once. Validation has made sure that there are
 * no cycles.
 */
function countSelections(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  known = new Map<string, number>(),
): number {
  let count = selections.length;
  for (const node of selections) {
    if (node.kind !== Kind.FRAGMENT_SPREAD) {
      count += node.selectionSet === undefined ? 0 : countSelections(node.selectionSet, fragments, known);
      continue;
    }
    const { value } = node.name;
    const fragment = fragments.get(value);
    const inside =
      known.get(value) ??
      (fragment === undefined ? 0 : countSelections(fragment.selectionSet, fragments, known));
    known.set(value, inside);
    count += inside;
  }
  return count;
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

const REPLACED: ReadonlySet<ValidationRule> = new Set([
  SingleFieldSubscriptionsRule,
  ValuesOfCorrectTypeRule,
]);
const RULES = [
  ...specifiedRules.filter((rule) => !REPLACED.has(rule)),
  literalValuesRule,
  oneOfVariablesRule,
  subscriptionRootRule,
];
const WITHOUT_INTROSPECTION = [...RULES, NoSchemaIntrospectionCustomRule];

/** Validation stops after so many issues, and ignores the rest of the document. */
const MOST_VALIDATION_ISSUES = 100;

/** graphql-js has no setting to hide this suggestion, which names fields that have fields of their own. */
const SUGGESTION = / Did you mean .*\?$/s;

/** Validates a document. Without introspection, messages do not reveal other names of the schema. */
function findIssues(schema: GraphQLSchema, document: DocumentNode, introspection: boolean): GraphQLError[] {
  const issues = validate(schema, document, introspection ? RULES : WITHOUT_INTROSPECTION, {
    maxErrors: MOST_VALIDATION_ISSUES,
    hideSuggestions: !introspection,
  });
  if (introspection) {
    return [...issues];
  }
  return issues.map((issue) => {
    const { nodes, source, positions, extensions } = issue;
    const message = issue.message.replace(SUGGESTION, '');
    return message === issue.message
      ? issue
      : new GraphQLError(message, {
          nodes: nodes ?? null,
          source: source ?? null,
          positions: positions ?? null,
          extensions,
        });
  });
}

/** Limits of a public document; a trusted one has none. */
export interface ReadOptions {
  readonly limits?: DocumentLimits | undefined;
  /** Whether it may introspect. Default: it may. */
  readonly introspection?: boolean | undefined;
}

/**
 * Parses a document, holds it to the limits, validates it with graphql-js's rules, and picks the operation to run.
 * The depth of every document and its values, and its expansion by fragments, are bounded.
 */
export function readOperation(
  text: string,
  operationName: string | null,
  schema: GraphQLSchema,
  options: ReadOptions = {},
): ValidOperation | RequestFailure {
  try {
    return readDocument(text, operationName, schema, options);
  } catch (error) {
    if (error instanceof RangeError) {
      // graphql-js parses and validates by recursion. A document too deep for any stack is the client's error.
      return failRequest('GRAPHQL_PARSE_FAILED', 'The document is nested too deeply.');
    }
    throw error;
  }
}

/** The reason why a parsed document is too large, valid or not. */
function findExcess(document: DocumentNode, limits: DocumentLimits | undefined): RequestFailure | null {
  const values = exceedsLiteralBounds(document);
  if (values !== null) {
    return failRequest('BAD_USER_INPUT', values);
  }
  const exceeded = limits === undefined ? checkDepth(document) : checkDocument(document, limits);
  return exceeded.length > 0 ? failRequestWith('OPERATION_TOO_LARGE', exceeded) : null;
}

function readDocument(
  text: string,
  operationName: string | null,
  schema: GraphQLSchema,
  { limits, introspection = true }: ReadOptions,
): ValidOperation | RequestFailure {
  const document = parseDocument(text, limits?.tokens);
  if ('errors' in document) {
    return document;
  }
  const exceeded = findExcess(document, limits);
  if (exceeded !== null) {
    return exceeded;
  }
  const issues = findIssues(schema, document, introspection);
  if (issues.length > 0) {
    return failRequestWith('GRAPHQL_VALIDATION_FAILED', issues);
  }
  removeLocations(document);
  const operation = pickOperation(document, operationName);
  if ('errors' in operation) {
    return operation;
  }
  const variables = operation.variableDefinitions ?? [];
  if (variables.some((definition) => definition.variable.name.value === '__proto__')) {
    return failRequest('GRAPHQL_VALIDATION_FAILED', 'A variable must not be named "__proto__".');
  }
  const fragments = reachableFragments(operation, document);
  if (countSelections(operation.selectionSet, fragments) > MOST_SELECTIONS) {
    return failRequest('OPERATION_TOO_LARGE', `The operation makes more than ${MOST_SELECTIONS} selections.`);
  }
  return { operation, fragments, conditionVariables: conditionVariables(operation, fragments) };
}
