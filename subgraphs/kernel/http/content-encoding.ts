import type { FastifyRequest } from 'fastify';

/** The message of a body that has a content encoding or a transfer coding other than `chunked`. */
export const ENCODED_BODY = 'The request body must not be encoded, such as with gzip: send it as it is.';

/**
 * Whether a request has a body that is encoded: bodies are read as they come (RFC 9110, section 15.5.16: 415). Node decodes only
 * `chunked`, and passes on what another transfer coding has made.
 */
export function isEncoded({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const { 'content-encoding': encoding, 'transfer-encoding': coding } = headers;
  const hasBody = coding !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return (
    hasBody &&
    method !== 'GET' &&
    method !== 'HEAD' &&
    !((encoding === undefined || IDENTITY.test(encoding)) && (coding === undefined || CHUNKED.test(coding)))
  );
}

const IDENTITY = /^\s*(?:identity\s*(?:,\s*identity\s*)*)?$/i;
const CHUNKED = /^\s*chunked\s*$/i;
