import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import type { RequestContext } from '../../../subgraphs/platform/principal.ts';
import type { Engine, GraphQLRequest, SubscriptionResult } from '../../engine/index.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import { isHttpFailure, readParameters } from './request.ts';
import { type SendText, sendResults } from './socket-stream.ts';
import { createSubscriptionLimit } from './subscription-limit.ts';

/** Arguments of graphql-js, with a result that has been started already: our engine replaces graphql-js. */
interface StartedArgs extends ExecutionArgs {
  readonly started: SubscriptionResult;
  /** The operation's on its socket. */
  readonly id: string;
  readonly send: SendText;
}

/** The required fields of a connection. */
interface Sending {
  readonly send: SendText;
}

/** graphql-ws only looks for the kind of a document's operation. */
const STAND_INS: Readonly<Record<OperationTypeNode, DocumentNode>> = {
  [OperationTypeNode.QUERY]: parse('query { stand_in }'),
  [OperationTypeNode.MUTATION]: parse('mutation { stand_in }'),
  [OperationTypeNode.SUBSCRIPTION]: parse('subscription { stand_in }'),
};

/** Options for operations over sockets. */
export interface SocketOperationsDeps<Extra extends Sending> {
  readonly engine: Engine<RequestContext>;
  readonly documents: ClientDocuments;
  contextOf(connection: Connection<Extra>): RequestContext;
  /** Why the operation must not run, before anything of it is read; undefined when it may run. */
  failRequest?(context: RequestContext): Promise<GraphQLError | undefined>;
  /** Wraps the results of a subscription on their way to the client. Default: no wrapper. */
  openStream?(
    connection: Connection<Extra>,
    results: AsyncIterableIterator<ExecutionResult>,
    context: RequestContext,
  ): AsyncIterableIterator<ExecutionResult>;
  /** Most open subscriptions on a socket. Default: no limit. */
  readonly subscriptionsPerSocket?: number;
}

type Connection<Extra extends Sending> = Context<Record<string, unknown>, Extra>;

type EngineHooks<Extra extends Sending> = Required<
  Pick<ServerOptions<Record<string, unknown>, Extra>, 'onSubscribe' | 'execute' | 'subscribe'>
>;

/**
 * The hooks that make graphql-ws run operations with our engine, from full documents or by hash. An operation that does not
 * run (an invalid document or variable, a limit) gets one `error` message. graphql-ws would send `next` and `complete` for
 * any answer of an engine, so the operation starts where errors can still be sent.
 */
export function socketOperations<Extra extends Sending>(
  deps: SocketOperationsDeps<Extra>,
): EngineHooks<Extra> {
  const { engine, subscriptionsPerSocket = Number.POSITIVE_INFINITY } = deps;
  const subscriptions = createSubscriptionLimit(subscriptionsPerSocket, 'on a socket');
  const subscribe = async (
    connection: Connection<Extra>,
    request: GraphQLRequest,
    context: RequestContext,
  ) => {
    const results = await engine.subscribe(request, context);
    return Symbol.asyncIterator in results
      ? (deps.openStream?.(connection, results, context) ?? results)
      : results;
  };
  const start = (connection: Connection<Extra>, { request, kind }: ReadRequest, context: RequestContext) =>
    kind === OperationTypeNode.SUBSCRIPTION
      ? subscriptions.open(connection, () => subscribe(connection, request, context))
      : engine.execute(request, context);
  return {
    async onSubscribe(connection, id, payload) {
      const context = deps.contextOf(connection);
      const failure = await deps.failRequest?.(context);
      if (failure) {
        return [failure];
      }
      const request = await readRequest(deps, payload);
      if ('errors' in request) {
        return request.errors;
      }
      const started = await start(connection, request, context);
      return isUnrun(started)
        ? started.errors
        : toArgs({ started, id, send: connection.extra.send }, engine.publicSchema, request.kind);
    },
    execute: (args) => (args as StartedArgs).started as ExecutionResult,
    subscribe: (args) => {
      const { started, id, send } = args as StartedArgs;
      return Symbol.asyncIterator in started ? sendResults(id, started, send) : started;
    },
  };
}

function toArgs(
  started: Pick<StartedArgs, 'started' | 'id' | 'send'>,
  schema: GraphQLSchema,
  kind: OperationTypeNode,
): StartedArgs {
  return { schema, document: STAND_INS[kind], ...started };
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
  { engine, documents }: Pick<SocketOperationsDeps<Sending>, 'engine' | 'documents'>,
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
