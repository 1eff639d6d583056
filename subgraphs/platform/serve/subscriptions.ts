import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../principal.ts';
import { serveGraphQLSockets } from './graphql-sockets.ts';
import { PRINCIPAL_HEADER, type PrincipalTokens } from './principal-token.ts';
import { addWebSocketRoute } from './websocket-route.ts';

/** What a socket keeps from its opening on: it outlives the token that opened it. */
interface Opened extends Record<PropertyKey, unknown> {
  context?: RequestContext;
}

/** Subscriptions of a subgraph for its gateway; the signed principal comes in `connectionParams`. */
export function addSubscriptions(
  app: FastifyInstance,
  { schema, tokens }: { schema: GraphQLSchema; tokens: PrincipalTokens },
): void {
  addWebSocketRoute(app, '/graphql', (server) =>
    serveGraphQLSockets<Record<string, unknown>, Opened>(
      {
        schema,
        onConnect: ({ connectionParams, extra }) => {
          const claims = tokens.verify(connectionParams?.[PRINCIPAL_HEADER]);
          if (claims) {
            extra.context = claims;
          }
          return claims !== undefined;
        },
        context: ({ extra }) => extra.context,
      },
      server,
      app.log,
    ),
  );
}
