import type { FastifyInstance } from 'fastify';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  subscribe,
  validate,
} from 'graphql';
import type { CausalTimes } from '../../../subgraphs/kernel/database/causal-times.ts';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import type { Logger } from '../../../subgraphs/kernel/log/log.ts';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import type { ApiKeys } from '../../../subgraphs/partners/keys/service.ts';
import { serveGraphQLSockets } from '../sockets/graphql-sockets.ts';
import type { SocketOperation, StartedOperation } from '../sockets/socket-operation.ts';
import { addWebSocketRoute } from '../sockets/websocket-route.ts';
import { maskError, maskErrors } from './mask-error.ts';
import {
  operationText,
  PRINCIPAL_HEADER,
  type PrincipalVerifier,
  TIMES_EXTENSION,
  type TokenUse,
} from './principal-token.ts';

/** Looks for revoked keys in the database. */
export type FindRevoked = Pick<ApiKeys, 'findRevoked'>;

interface SubscriptionDeps {
  schema: GraphQLSchema;
  tokens: PrincipalVerifier;
  apiKeys: FindRevoked;
  log: Pick<Logger, 'warn' | 'error'>;
  causalTimes?: Pick<CausalTimes, 'latest'> | undefined;
}

/**
 * A gateway ends everything of a revoked key within 4 s, and sends the client the reason. Subscriptions that it leaves open end here later:
 * within 5 s of the revocation, by the database's clock.
 */
const RECHECK_MS = 1_000;
const LEFT_TO_GATEWAY_MS = 3_500;

/** The key of each operation. The next round drops operations that are over. */
type Admitted = Map<SocketOperation, RequestContext>;

/**
 * Subscriptions of a subgraph for its gateway. A token opens the socket (`connectionParams`), and each operation has its own
 * token (`extensions`). So one socket may carry operations of several partners, and no operation outlives its key. Errors are
 * masked as over HTTP.
 */
export function addSubscriptions(app: FastifyInstance, deps: SubscriptionDeps): void {
  const admitted: Admitted = new Map();
  const recheck = setInterval(() => {
    dropEnded(admitted);
    endRevoked(admitted, deps);
  }, RECHECK_MS).unref();
  app.addHook('preClose', async () => clearInterval(recheck));
  addWebSocketRoute(app, '/graphql', (server) =>
    serveGraphQLSockets(
      {
        connect: async (_connection, params) =>
          (await redeem(deps, params, { method: 'GET', body: '' })) !== undefined,
        start: async (operation) => {
          const { payload } = operation;
          const use = { method: 'SUBSCRIBE', body: operationText({ ...payload }) } as const;
          const context = await redeem(deps, payload.extensions, use);
          if (!context) {
            return { unrun: [unauthenticated()] };
          }
          admitted.set(operation, context);
          return start(deps.schema, operation, context);
        },
        textOf: (answer) =>
          JSON.stringify(
            withTimes(answer.errors ? maskAnswer(answer, answer.errors, deps.log) : answer, deps.causalTimes),
          ),
        formatError: (error) => maskFailure(error, deps.log),
      },
      server,
      app.log,
    ),
  );
}

/** An answer that names the times of all that it may say. */
export function withTimes<Answer extends { readonly extensions?: Record<string, unknown> }>(
  answer: Answer,
  causalTimes: Pick<CausalTimes, 'latest'> | undefined,
): Answer {
  const latest = causalTimes?.latest();
  return latest === undefined
    ? answer
    : { ...answer, extensions: { ...answer.extensions, [TIMES_EXTENSION]: latest } };
}

/** Runs an operation by graphql-js. */
async function start(
  schema: GraphQLSchema,
  { payload, controller }: Pick<SocketOperation, 'payload' | 'controller'>,
  { principal, requestId }: RequestContext,
): Promise<StartedOperation> {
  const { query, variables: variableValues, operationName } = payload;
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    return { unrun: [asGraphQLError(error)] };
  }
  const issues = validate(schema, document);
  if (issues.length > 0) {
    return { unrun: issues };
  }
  const contextValue: RequestContext = { principal, requestId, signal: controller.signal };
  const args = { schema, document, contextValue, variableValues, operationName };
  const started = await (getOperationAST(document, operationName)?.operation === 'subscription'
    ? subscribe(args)
    : execute(args));
  return Symbol.asyncIterator in started ? started[Symbol.asyncIterator]() : toStarted(started);
}

/** Without `data`, not even null, the operation was not run. Source: GraphQL, "Response", "Data". */
function toStarted(result: ExecutionResult): StartedOperation {
  return result.data === undefined ? { unrun: result.errors ?? [] } : result;
}

function asGraphQLError(error: unknown): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError(messageOf(error));
}

function maskFailure(error: unknown, log: SubscriptionDeps['log']): GraphQLFormattedError {
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  return maskError(error instanceof GraphQLError ? error.toJSON() : { message }, error, log);
}

function maskAnswer(
  { data, extensions }: ExecutionResult,
  errors: readonly GraphQLError[],
  log: SubscriptionDeps['log'],
): FormattedExecutionResult {
  return {
    ...(data === undefined ? {} : { data }),
    ...(extensions === undefined ? {} : { extensions }),
    errors: maskErrors(errors, log),
  };
}

async function redeem(
  { tokens, log }: SubscriptionDeps,
  bearer: Readonly<Record<string, unknown>> | null | undefined,
  { method, body }: Pick<TokenUse, 'method' | 'body'>,
): Promise<RequestContext | undefined> {
  const read = await tokens.read(bearer?.[PRINCIPAL_HEADER], method);
  const reason = read.ok ? read.token.redeem(body) : read.reason;
  if (!read.ok || reason !== undefined) {
    log.warn({ reason, method }, 'subgraph.token_refused');
    return undefined;
  }
  return read.token.caller;
}

function unauthenticated(): GraphQLError {
  const { message } = CATALOGUE.UNAUTHENTICATED;
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED' } });
}

function dropEnded(admitted: Admitted): void {
  for (const operation of admitted.keys()) {
    if (operation.isOver) {
      admitted.delete(operation);
    }
  }
}

function endRevoked(admitted: Admitted, { apiKeys, log }: Pick<SubscriptionDeps, 'apiKeys' | 'log'>): void {
  const keyIds = new Set([...admitted.values()].map(keyOf));
  if (keyIds.size === 0) {
    return;
  }
  apiKeys.findRevoked([...keyIds], LEFT_TO_GATEWAY_MS).then(
    (revoked) => {
      for (const [operation, context] of admitted) {
        if (revoked.has(keyOf(context))) {
          operation.complete();
        }
      }
    },
    // The database cannot be reached: the next round tries again.
    (error: unknown) => log.warn({ err: error }, 'subgraph.recheck_failed'),
  );
}

function keyOf({ principal }: RequestContext): string {
  return principal?.keyId ?? '';
}
