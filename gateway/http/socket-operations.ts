import { type DocumentNode, type ExecutionArgs, GraphQLError, OperationTypeNode, parse } from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import type { RequestContext } from '../../subgraphs/platform/principal.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import type { Engine, GraphQLRequest } from '../engine.ts';
import { isRefusal, readParameters } from './request.ts';

/** Arguments of graphql-js that also carry what our engine needs: it takes the place of graphql-js. */
type EngineArgs = ExecutionArgs & { request: GraphQLRequest; contextValue: RequestContext };

/** All that graphql-ws looks for in a document is the kind of its operation. */
const STAND_INS: Readonly<Record<OperationTypeNode, DocumentNode>> = {
  [OperationTypeNode.QUERY]: parse('query { stand_in }'),
  [OperationTypeNode.MUTATION]: parse('mutation { stand_in }'),
  [OperationTypeNode.SUBSCRIPTION]: parse('subscription { stand_in }'),
};

/** How operations over sockets are run. */
export interface SocketOperationsDeps<Extra> {
  readonly engine: Engine;
  readonly documents: ClientDocuments;
  contextOf(connection: Context<Record<string, unknown>, Extra>): RequestContext;
  /** Why the operation is not run, before it is looked at; undefined when it may be. */
  refuse?(context: RequestContext): Promise<GraphQLError | undefined>;
}

type EngineHooks<Extra> = Required<
  Pick<ServerOptions<Record<string, unknown>, Extra>, 'onSubscribe' | 'execute' | 'subscribe'>
>;

/** The hooks that have graphql-ws run operations with our engine, their documents sent in full or by their hash. */
export function socketOperations<Extra>(deps: SocketOperationsDeps<Extra>): EngineHooks<Extra> {
  const { engine } = deps;
  return {
    async onSubscribe(connection, _id, payload) {
      const contextValue = deps.contextOf(connection);
      const refusal = await deps.refuse?.(contextValue);
      if (refusal) {
        return [refusal];
      }
      const request = await readRequest(deps, payload);
      return 'errors' in request
        ? request.errors
        : {
            schema: engine.publicSchema,
            document: STAND_INS[request.kind],
            request: request.request,
            contextValue,
          };
    },
    execute: (args) => {
      const { request, contextValue } = args as EngineArgs;
      return engine.execute(request, contextValue);
    },
    subscribe: (args) => {
      const { request, contextValue } = args as EngineArgs;
      return engine.subscribe(request, contextValue);
    },
  };
}

async function readRequest(
  { engine, documents }: Pick<SocketOperationsDeps<unknown>, 'engine' | 'documents'>,
  payload: SubscribePayload,
): Promise<{ request: GraphQLRequest; kind: OperationTypeNode } | { errors: readonly GraphQLError[] }> {
  const parameters = readParameters(payload);
  if (isRefusal(parameters)) {
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
