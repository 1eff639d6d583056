import {
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { Engine, GraphQLRequest } from '../engine/engine.ts';

const FIELD = 'latestEventCursor';

/**
 * The same engine; where a query asks for `latestEventCursor`, the cursor is read before anything else of the query.
 * Subgraphs and fields are read side by side: a list could be older than a cursor that is read beside it, and a change
 * between the two would be in neither the list nor the events after the cursor.
 */
export function readEventCursorFirst(engine: Engine): Engine {
  if (engine.publicSchema.getQueryType()?.getFields()[FIELD] === undefined) {
    return engine;
  }
  const cursorOnly = engine.prepareTrusted(`{ ${FIELD} }`);
  return {
    ...engine,
    execute: async (request, context) => {
      if (!request.query.includes(FIELD) || (await engine.prepare(request)).length > 0) {
        return engine.execute(request, context);
      }
      const cursor = await engine.executeTrusted(cursorOnly, null, context);
      return withCursor(request, cursor, await engine.execute(request, context));
    },
  };
}

/** The result with the cursor that was read first; without one, what hindered either of the two. */
function withCursor(
  request: GraphQLRequest,
  { data: first, ...hindered }: ExecutionResult,
  result: ExecutionResult,
): ExecutionResult {
  const keys = keysOf(request).filter((key) => typeof result.data?.[key] === 'string');
  const cursor = first?.[FIELD];
  if (keys.length === 0) {
    return result;
  }
  return typeof cursor === 'string'
    ? { ...result, data: { ...result.data, ...Object.fromEntries(keys.map((key) => [key, cursor])) } }
    : { data: null, ...hindered };
}

/** What the query calls its cursors. The request has passed validation: fragments exist and have an end. */
function keysOf({ query, operationName }: GraphQLRequest): string[] {
  const document = parse(query, { noLocation: true });
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  );
  const operation = getOperationAST(document, operationName);
  return operation ? [...new Set(keysIn(operation.selectionSet, fragments))] : [];
}

function keysIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): string[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) {
      return node.name.value === FIELD ? [node.alias?.value ?? FIELD] : [];
    }
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    return inner ? keysIn(inner.selectionSet, fragments) : [];
  });
}
