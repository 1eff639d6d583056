import type { Config } from '../../subgraphs/kernel/config/load.ts';

/** Time for a whole request to arrive, unless a setting says otherwise (decisions, section 7, "Bounds"). */
const REQUEST_TIMEOUT_SECONDS = 60;

/** How often node looks for connections that are too slow, at most. */
const LARGEST_CHECK_MS = 1_000;

/**
 * A connection without any traffic for this long is closed: a client that does not read its answer must not hold it in memory
 * for ever. Event streams send a comment every 12 s; WebSockets have pings.
 */
const SILENT_CONNECTION_MS = 120_000;

/** Timeouts of an HTTP server, as Fastify takes them. */
export interface HttpTimeouts {
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
  readonly http: {
    readonly requestTimeout: number;
    readonly headersTimeout: number;
    readonly connectionsCheckingInterval: number;
  };
}

/**
 * The time limits of every HTTP server of the product: for a whole request, headers and body, and for a silent connection.
 * Without them anyone could hold connections for ever by sending a byte now and then.
 * @param requestSeconds time for a whole request to arrive
 * @param answerSeconds longest work on an answer without a byte being sent
 */
export function httpTimeouts(
  requestSeconds: number = REQUEST_TIMEOUT_SECONDS,
  answerSeconds: number = requestSeconds,
): HttpTimeouts {
  const requestTimeout = requestSeconds * 1_000;
  return {
    requestTimeout,
    connectionTimeout: Math.max(SILENT_CONNECTION_MS, 2_000 * answerSeconds),
    http: {
      requestTimeout,
      // Node applies the shorter of the two to the headers: its own default would leave 60 s for the body.
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(LARGEST_CHECK_MS, requestTimeout / 4),
    },
  };
}

/** The time limits of this process's HTTP servers. */
export function timeoutsOf(
  config: Pick<Config, 'REQUEST_TIMEOUT_SECONDS' | 'GRAPHQL_TIMEOUT_SECONDS'>,
): HttpTimeouts {
  return httpTimeouts(config.REQUEST_TIMEOUT_SECONDS, config.GRAPHQL_TIMEOUT_SECONDS);
}
