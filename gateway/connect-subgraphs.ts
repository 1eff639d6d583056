import type { Config } from '../subgraphs/platform/config/load.ts';
import type { Subgraph } from '../subgraphs/platform/graphql/subgraph.ts';
import type { Logger } from '../subgraphs/platform/log.ts';
import { PRINCIPAL_HEADER, type PrincipalTokens } from '../subgraphs/platform/serve/principal-token.ts';
import type { Tracing } from './tracing/tracing.ts';
import { byPrincipal, createHttpTransport } from './transports/http.ts';
import { createInProcessTransport } from './transports/in-process.ts';
import { createLivenessCheck, watchLiveness } from './transports/liveness.ts';
import type { SubgraphTransport } from './transports/transport.ts';

/** The ways to the subgraphs, by name. */
export interface SubgraphConnections {
  readonly transports: Readonly<Record<string, SubgraphTransport>>;
  close(): Promise<void>;
}

interface ConnectDeps {
  config: Config;
  subgraphs: readonly Subgraph[];
  tokens: PrincipalTokens;
  tracing: Pick<Tracing, 'headers'>;
  log: Pick<Logger, 'warn'>;
}

/** In one process by function calls; as `ROLE=gateway` over HTTP, with the principal signed for each request. */
export function connectSubgraphs(deps: ConnectDeps): SubgraphConnections {
  return deps.config.ROLE === 'gateway' ? connectByHttp(deps) : connectInProcess(deps.subgraphs);
}

function connectInProcess(subgraphs: readonly Subgraph[]): SubgraphConnections {
  const transports = subgraphs.map(({ name, schema }) => [name, createInProcessTransport(schema)] as const);
  return { transports: Object.fromEntries(transports), close: async () => undefined };
}

function connectByHttp({ config, tokens, tracing, log }: ConnectDeps): SubgraphConnections {
  const urls = {
    operations: config.SUBGRAPH_OPERATIONS_URL,
    users: config.SUBGRAPH_USERS_URL,
    links: config.SUBGRAPH_LINKS_URL,
    'request-money': config.SUBGRAPH_REQUEST_MONEY_URL,
  };
  const transports = Object.entries(urls).map(
    ([name, url = '']) =>
      [
        name,
        url,
        createHttpTransport({
          url,
          headers: (context) => ({ ...tracing.headers(), [PRINCIPAL_HEADER]: tokens.sign(context) }),
          shareBy: byPrincipal,
          // Clients are told which subgraph and the code alone; the cause is for the operator.
          onFailure: (err, _fetch, { requestId }) =>
            log.warn({ err, subgraph: name, requestId }, 'subgraph.request failed'),
        }),
      ] as const,
  );
  const watched = transports.map(
    ([name, url, transport]) => [name, watchLiveness(transport, createLivenessCheck(url))] as const,
  );
  return {
    transports: Object.fromEntries(watched),
    close: async () => {
      await Promise.all(transports.map(([, , transport]) => transport.close()));
    },
  };
}
