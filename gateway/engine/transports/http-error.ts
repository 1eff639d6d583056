/** `extensions.code` of a subgraph that could not be reached over HTTP, or gave no valid answer. */
export type TransportErrorCode =
  /** There was no connection, or it ended before an answer. */
  | 'SUBGRAPH_UNREACHABLE'
  | 'SUBGRAPH_TIMEOUT'
  /** A status that is not 200, without a GraphQL response. */
  | 'SUBGRAPH_HTTP_ERROR'
  /** An answer that is not a GraphQL response. */
  | 'SUBGRAPH_RESPONSE_INVALID'
  | 'SUBGRAPH_RESPONSE_TOO_LARGE';

/**
 * A subgraph that could not be reached, or gave no valid answer. Clients see the code and the message, so the message
 * names no address. The `cause` has the details.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly extensions: { readonly code: TransportErrorCode };

  constructor(code: TransportErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.extensions = { code };
  }
}
