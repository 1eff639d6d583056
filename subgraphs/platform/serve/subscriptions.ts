import type { FastifyInstance } from 'fastify';
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Context, ExecutionResult } from 'graphql-ws';
import { CATALOGUE } from '../errors/catalogue.ts';
import type { ApiKeys } from '../keys/service.ts';
import type { Logger } from '../log/log.ts';
import type { RequestContext } from '../principal.ts';
import { type SocketExtra, serveGraphQLSockets } from './graphql-sockets.ts';
import { maskErrors } from './mask-error.ts';
import { operationText, PRINCIPAL_HEADER, type PrincipalVerifier, type TokenUse } from './principal-token.ts';
import { addWebSocketRoute } from './websocket-route.ts';

/** Looks for revoked keys in the database. */
export type FindRevoked = Pick<ApiKeys, 'findRevoked'>;

interface SubscriptionDeps {
  schema: GraphQLSchema;
  tokens: PrincipalVerifier;
  apiKeys: FindRevoked;
  log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * A gateway ends everything of a revoked key within 4 s, and tells the client why. What it leaves open ends here later:
 * within 5 s of the revocation, by this process's clock.
 */
const RECHECK_MS = 1_000;
const LEFT_TO_GATEWAY_MS = 3_500;

type Socket = Context<Record<string, unknown>, SocketExtra<Record<never, never>>>;

/** The key of each operation of a socket, by the operation's id. The next round drops finished operations. */
type Admitted = Map<Socket, Map<string, RequestContext>>;

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
    serveGraphQLSockets<Record<string, unknown>>(
      {
        schema: deps.schema,
        onConnect: async ({ connectionParams }) =>
          (await redeem(deps, connectionParams, { method: 'GET', body: '' })) !== undefined,
        onSubscribe: async (socket, id, payload) => {
          const use = { method: 'SUBSCRIBE', body: operationText({ ...payload }) } as const;
          const context = await redeem(deps, payload.extensions, use);
          if (!context) {
            return [unauthenticated()];
          }
          const own = admitted.get(socket) ?? new Map<string, RequestContext>();
          admitted.set(socket, own.set(id, context));
          return undefined;
        },
        context: (socket, id) => admitted.get(socket)?.get(id),
        onNext: (_socket, _id, _payload, _args, answer) =>
          answer.errors && maskAnswer(answer, answer.errors, deps.log),
        onError: (_socket, _id, _payload, errors) => maskErrors(errors, deps.log),
      },
      server,
      app.log,
    ),
  );
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
    log.warn({ reason, method }, 'subgraph.token refused');
    return undefined;
  }
  return read.token.caller;
}

function unauthenticated(): GraphQLError {
  const { message } = CATALOGUE.UNAUTHENTICATED;
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED' } });
}

function dropEnded(admitted: Admitted): void {
  for (const [socket, operations] of admitted) {
    for (const id of operations.keys()) {
      if (!(id in socket.subscriptions)) {
        operations.delete(id);
      }
    }
    if (operations.size === 0) {
      admitted.delete(socket);
    }
  }
}

function endRevoked(admitted: Admitted, { apiKeys, log }: Pick<SubscriptionDeps, 'apiKeys' | 'log'>): void {
  const keyIds = new Set([...admitted.values()].flatMap((own) => [...own.values()].map(keyOf)));
  if (keyIds.size === 0) {
    return;
  }
  apiKeys.findRevoked([...keyIds], new Date(Date.now() - LEFT_TO_GATEWAY_MS)).then(
    (revoked) => {
      for (const [socket, operations] of admitted) {
        for (const [id, context] of operations) {
          if (revoked.has(keyOf(context))) {
            endOperation(socket, id);
          }
        }
      }
    },
    // The database cannot be reached: the next round tries again.
    (error: unknown) => log.warn({ err: error }, 'subgraph.recheck failed'),
  );
}

function keyOf({ principal }: RequestContext): string {
  return principal?.keyId ?? '';
}

/** Ends the operation as if it had no more events: `complete` is sent. */
function endOperation({ subscriptions }: Socket, id: string): void {
  const events = subscriptions[id];
  if (events && 'return' in events) {
    void events.return(undefined);
  }
}
