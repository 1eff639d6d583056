/** Time that a request has to come whole, where no setting says otherwise (decisions, section 7, "Bounds"). */
export const REQUEST_TIMEOUT_SECONDS = 60;

/** How often node looks for connections that are too slow, at most. */
const LARGEST_CHECK_MS = 1_000;

/**
 * A connection on which nothing moves for this long, in either direction, is closed: a client that does not read its
 * answer must not hold it in memory for ever. Event streams send a comment every 12 s; WebSockets have pings.
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
 * The time limits that every HTTP server of the product has: for a whole request, headers and body, and for a silent
 * connection. Without them anyone could hold connections for ever by sending a byte now and then.
 * @param requestSeconds time for a request to come whole
 * @param answerSeconds longest time that an answer may be worked on without a byte being sent
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
      // Of the two node takes the shorter one for the headers: its own default would leave the body 60 s.
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(LARGEST_CHECK_MS, requestTimeout / 4),
    },
  };
}
