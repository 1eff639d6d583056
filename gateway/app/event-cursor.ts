import {
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import type { Engine, EngineHooks, OperationInfo } from '../engine/index.ts';

const FIELD = 'latestEventCursor';

/**
 * Hooks that read `latestEventCursor` before everything else of a query that selects it. Subgraphs and fields are
 * read in parallel, so a list could be older than a cursor that is read with it. A change between the two would then
 * be missing in the list and in the events after the cursor.
 */
export function readEventCursorFirst(): EngineHooks<RequestContext> {
  let reader: CursorReader | undefined;
  return {
    onBuild(engine) {
      if (engine.publicSchema.getQueryType()?.getFields()[FIELD] !== undefined) {
        reader = createReader(engine);
      }
    },
    onOperation(operation, context, next) {
      return reader === undefined || operation.isTrusted || !operation.document.includes(FIELD)
        ? next(context)
        : reader(operation, context, next);
    },
  };
}

type CursorReader = NonNullable<EngineHooks<RequestContext>['onOperation']>;

function createReader(engine: Engine<RequestContext>): CursorReader {
  const cursorOnly = engine.prepareTrusted(`{ ${FIELD} }`);
  return async (operation, context, next) => {
    const { document: query, operationName } = operation;
    if ((await engine.prepare({ query, operationName })).length > 0) {
      return next(context);
    }
    const cursor = await engine.executeTrusted(cursorOnly, null, context);
    return withCursor(operation, cursor, await next(context));
  };
}

/** Adds the cursor that was read first to the result; without a cursor, the errors of reading it. */
function withCursor(
  operation: OperationInfo,
  { data: first, ...failed }: ExecutionResult,
  result: ExecutionResult,
): ExecutionResult {
  const keys = keysOf(operation).filter((key) => typeof result.data?.[key] === 'string');
  const cursor = first?.[FIELD];
  if (keys.length === 0) {
    return result;
  }
  return typeof cursor === 'string'
    ? { ...result, data: { ...result.data, ...Object.fromEntries(keys.map((key) => [key, cursor])) } }
    : { data: null, ...failed };
}

/** The names of the cursors in the query. The request has passed validation: fragments exist and have no cycles. */
function keysOf({ document: text, operationName }: OperationInfo): string[] {
  const document = parse(text, { noLocation: true });
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
