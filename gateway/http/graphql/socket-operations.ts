import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import type { Engine, GraphQLRequest, SubscriptionResult } from '../../engine/index.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import type { SocketApplication } from '../sockets/graphql-sockets.ts';
import type { SocketOperation } from '../sockets/socket-operation.ts';
import { isHttpFailure, readParameters } from './request.ts';
import { sharedText } from './shared-text.ts';
import { createSubscriptionLimit } from './subscription-limit.ts';

interface SocketOperationsDeps<Connection extends object> {
  readonly engine: Engine<RequestContext>;
  readonly documents: ClientDocuments;
  contextOf(operation: SocketOperation, connection: Connection): RequestContext;
  /** The reason why the operation must not run, decided before it is read; undefined if it may run. */
  failRequest?(context: RequestContext): Promise<GraphQLError | undefined>;
  /** Wraps the results of a subscription on their way to the client. Default: no wrapper. */
  openStream?(
    connection: Connection,
    results: AsyncIterableIterator<ExecutionResult>,
    context: RequestContext,
  ): AsyncIterableIterator<ExecutionResult>;
  /** Most open subscriptions on a socket. Default: no limit. */
  readonly subscriptionsPerSocket?: number;
}

/**
 * Runs operations of sockets with our engine, from full documents or by hash. An operation that does not run (an invalid
 * document or variable, a limit) gets one `error` message.
 */
export function socketOperations<Connection extends object>(
  deps: SocketOperationsDeps<Connection>,
): Pick<SocketApplication<Record<PropertyKey, unknown>>, 'textOf'> & {
  start(
    operation: SocketOperation,
    connection: Connection,
  ): ReturnType<SocketApplication<Record<PropertyKey, unknown>>['start']>;
} {
  const { engine, subscriptionsPerSocket = Number.POSITIVE_INFINITY } = deps;
  const subscriptions = createSubscriptionLimit(subscriptionsPerSocket, 'on a socket');
  const subscribe = async (connection: Connection, request: GraphQLRequest, context: RequestContext) => {
    const results = await engine.subscribe(request, context);
    return Symbol.asyncIterator in results
      ? (deps.openStream?.(connection, results, context) ?? results)
      : results;
  };
  const run = (connection: Connection, { request, kind }: ReadRequest, context: RequestContext) =>
    kind === OperationTypeNode.SUBSCRIPTION
      ? subscriptions.open(connection, () => subscribe(connection, request, context))
      : engine.execute(request, context);
  return {
    async start(operation, connection) {
      const context = deps.contextOf(operation, connection);
      const failure = await deps.failRequest?.(context);
      if (failure) {
        return { unrun: [failure] };
      }
      const request = await readRequest(deps, operation.payload);
      if ('errors' in request) {
        return { unrun: request.errors };
      }
      if (operation.isOver) {
        // The client has completed it meanwhile, so it must not run, least of all a mutation.
        return { unrun: [] };
      }
      const started = await run(connection, request, context);
      return isUnrun(started) ? { unrun: started.errors } : started;
    },
    // The JSON of an event is written once for all its subscribers.
    textOf: sharedText,
  };
}

/** Whether there is no `data`, not even null: the operation was not run. Source: GraphQL, "Response", "Data". */
function isUnrun(started: SubscriptionResult): started is { readonly errors: readonly GraphQLError[] } {
  return !(Symbol.asyncIterator in started || 'data' in started) && started.errors !== undefined;
}

interface ReadRequest {
  readonly request: GraphQLRequest;
  readonly kind: OperationTypeNode;
}

async function readRequest(
  { engine, documents }: Pick<SocketOperationsDeps<object>, 'engine' | 'documents'>,
  payload: SubscribePayload,
): Promise<ReadRequest | { errors: readonly GraphQLError[] }> {
  const parameters = readParameters(payload);
  if (isHttpFailure(parameters)) {
    return { errors: [new GraphQLError(parameters.message, { extensions: { code: parameters.code } })] };
  }
  const { operationName, variables } = parameters;
  const query = documents.find(parameters);
  if (typeof query !== 'string') {
    return query;
  }
  const request = { query, operationName, variables };
  const kind = documents.kindOf(query, operationName);
  const errors = kind === null ? await engine.prepare(request) : [];
  return errors.length > 0 ? { errors } : { request, kind: kind ?? OperationTypeNode.QUERY };
}
