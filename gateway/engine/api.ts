import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { EngineContext } from './context.ts';

/** A GraphQL request as it arrives over the wire. */
export interface GraphQLRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** A document of the application's own, checked and compiled before it is used. */
export interface TrustedDocument {
  readonly document: string;
  /** Resolves when the document is compiled; rejects with the errors of an invalid document. */
  readonly ready: Promise<void>;
}

/** Runs GraphQL operations over the subgraphs of one supergraph. */
export interface Engine<Context extends EngineContext> {
  /** The schema for clients: with descriptions, without `@inaccessible` parts. */
  readonly publicSchema: GraphQLSchema;
  /** Validates a public request without planning it. Returns its errors. */
  check(request: Omit<GraphQLRequest, 'variables'>): readonly GraphQLError[];
  /** Plans a public request without running it; resolves to its errors. Rejects when the planner fails. */
  prepare(request: Omit<GraphQLRequest, 'variables'>): Promise<readonly GraphQLError[]>;
  /** Runs a query or mutation. Never rejects: failures are in the result's `errors`. */
  execute(request: GraphQLRequest, context: Context): Promise<ExecutionResult>;
  /** Starts a subscription. Resolves to its results, or to one result when it does not start. Never rejects. */
  subscribe(
    request: GraphQLRequest,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;
  /** Prepares a document of the application's own. It may use `@inaccessible` parts of the supergraph. */
  prepareTrusted(document: string): TrustedDocument;
  /** Runs a trusted query or mutation. Rejects when the document is not valid. */
  executeTrusted(
    document: TrustedDocument,
    variables: Readonly<Record<string, unknown>> | null,
    context: Context,
  ): Promise<ExecutionResult>;
}
