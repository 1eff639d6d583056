import {
  type DocumentNode,
  type FieldNode,
  Kind,
  parse,
  print,
  type SelectionSetNode,
  separateOperations,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { GraphQLRequest } from '../../engine/index.ts';

/** The argument of a subscription that names the event to begin after. */
const AFTER = 'after';
/** The variable with the header's value: so all clients that resume with one document share its plan. */
const VARIABLE = 'lastEventId';

/**
 * Lets a subscription continue after the last event that a client has seen. The header replaces the argument `after`: a
 * browser's EventSource repeats the URL of its first connection when it comes back, and only the header is up to date. An
 * unreadable document stays as it is: the engine's checks report what is wrong.
 *
 * @param maxTokens the most tokens of a document that the engine reads
 * @param header `Last-Event-ID`; an empty one counts as absent. Source: HTML, "Server-sent events"
 */
export function resumeAfter(
  request: GraphQLRequest,
  header: string | string[] | undefined,
  maxTokens?: number,
): GraphQLRequest {
  const lastEventId = String(header ?? '');
  const document = lastEventId === '' ? undefined : readDocument(request, maxTokens);
  const roots = document === undefined ? [] : rootFields(document);
  const [root] = roots;
  if (document === undefined || root === undefined || roots.length > 1) {
    return request;
  }
  const given = givenAfter(root, request);
  if (given.value === lastEventId) {
    return request;
  }
  const variables = { ...request.variables };
  if (given.variable !== undefined) {
    return { ...request, variables: { ...variables, [given.variable]: lastEventId } };
  }
  const variable = unusedVariable(request.query);
  return {
    ...request,
    query: print(withAfter(document, root, variable)),
    variables: { ...variables, [variable]: lastEventId },
  };
}

/** The operation of the request, with the fragments that it uses. */
function readDocument(
  { query, operationName }: GraphQLRequest,
  maxTokens?: number,
): DocumentNode | undefined {
  let document: DocumentNode;
  try {
    document = parse(query, { noLocation: true, maxTokens });
  } catch {
    // It is no GraphQL: the engine reports the place of the mistake.
    return undefined;
  }
  const operations = separateOperations(document);
  return operationName == null ? Object.values(operations)[0] : operations[operationName];
}

/**
 * The fields at the root, including those in fragments. Each fragment counts once, so that a fragment that names itself ends.
 */
function rootFields(document: DocumentNode): FieldNode[] {
  const seen = new Set<string>();
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) {
        return [selection];
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        return fieldsOf(selection.selectionSet);
      }
      const name = selection.name.value;
      const fragment = document.definitions.find(
        (node) => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name,
      );
      if (seen.has(name) || fragment?.kind !== Kind.FRAGMENT_DEFINITION) {
        return [];
      }
      seen.add(name);
      return fieldsOf(fragment.selectionSet);
    });
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  return operation?.kind === Kind.OPERATION_DEFINITION ? fieldsOf(operation.selectionSet) : [];
}

/** The request's value for `after`, and the variable that passes it. */
function givenAfter(
  root: FieldNode,
  { variables }: GraphQLRequest,
): { readonly value?: unknown; readonly variable?: string } {
  const value = root.arguments?.find(({ name }) => name.value === AFTER)?.value;
  if (value?.kind === Kind.VARIABLE) {
    const variable = value.name.value;
    return { value: variables?.[variable], variable };
  }
  return value?.kind === Kind.STRING ? { value: value.value } : {};
}

function withAfter(document: DocumentNode, root: FieldNode, variable: string): DocumentNode {
  const named = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } } as const;
  const definition: VariableDefinitionNode = {
    kind: Kind.VARIABLE_DEFINITION,
    variable: named,
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'String' } },
  };
  const others = (root.arguments ?? []).filter(({ name }) => name.value !== AFTER);
  const after = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: AFTER }, value: named } as const;
  return visit(document, {
    OperationDefinition: (node) => ({
      ...node,
      variableDefinitions: [...(node.variableDefinitions ?? []), definition],
    }),
    Field: (node) => (node === root ? { ...node, arguments: [...others, after] } : undefined),
  });
}

function unusedVariable(query: string): string {
  let name = VARIABLE;
  while (query.includes(`$${name}`)) {
    name += '_';
  }
  return name;
}
