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
  specifiedRules,
  Token,
  TokenKind,
  ValuesOfCorrectTypeRule,
  validate,
  visit,
} from 'graphql';
import { checkDocument, type DocumentLimits } from '../limits/document-limits.ts';
import type { Fragments } from './collect-fields.ts';
import { readConditions } from './conditions.ts';
import { literalValuesRule } from './literal-values.ts';
import { failRequest, failRequestWith, type RequestFailure } from './request-error.ts';

/** One operation of a document that is valid against the schema. */
export interface ValidOperation {
  readonly operation: OperationDefinitionNode;
  /** Those that the operation reaches. */
  readonly fragments: Fragments;
  /** Variables that `@skip` and `@include` use; each must have a Boolean value. */
  readonly conditionVariables: readonly string[];
}

/** A place in a document, without its tokens. */
function placeOf({ start, end, source }: Location): Location {
  const at = (offset: number) => new Token(TokenKind.NAME, offset, offset, 0, 0);
  return new Location(at(start), at(end), source);
}

/**
 * Forgets the places of a document's nodes, which lead to all of its tokens: they are most of what an operation that is
 * remembered takes. Faults of variables tell where these are defined; those places stay.
 */
function forgetPlaces(document: DocumentNode): void {
  visit(document, {
    enter(node) {
      const kept = node.kind === Kind.VARIABLE_DEFINITION && node.loc ? placeOf(node.loc) : undefined;
      Object.assign(node, { loc: kept });
    },
  });
}

function parseDocument(text: string, maxTokens: number | undefined): DocumentNode | RequestFailure {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) {
      // graphql-js tells this apart from a fault of syntax by its message alone.
      const tooMany = error.message.includes(`more that ${maxTokens} tokens`);
      return failRequestWith(tooMany ? 'TOKEN_LIMIT_EXCEEDED' : 'GRAPHQL_PARSE_FAILED', [error]);
    }
    if (error instanceof RangeError) {
      // graphql-js parses by recursion: what no stack holds is the client's fault, not ours.
      return failRequest('GRAPHQL_PARSE_FAILED', 'The document is nested too deeply.');
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

const RULES = [...specifiedRules.filter((rule) => rule !== ValuesOfCorrectTypeRule), literalValuesRule];
const WITHOUT_INTROSPECTION = [...RULES, NoSchemaIntrospectionCustomRule];

/** Most faults that validation looks for; what is left of the document is not looked at then. */
const MOST_LOOKED_FOR = 100;

/** graphql-js has no setting for this one: it tells which fields have fields of their own. */
const SUGGESTION = / Did you mean .*\?$/s;

/** What is wrong with a document. Without introspection no message names what was not asked for. */
function findFaults(schema: GraphQLSchema, document: DocumentNode, introspection: boolean): GraphQLError[] {
  const issues = validate(schema, document, introspection ? RULES : WITHOUT_INTROSPECTION, {
    maxErrors: MOST_LOOKED_FOR,
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

/** What a public document is held to; a trusted one to nothing. */
export interface ReadOptions {
  readonly limits?: DocumentLimits | undefined;
  /** Whether it may ask for the schema. Default: it may. */
  readonly introspection?: boolean | undefined;
}

/** Parses a document, holds it to the limits, validates it with graphql-js's rules, and picks the operation to run. */
export function readOperation(
  text: string,
  operationName: string | null,
  schema: GraphQLSchema,
  options: ReadOptions = {},
): ValidOperation | RequestFailure {
  const { limits, introspection = true } = options;
  const document = parseDocument(text, limits?.tokens);
  if ('errors' in document) {
    return document;
  }
  const exceeded = limits === undefined ? [] : checkDocument(document, limits);
  if (exceeded.length > 0) {
    return failRequestWith('OPERATION_TOO_LARGE', exceeded);
  }
  const issues = findFaults(schema, document, introspection);
  if (issues.length > 0) {
    return failRequestWith('GRAPHQL_VALIDATION_FAILED', issues);
  }
  forgetPlaces(document);
  const operation = pickOperation(document, operationName);
  if ('errors' in operation) {
    return operation;
  }
  const variables = operation.variableDefinitions ?? [];
  if (variables.some((definition) => definition.variable.name.value === '__proto__')) {
    return failRequest('GRAPHQL_VALIDATION_FAILED', 'A variable must not be named "__proto__".');
  }
  const fragments = reachableFragments(operation, document);
  return { operation, fragments, conditionVariables: conditionVariables(operation, fragments) };
}
