import type { Config } from '../subgraphs/platform/config/load.ts';
import type { Subgraph } from '../subgraphs/platform/graphql/subgraph.ts';
import { PRINCIPAL_HEADER, type PrincipalTokens } from '../subgraphs/platform/serve/principal-token.ts';
import { byPrincipal, createHttpTransport } from './transports/http.ts';
import { createInProcessTransport } from './transports/in-process.ts';
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
}

/** In one process by function calls; as `ROLE=gateway` over HTTP, with the principal signed for each request. */
export function connectSubgraphs({ config, subgraphs, tokens }: ConnectDeps): SubgraphConnections {
  return config.ROLE === 'gateway' ? connectByHttp(config, tokens) : connectInProcess(subgraphs);
}

function connectInProcess(subgraphs: readonly Subgraph[]): SubgraphConnections {
  const transports = subgraphs.map(({ name, schema }) => [name, createInProcessTransport(schema)] as const);
  return { transports: Object.fromEntries(transports), close: async () => undefined };
}

function connectByHttp(config: Config, tokens: PrincipalTokens): SubgraphConnections {
  const urls = {
    operations: config.SUBGRAPH_OPERATIONS_URL,
    users: config.SUBGRAPH_USERS_URL,
    links: config.SUBGRAPH_LINKS_URL,
    'request-money': config.SUBGRAPH_REQUEST_MONEY_URL,
  };
  const transports = Object.entries(urls).map(
    ([name, url]) =>
      [
        name,
        createHttpTransport({
          url: url ?? '',
          headers: (context) => ({ [PRINCIPAL_HEADER]: tokens.sign(context) }),
          shareBy: byPrincipal,
        }),
      ] as const,
  );
  return {
    transports: Object.fromEntries(transports),
    close: async () => {
      await Promise.all(transports.map(([, transport]) => transport.close()));
    },
  };
}
