import type { Subgraph } from '../../subgraphs/graph/subgraph.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { CausalTimes } from '../../subgraphs/kernel/database/causal-times.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import { createHttpTransport, createInProcessTransport, type SubgraphTransport } from '../engine/index.ts';
import {
  operationText,
  PRINCIPAL_HEADER,
  type PrincipalSigner,
  TIMES_EXTENSION,
} from '../http/subgraph-server/principal-token.ts';
import type { Tracing } from '../observe/tracing.ts';
import { createLivenessCheck, watchLiveness } from './liveness.ts';

/** The transports to the subgraphs, by name. */
export interface SubgraphConnections {
  readonly transports: Readonly<Record<string, SubgraphTransport<RequestContext>>>;
  close(): Promise<void>;
}

/**
 * The key for sharing answers of identical queries: callers of one account with the same rights share. Callers without
 * a principal do not share. A console session shares only with itself, because its reads are recorded.
 */
export function byPrincipal({ principal }: RequestContext): string | null {
  return principal === null
    ? null
    : JSON.stringify([
        principal.accountId,
        [...principal.scopes].sort(),
        principal.consoleSession?.sessionId,
      ]);
}

interface ConnectDeps {
  config: Config;
  subgraphs: readonly Subgraph[];
  /** Options for transports over HTTP. */
  tokens: PrincipalSigner | undefined;
  /** On a sharded cluster: answers of subgraphs advance them. */
  causalTimes?: Pick<CausalTimes, 'advance'> | undefined;
  tracing: Pick<Tracing, 'headers'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Connects the subgraphs: in one process by function calls; for `ROLE=gateway` over HTTP, with a signed token for each
 * request.
 */
export function connectSubgraphs(deps: ConnectDeps): SubgraphConnections {
  return deps.config.ROLE === 'gateway' ? connectByHttp(deps) : connectInProcess(deps.subgraphs);
}

function connectInProcess(subgraphs: readonly Subgraph[]): SubgraphConnections {
  const transports = subgraphs.map(({ name, schema }) => [name, createInProcessTransport(schema)] as const);
  return { transports: Object.fromEntries(transports), close: async () => undefined };
}

function connectByHttp({ config, tokens, causalTimes, tracing, log }: ConnectDeps): SubgraphConnections {
  if (!tokens) {
    throw new TypeError('ROLE=gateway signs what it sends to subgraphs');
  }
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
        createHttpTransport<RequestContext>({
          url,
          headers: async (context, { method, body }) => ({
            ...tracing.headers(),
            [PRINCIPAL_HEADER]: await tokens.sign(context, { audience: name, method, body }),
          }),
          extensions: async (context, payload) => {
            const use = { audience: name, method: 'SUBSCRIBE', body: operationText(payload) } as const;
            return { [PRINCIPAL_HEADER]: await tokens.sign(context, use) };
          },
          onExtensions: ({ [TIMES_EXTENSION]: times }) => {
            if (typeof times === 'string') {
              causalTimes?.advance(times);
            }
          },
          unauthorizedIsFailure: true,
          shareBy: byPrincipal,
          // Clients get only the subgraph and the code; the operator gets the cause.
          onFailure: (err, _fetch, { requestId }) =>
            log.warn({ err, subgraph: name, requestId }, 'subgraph.request_failed'),
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
